// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import io.longhaul.engine.run.SuspendedException;
import io.longhaul.protocol.call.Trace;
import io.longhaul.server.McpException;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The names and attributes of spans: those of OpenTelemetry's conventions for MCP and generative AI, where these define
 * one.
 */
final class SpanAttributes {
    static final String CALL = "tools/call";
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("mcp.method.name");
    static final AttributeKey<String> RESOURCE = AttributeKey.stringKey("mcp.resource.uri");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    static final AttributeKey<String> PROMPT = AttributeKey.stringKey("gen_ai.prompt.name");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("longhaul.task.attempt");
    static final AttributeKey<String> STEP = AttributeKey.stringKey("longhaul.step.name");
    static final AttributeKey<Long> QUESTIONS = AttributeKey.longKey("longhaul.questions");
    static final String EXECUTE_TOOL = "execute_tool";

    /** "this attribute SHOULD be set to `tool_error`" for a result with {@code isError}. */
    static final String TOOL_ERROR = "tool_error";

    private SpanAttributes() {}

    /** Sets the attributes of a span for a call of a tool. */
    static SpanBuilder ofTool(SpanBuilder span, String tool) {
        return span.setAttribute(METHOD, CALL)
                .setAttribute(OPERATION, EXECUTE_TOOL)
                .setAttribute(TOOL, tool);
    }

    /**
     * The context of a caller's trace, in the formats of the protocol, whatever propagators the program uses elsewhere.
     */
    static Context parent(Trace trace) {
        var traced = W3CTraceContextPropagator.getInstance().extract(Context.root(), trace, MEMBERS);
        return W3CBaggagePropagator.getInstance().extract(traced, trace, MEMBERS);
    }

    private static final TextMapGetter<Trace> MEMBERS = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Trace trace) {
            return List.of("traceparent", "tracestate", "baggage");
        }

        @Override
        public @Nullable String get(@Nullable Trace trace, String key) {
            return trace == null
                    ? null
                    : switch (key) {
                        case "traceparent" -> trace.parent();
                        case "tracestate" -> trace.state();
                        case "baggage" -> trace.baggage();
                        default -> null;
                    };
        }
    };

    /**
     * Marks a span as failed: by the code and message of a JSON-RPC error, which the caller gets too, or by the class
     * of another exception. The end of a suspended attempt is no failure.
     */
    static void failed(Span span, Throwable failure) {
        if (failure instanceof SuspendedException) {
            return;
        }
        if (failure instanceof McpException told) {
            failed(span, String.valueOf(told.code()), Optional.ofNullable(told.getMessage()));
        } else {
            failed(span, failure.getClass().getName(), Optional.empty());
        }
    }

    static void failed(Span span, String type, Optional<String> description) {
        span.setAttribute(ERROR, type);
        description.ifPresentOrElse(
                text -> span.setStatus(StatusCode.ERROR, text), () -> span.setStatus(StatusCode.ERROR));
    }
}
