// SPDX-License-Identifier: Apache-2.0
/**
 * What every part of an engine has at hand: store, clock, threads, limits and works, the other nodes of a shared
 * store, and the repetition of what a store refused. The package changes no task, and does not know which tasks there
 * are.
 */
@NullMarked
package io.longhaul.engine.node;

import org.jspecify.annotations.NullMarked;
