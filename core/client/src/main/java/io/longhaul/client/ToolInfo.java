// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A tool of a server.
 *
 * @param name        for {@link McpClient#call}
 * @param description for a model, or null
 * @param inputSchema JSON Schema of its arguments
 * @param taskMode    whether the tool may be called as a task; OPTIONAL where the server decides call by call
 * @param definition  the whole tool as the server listed it
 */
public record ToolInfo(
        String name, @Nullable String description, Json inputSchema, TaskMode taskMode, Json definition) {}
