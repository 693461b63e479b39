// SPDX-License-Identifier: Apache-2.0
/**
 * What this node has under one lease, and how it keeps that lease: the creation of tasks, and the membership in a
 * shared store with its slots and turns. The package does not know who asks for a task.
 */
@NullMarked
package io.longhaul.engine.lease;

import org.jspecify.annotations.NullMarked;
