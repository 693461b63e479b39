// SPDX-License-Identifier: Apache-2.0
/**
 * Workflows of Temporal. {@link io.longhaul.backend.temporal.Temporal} names the workflow of a tool,
 * {@link io.longhaul.backend.temporal.TemporalBackend} runs such workflows for tasks, and the code of a workflow
 * reports with {@link io.longhaul.backend.temporal.LonghaulWorkflow}. The package knows nothing of MCP.
 */
@NullMarked
package io.longhaul.backend.temporal;

import org.jspecify.annotations.NullMarked;
