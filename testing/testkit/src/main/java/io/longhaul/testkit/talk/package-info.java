// SPDX-License-Identifier: Apache-2.0
/**
 * How a test speaks as a client, by hand: messages, and the ways on which they go over HTTP, over pipes and in memory.
 * It knows no tool, no server and no assertion.
 */
@NullMarked
package io.longhaul.testkit.talk;

import org.jspecify.annotations.NullMarked;
