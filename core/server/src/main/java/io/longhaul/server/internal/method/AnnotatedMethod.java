// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.method;

import io.longhaul.engine.run.Rate;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.Require;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.LongRunning;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolDefinition;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.annotation.McpApprove;
import io.longhaul.server.annotation.McpElicitFirst;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.server.internal.schema.DurationText;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes a tool of one method that is marked as a tool. */
public record AnnotatedMethod(Definitions definitions, Object owner, Method method) {

    /** Begins the definition of a method that is marked as a tool. */
    @FunctionalInterface
    public interface Definitions {

        /** @param place of the declaration, for people */
        ToolDefinition<JsonNode, ToolContext, Object> of(McpTool marked, String name, String place);
    }

    /**
     * The tool.
     *
     * @throws IllegalArgumentException where the method cannot be a tool, with the reason
     */
    Tool tool() {
        McpTool marked = method.getAnnotation(McpTool.class);
        if (marked == null) {
            throw new IllegalArgumentException("@McpLongRunning and @McpApprove mean nothing without @McpTool");
        }
        open();
        var arguments = new MethodArguments(method);
        var result = new MethodResult(method, marked.output());
        var name = marked.name().isEmpty() ? method.getName() : marked.name();
        var definition = definitions.of(marked, name, MethodCall.place(method)).inputSchema(arguments.schema());
        result.schema().ifPresent(definition::outputSchema);
        McpLongRunning lasting = method.getAnnotation(McpLongRunning.class);
        if (lasting != null) {
            definition.longRunning(options -> configure(options, lasting));
            immediate(definition, lasting);
        }
        refuseTaskOfQuick(lasting);
        var asked = method.getAnnotation(McpApprove.class);
        var approval = asked == null ? null : Approval.of(asked, arguments.schema());
        ToolHandler<JsonNode, ToolContext, @Nullable Object> handler = (given, call) -> {
            var bound = arguments.bound(given, call);
            if (approval != null) {
                call.approve(approval.of(given));
            }
            return result.of(MethodCall.call(method, owner, bound));
        };
        return definition.handler(handler);
    }

    private void refuseTaskOfQuick(@Nullable McpLongRunning lasting) {
        if (lasting == null && List.of(method.getParameterTypes()).contains(TaskContext.class)) {
            throw new IllegalArgumentException(
                    "it takes a TaskContext, and only a call of a long-running tool is a task:"
                            + " add @McpLongRunning, or take a ToolContext");
        }
    }

    private void open() {
        int is = method.getModifiers();
        Require.that(!Modifier.isPrivate(is), "a tool must not be private");
        Require.that(method.getTypeParameters().length == 0, "a tool must not have type parameters");
        try {
            method.setAccessible(true);
        } catch (InaccessibleObjectException | SecurityException e) {
            throw new IllegalArgumentException(
                    "it cannot be called from here: open its package to io.longhaul.server, or make both public", e);
        }
    }

    private static void configure(LongRunning options, McpLongRunning lasting) {
        if (lasting.onCrash() == CrashPolicy.REATTACH) {
            throw new IllegalArgumentException(
                    "onCrash REATTACH is for backends: nothing is left of a method to be found again");
        }
        options.onCrash(lasting.onCrash()).concurrency(lasting.concurrency()).priority(lasting.priority());
        options.resultText(lasting.resultText());
        if (!lasting.rate().isEmpty()) {
            options.rate(Rate.parse(lasting.rate())
                    .orElseThrow(() -> new IllegalArgumentException(
                            "rate '" + lasting.rate() + "' is no rate: write it as 2/s, 10/m or 100/h")));
        }
        duration("timeout", lasting.timeout(), options::timeout);
        duration("idle", lasting.idle(), options::idle);
        duration("keepFor", lasting.keepFor(), options::keepFor);
        retry(options, lasting);
        duration("suspendAfter", lasting.suspendAfter(), options::suspendAfter);
        if (lasting.taskOnly()) {
            options.taskOnly();
        }
        if (!lasting.immediateResponse().isEmpty()) {
            options.immediateResponse(lasting.immediateResponse());
        }
        options.formerly(lasting.formerly());
        options.whenAbandoned(lasting.whenAbandoned()).whenRepeated(lasting.whenRepeated());
        duration("hold", lasting.hold(), options::hold);
        if (lasting.resumeAlways()) {
            options.resumeAlways();
        }
        duration("resumeWait", lasting.resumeWait(), options::resumeWait);
        duration("resumeFor", lasting.resumeFor(), options::resumeFor);
        elicitFirst(options, lasting.elicitFirst());
    }

    private static void retry(LongRunning options, McpLongRunning lasting) {
        var backoff = lasting.backoff().isEmpty() ? Duration.ZERO : DurationText.parse("backoff", lasting.backoff());
        var on = List.of(lasting.retryOn());
        if (lasting.retries() == 0 && (!on.isEmpty() || !backoff.isZero())) {
            throw new IllegalArgumentException("it has a backoff or a retryOn, and no retries: add retries = 3");
        }
        if (on.isEmpty()) {
            options.retry(lasting.retries(), backoff);
        } else {
            options.retry(lasting.retries(), backoff, e -> on.stream().anyMatch(type -> type.isInstance(e)));
        }
    }

    private void immediate(ToolDefinition<JsonNode, ?, ?> definition, McpLongRunning lasting) {
        if (lasting.immediateResult().isEmpty()) {
            return;
        }
        if (!lasting.immediateResponse().isEmpty()) {
            throw new IllegalArgumentException("it has an immediateResponse and an immediateResult: leave one out");
        }
        definition.immediateResult(new ImmediateMethod(owner, method, lasting.immediateResult())::of);
    }

    private static void duration(String name, String text, Consumer<Duration> option) {
        if (!text.isEmpty()) {
            option.accept(DurationText.parse(name, text));
        }
    }

    private static void elicitFirst(LongRunning options, McpElicitFirst[] questions) {
        Set<String> keys = new HashSet<>();
        for (McpElicitFirst question : questions) {
            if (question.key().isBlank() || question.message().isBlank()) {
                throw new IllegalArgumentException("each @McpElicitFirst needs a key and a message");
            }
            Require.that(keys.add(question.key()), "two @McpElicitFirst have the key '" + question.key() + "'");
            options.elicitFirst(question.key(), question.message(), question.form());
            if (question.asArgument()) {
                options.elicitAsArgument(ElicitRequest.of(question.key(), question.message(), question.form()));
            }
        }
    }
}
