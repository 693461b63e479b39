// SPDX-License-Identifier: Apache-2.0
/**
 * Workflows of Temporal. {@link io.longhaul.backend.temporal.Temporal} says which workflow a task is,
 * {@link io.longhaul.backend.temporal.TemporalBackend} runs such workflows for tasks, and code of a workflow tells
 * of itself with {@link io.longhaul.backend.temporal.LonghaulWorkflow}.
 */
@NullMarked
package io.longhaul.backend.temporal;

import org.jspecify.annotations.NullMarked;
