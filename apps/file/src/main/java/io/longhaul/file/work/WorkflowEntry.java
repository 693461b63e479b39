// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import io.longhaul.backend.temporal.WorkflowJob;
import java.util.Map;
import java.util.function.Function;

/**
 * A workflow of Temporal.
 *
 * @param job makes the job from the server's variables, with secrets
 */
public record WorkflowEntry(Function<Map<String, String>, WorkflowJob> job) implements WorkEntry {}
