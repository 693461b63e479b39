// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.server.Tool;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolException;
import io.longhaul.server.ToolHandler;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.beans.factory.ObjectProvider;
import tools.jackson.databind.JsonNode;

/**
 * Tools of Spring AI. A tool finds the call as {@link #CALL} in its {@code ToolContext} of Spring AI.
 *
 * @param longRunning the names of the tools that run as durable tasks
 */
record CallbackTools(LongRunningNames longRunning) {

    /** The key of Longhaul's {@link ToolContext} in a {@code ToolContext} of Spring AI. */
    static final String CALL = "longhaul.call";

    /** One tool for each name: the same callback may be both a bean and part of a provider. */
    List<Tool> of(ObjectProvider<ToolCallback> callbacks, ObjectProvider<ToolCallbackProvider> providers) {
        var byName = new LinkedHashMap<String, ToolCallback>();
        Stream.concat(
                        callbacks.orderedStream(),
                        providers.orderedStream().flatMap(provider -> Arrays.stream(provider.getToolCallbacks())))
                .forEach(callback ->
                        byName.putIfAbsent(callback.getToolDefinition().name(), callback));
        return byName.values().stream().map(this::tool).toList();
    }

    private Tool tool(ToolCallback callback) {
        var from = callback.getToolDefinition();
        var definition = Tool.define(from.name())
                .description(Objects.requireNonNullElse(from.description(), ""))
                .inputSchema(from.inputSchema());
        ToolHandler<JsonNode, ToolContext, String> handler = (arguments, call) -> call(callback, call);
        return longRunning.contains(from.name())
                ? definition.longRunning().handler(handler)
                : definition.handler(handler);
    }

    private static String call(ToolCallback callback, ToolContext call) throws InterruptedException {
        try {
            var context = new org.springframework.ai.chat.model.ToolContext(Map.of(CALL, call));
            return Objects.requireNonNullElse(callback.call(call.arguments().toString(), context), "");
        } catch (ToolExecutionException e) {
            if (call.isCancelled()) {
                var interrupted = new InterruptedException("The call was cancelled");
                interrupted.initCause(e);
                throw interrupted;
            }
            throw new ToolException(Objects.requireNonNullElse(e.getMessage(), "The tool has failed"));
        }
    }
}
