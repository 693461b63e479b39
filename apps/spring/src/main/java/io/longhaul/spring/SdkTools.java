// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.server.McpException;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolDefinition;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.ToolResult;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tools that were written for the official Java SDK. A handler finds its caller in its exchange as usual.
 *
 * @param longRunning the names of the tools that run as durable tasks
 */
record SdkTools(LongRunningNames longRunning) {

    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    /** A call of a handler of the SDK. */
    @FunctionalInterface
    private interface Handler {
        @Nullable
        CallToolResult call(McpAsyncServerExchange exchange, CallToolRequest request);
    }

    Tool tool(SyncToolSpecification specification) {
        return tool(
                specification.tool(),
                (exchange, request) -> specification.callHandler().apply(new McpSyncServerExchange(exchange), request));
    }

    Tool tool(AsyncToolSpecification specification) {
        return tool(
                specification.tool(),
                (exchange, request) ->
                        specification.callHandler().apply(exchange, request).block());
    }

    private Tool tool(McpSchema.Tool from, Handler handler) {
        var definition = Tool.define(from.name()).inputSchema(text(from.inputSchema()));
        Optional.ofNullable(from.title()).ifPresent(definition::title);
        Optional.ofNullable(from.description()).ifPresent(definition::description);
        Optional.ofNullable(from.outputSchema()).ifPresent(schema -> definition.outputSchema(text(schema)));
        Optional.ofNullable(from.annotations()).ifPresent(hints -> hint(definition, hints));
        Optional.ofNullable(from.meta()).ifPresent(meta -> meta.forEach(definition::meta));
        ToolHandler<JsonNode, ToolContext, ToolResult> answer = (arguments, call) -> answer(from, handler, call);
        return longRunning.contains(from.name())
                ? definition.longRunning().handler(answer)
                : definition.handler(answer);
    }

    private static String text(Map<String, Object> schema) {
        return JsonMapper.shared().writeValueAsString(schema);
    }

    private static void hint(ToolDefinition<?, ?, ?> definition, McpSchema.ToolAnnotations hints) {
        if (Boolean.TRUE.equals(hints.readOnlyHint())) {
            definition.readOnly();
        }
        if (Boolean.TRUE.equals(hints.idempotentHint())) {
            definition.idempotent();
        }
        Optional.ofNullable(hints.destructiveHint()).ifPresent(definition::destructive);
        Optional.ofNullable(hints.openWorldHint()).ifPresent(definition::openWorld);
    }

    private static ToolResult answer(McpSchema.Tool tool, Handler handler, ToolContext call)
            throws InterruptedException {
        Map<String, Object> arguments = JsonMapper.shared().convertValue(call.arguments(), OBJECT);
        var request = CallToolRequest.builder(tool.name()).arguments(arguments).build();
        var exchange = SdkSession.exchange(call);
        try {
            return SdkContent.result(Objects.requireNonNullElseGet(
                    handler.call(exchange, request),
                    () -> CallToolResult.builder(List.of()).build()));
        } catch (RuntimeException e) {
            // An interrupt while blocking on a publisher comes as an exception of another type.
            if (call.isCancelled()) {
                var interrupted = new InterruptedException("The call was cancelled");
                interrupted.initCause(e);
                throw interrupted;
            }
            if (Exceptions.unwrap(e) instanceof McpError error && error.getJsonRpcError() != null) {
                var said = error.getJsonRpcError();
                throw new McpException(said.code(), String.valueOf(said.message()), said.data());
            }
            throw e;
        }
    }
}
