// SPDX-License-Identifier: Apache-2.0
/**
 * An agent that has several tasks at other agents at once.
 */
@NullMarked
package io.longhaul.examples.agent;

import org.jspecify.annotations.NullMarked;
