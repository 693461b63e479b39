// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * The right to run a task.
 *
 * @param lease    the right under which it is run; null while no node holds it
 * @param attempts how often its work was started
 * @param handle   what its backend needs to find an external job again; null while there is none
 */
public record Tenure(
        @Nullable Lease lease, Attempts attempts, @Nullable Payload handle) {}
