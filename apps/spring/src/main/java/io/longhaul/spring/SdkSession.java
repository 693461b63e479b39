// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.RequestContext;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpLoggableSession;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The session of the caller for a tool of the official Java SDK: sends the requests and notifications of the tool
 * through the context of its call, in the generation of the caller. Each request blocks its subscriber.
 *
 * @param call the call of the tool
 */
record SdkSession(RequestContext call) implements McpLoggableSession {

    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
    private static final String NAMELESS = "unknown";
    private static final int MOST_TOKENS = 1_000;

    static McpAsyncServerExchange exchange(RequestContext call) {
        var caller = call.caller();
        var can = call.capabilities();
        var capabilities = McpSchema.ClientCapabilities.builder();
        if (can.form()) {
            capabilities.elicitation();
        }
        if (can.sampling()) {
            capabilities.sampling();
        }
        if (can.roots()) {
            capabilities.roots(false);
        }
        var client = McpSchema.Implementation.builder(
                        Objects.requireNonNullElse(caller.clientName(), NAMELESS),
                        Objects.requireNonNullElse(caller.clientVersion(), NAMELESS))
                .build();
        return new McpAsyncServerExchange(
                caller.principal().name(),
                new SdkSession(call),
                capabilities.build(),
                client,
                McpTransportContext.create(Map.copyOf(caller.headers())));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> Mono<T> sendRequest(String method, @Nullable Object params, TypeRef<T> type) {
        Callable<Object> answer = () -> switch (params) {
            case McpSchema.ElicitFormRequest form -> elicit(form);
            case McpSchema.CreateMessageRequest message -> sample(message);
            case null, default ->
                switch (method) {
                    case McpSchema.METHOD_ROOTS_LIST -> roots();
                    case McpSchema.METHOD_PING -> Map.of();
                    default ->
                        throw new UnsupportedOperationException(
                                "Longhaul knows no way to ask a client '" + method + "' for a tool of the MCP SDK");
                };
        };
        return Mono.fromCallable(() -> (T) answer.call());
    }

    private McpSchema.ElicitResult elicit(McpSchema.ElicitFormRequest form) throws InterruptedException {
        var schema = JsonMapper.shared().writeValueAsString(form.requestedSchema());
        var answer = call.elicit(new ElicitRequest(null, form.message(), schema));
        var action = McpSchema.ElicitResult.Action.valueOf(answer.action().name());
        return new McpSchema.ElicitResult(
                action, answer.accepted() ? JsonMapper.shared().convertValue(answer.content(), OBJECT) : Map.of());
    }

    private McpSchema.CreateMessageResult sample(McpSchema.CreateMessageRequest request) throws InterruptedException {
        List<CreateMessageRequest.Message> messages =
                request.messages().stream().map(SdkSession::message).toList();
        var question = new CreateMessageRequest(
                messages,
                Objects.requireNonNullElse(request.maxTokens(), MOST_TOKENS),
                request.systemPrompt(),
                CreateMessageRequest.Tools.NONE,
                CreateMessageRequest.Options.PLAIN,
                null);
        var answer = call.sample(question);
        return McpSchema.CreateMessageResult.builder(McpSchema.Role.ASSISTANT, answer.text(), answer.model())
                .build();
    }

    private static CreateMessageRequest.Message message(McpSchema.SamplingMessage from) {
        if (!(from.content() instanceof McpSchema.TextContent text)) {
            throw new UnsupportedOperationException("A tool of the MCP SDK can send a model text alone here, not "
                    + from.content().getClass().getSimpleName());
        }
        return from.role() == McpSchema.Role.USER
                ? CreateMessageRequest.Message.user(text.text())
                : CreateMessageRequest.Message.assistant(text.text());
    }

    private McpSchema.ListRootsResult roots() throws InterruptedException {
        return new McpSchema.ListRootsResult(call.listRoots().stream()
                .map(root -> new McpSchema.Root(root.uri(), root.name()))
                .toList());
    }

    @Override
    public Mono<Void> sendNotification(String method, @Nullable Object params) {
        return Mono.fromRunnable(() -> {
            switch (params) {
                case McpSchema.LoggingMessageNotification log ->
                    call.log(log.level().name().toLowerCase(Locale.ROOT), log.data());
                case McpSchema.ProgressNotification progress -> progress(progress);
                case null, default ->
                    throw new UnsupportedOperationException(
                            "Longhaul knows no way to tell a client '" + method + "' for a tool of the MCP SDK");
            }
        });
    }

    private void progress(McpSchema.ProgressNotification progress) {
        if (progress.total() == null) {
            call.progress(progress.progress(), progress.message());
        } else {
            call.progress(progress.progress(), progress.total(), progress.message());
        }
    }

    @Override
    public void setMinLoggingLevel(McpSchema.LoggingLevel level) {
        // Longhaul keeps the level that a client sets and drops messages below it.
    }

    @Override
    public boolean isNotificationForLevelAllowed(McpSchema.LoggingLevel level) {
        return true;
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }

    @Override
    public void close() {
        // The server owns the session.
    }
}
