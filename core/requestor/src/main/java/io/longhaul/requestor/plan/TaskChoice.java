// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.plan;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the caller of a tool wants of tasks.
 *
 * @param mayBeTask whether the call may become a task
 * @param ttl       how long the task shall be kept; null leaves that to the server
 * @param key       of the call, and the id of its task where the client chooses it
 */
public record TaskChoice(boolean mayBeTask, @Nullable Duration ttl, String key) {}
