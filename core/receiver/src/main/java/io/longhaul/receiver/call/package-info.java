// SPDX-License-Identifier: Apache-2.0
/**
 * Answers to calls of tools, resources and prompts: {@code Calls} chooses, {@code QuickCalls} answers at once or by a
 * handler, {@code LongCalls} as a durable task. The package does not know how a message came in, nor any single draft.
 */
@NullMarked
package io.longhaul.receiver.call;

import org.jspecify.annotations.NullMarked;
