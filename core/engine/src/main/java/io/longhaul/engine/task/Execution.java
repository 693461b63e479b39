// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * The lease of a task, its attempts, and the handle of its external job.
 *
 * @param lease    the lease under which the task runs; null while no node has the task
 * @param attempts how often the work of the task was started
 * @param handle   the data by which the backend finds an external job again; null where no handle was saved
 */
public record Execution(
        @Nullable Lease lease, Attempts attempts, @Nullable Payload handle) {}
