// SPDX-License-Identifier: Apache-2.0
/** Answers to calls: tools, resources and prompts, at once, by a handler, or as a durable task. */
@NullMarked
package io.longhaul.receiver.call;

import org.jspecify.annotations.NullMarked;
