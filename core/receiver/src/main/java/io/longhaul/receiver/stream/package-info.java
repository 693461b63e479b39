// SPDX-License-Identifier: Apache-2.0
/**
 * Delivery of what happens to tasks: one {@code TaskFeed} reads a task on this node, one {@code Delivery} holds the
 * position of one session in one task, a {@code Narrator} writes the messages, and a {@code MessageStream} has the one
 * writer. The package knows a dialect only to encode, and does not know how a call became a task.
 */
@NullMarked
package io.longhaul.receiver.stream;

import org.jspecify.annotations.NullMarked;
