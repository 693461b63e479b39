// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.annotation.McpApprove;
import io.longhaul.server.annotation.McpElicitFirst;
import io.longhaul.server.annotation.McpIcon;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.server.internal.method.ImmediateMethod;
import io.longhaul.server.internal.method.MethodArguments;
import io.longhaul.server.internal.method.MethodCall;
import io.longhaul.server.internal.method.MethodResult;
import io.longhaul.server.internal.schema.DurationText;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes a tool of one method that is marked as a tool. */
final class AnnotatedMethod {

    private final Object owner;
    private final Method method;

    AnnotatedMethod(Object owner, Method method) {
        this.owner = owner;
        this.method = method;
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
        var definition = Tool.define(marked.name().isEmpty() ? method.getName() : marked.name())
                .origin(MethodCall.place(method))
                .derivedInput(arguments.schema());
        result.schema().ifPresent(definition::outputSchema);
        describe(definition, marked);
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
        if (Modifier.isPrivate(is)) {
            throw new IllegalArgumentException("a tool must not be private");
        }
        if (method.getTypeParameters().length > 0) {
            throw new IllegalArgumentException("a tool must not have type parameters");
        }
        try {
            method.setAccessible(true);
        } catch (InaccessibleObjectException | SecurityException e) {
            throw new IllegalArgumentException(
                    "it cannot be called from here: open its package to io.longhaul.server, or make both public", e);
        }
    }

    private static void describe(ToolDefinition<?, ?, ?> definition, McpTool marked) {
        if (!marked.title().isBlank()) {
            definition.title(marked.title());
        }
        if (!marked.description().isBlank()) {
            definition.description(marked.description());
        }
        var hints = marked.annotations();
        if (!hints.title().isBlank()) {
            definition.hint("title", hints.title());
        }
        if (hints.readOnlyHint()) {
            definition.readOnly();
        }
        if (!hints.destructiveHint()) {
            definition.destructive(false);
        }
        if (hints.idempotentHint()) {
            definition.idempotent();
        }
        if (!hints.openWorldHint()) {
            definition.openWorld(false);
        }
        definition.scopes(marked.scopes());
        definition.icons(
                Arrays.stream(marked.icons()).map(AnnotatedMethod::icon).toArray(Icon[]::new));
    }

    private static Icon icon(McpIcon icon) {
        return new Icon(
                icon.src(),
                icon.mimeType().isEmpty() ? null : icon.mimeType(),
                List.of(icon.sizes()),
                switch (icon.theme()) {
                    case ANY -> null;
                    case LIGHT -> Icon.Theme.LIGHT;
                    case DARK -> Icon.Theme.DARK;
                });
    }

    private static void configure(LongRunning options, McpLongRunning lasting) {
        if (lasting.onCrash() == CrashPolicy.REATTACH) {
            throw new IllegalArgumentException(
                    "onCrash REATTACH is for backends: nothing is left of a method to be found again");
        }
        options.onCrash(lasting.onCrash()).concurrency(lasting.concurrency());
        if (!lasting.timeout().isEmpty()) {
            options.timeout(DurationText.parse("timeout", lasting.timeout()));
        }
        if (!lasting.keepFor().isEmpty()) {
            options.keepFor(DurationText.parse("keepFor", lasting.keepFor()));
        }
        if (!lasting.suspendAfter().isEmpty()) {
            options.suspendAfter(DurationText.parse("suspendAfter", lasting.suspendAfter()));
        }
        if (lasting.taskOnly()) {
            options.taskOnly();
        }
        if (!lasting.immediateResponse().isEmpty()) {
            options.immediateResponse(lasting.immediateResponse());
        }
        options.formerly(lasting.formerly());
        options.whenAbandoned(lasting.whenAbandoned()).whenRepeated(lasting.whenRepeated());
        if (!lasting.hold().isEmpty()) {
            options.hold(DurationText.parse("hold", lasting.hold()));
        }
        resuming(options, lasting);
        elicitFirst(options, lasting.elicitFirst());
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

    private static void resuming(LongRunning options, McpLongRunning lasting) {
        if (lasting.resumeAlways()) {
            options.resumeAlways();
        }
        if (!lasting.resumeWait().isEmpty()) {
            options.resumeWait(DurationText.parse("resumeWait", lasting.resumeWait()));
        }
        if (!lasting.resumeFor().isEmpty()) {
            options.resumeFor(DurationText.parse("resumeFor", lasting.resumeFor()));
        }
    }

    private static void elicitFirst(LongRunning options, McpElicitFirst[] questions) {
        Set<String> keys = new HashSet<>();
        for (McpElicitFirst question : questions) {
            if (question.key().isBlank() || question.message().isBlank()) {
                throw new IllegalArgumentException("each @McpElicitFirst needs a key and a message");
            }
            if (!keys.add(question.key())) {
                throw new IllegalArgumentException("two @McpElicitFirst have the key '" + question.key() + "'");
            }
            var request = ElicitRequest.of(question.key(), question.message(), question.form());
            options.elicitFirst.add(request);
            if (question.asArgument()) {
                options.elicitAsArgument(request);
            }
        }
    }
}
