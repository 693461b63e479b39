// SPDX-License-Identifier: Apache-2.0
/**
 * The tasks that tasks call: how a child is created, followed, kept and ended. The package knows the attempt of the
 * parent by an interface, and creates a child through a function that it is given.
 */
@NullMarked
package io.longhaul.engine.children;

import org.jspecify.annotations.NullMarked;
