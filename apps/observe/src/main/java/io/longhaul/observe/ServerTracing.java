// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.server.CallInterceptor;
import io.longhaul.server.ServerMonitor;
import io.longhaul.server.TaskContext;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Optional;

/**
 * Creates spans that continue the traces that callers send in {@code _meta}. Give the tracing to
 * {@link io.longhaul.server.McpServerBuilder#monitor(ServerMonitor)} before the server starts. Thread-safe.
 *
 * <p>A call that a handler answers at once is one span, {@code tools/call NAME}. A call that becomes a task has a span
 * of that name for its creation, and a span {@code execute_tool NAME} for each attempt of its work, also after a
 * restart: all of them are children of the caller's span. Steps and the waits for answers are children of the handler's
 * span. The handler finds its span, and the baggage of its caller, in the current context of its thread.
 *
 * <p>No span contains arguments, results, ids of tasks or identities of callers. A span is exported when it ends: an
 * open span of a process that dies is lost, and the next attempt has a span of its own.
 */
public final class ServerTracing implements ServerMonitor {

    private final Tracer tracer;

    /** @param telemetry creates the spans; the caller closes it, after the server */
    public ServerTracing(OpenTelemetry telemetry) {
        tracer = telemetry.getTracer("io.longhaul");
    }

    @Override
    public TaskStore around(TaskStore store) {
        return new TracedStore(store, tracer);
    }

    @Override
    public Optional<CallInterceptor> interceptor() {
        return Optional.of(new Spans());
    }

    private final class Spans implements CallInterceptor {

        @Override
        public void around(HandledCall call, Next next) throws Exception {
            var parent = SpanAttributes.parent(call.context().trace());
            var span = span(call).setParent(parent);
            var ambient = Span.current().getSpanContext();
            if (ambient.isValid()) {
                span.addLink(ambient);
            }
            run(span.startSpan(), parent, next);
        }

        private void run(Span span, Context parent, Next next) throws Exception {
            try (var scope = parent.with(span).makeCurrent()) {
                var ended = next.proceed();
                if (ended == Ended.TOOL_ERROR) {
                    SpanAttributes.failed(span, SpanAttributes.TOOL_ERROR, Optional.empty());
                } else if (ended == Ended.ERROR) {
                    SpanAttributes.failed(span, "_OTHER", Optional.empty());
                }
            } catch (Throwable e) {
                SpanAttributes.failed(span, e);
                throw e;
            } finally {
                span.end();
            }
        }

        private SpanBuilder span(HandledCall call) {
            return switch (call.method()) {
                case SpanAttributes.CALL -> ofTool(call);
                case "prompts/get" ->
                    tracer.spanBuilder("prompts/get " + call.name())
                            .setSpanKind(SpanKind.SERVER)
                            .setAttribute(SpanAttributes.METHOD, call.method())
                            .setAttribute(SpanAttributes.PROMPT, call.name());
                // "SHOULD NOT include it by default to avoid high cardinality span names"
                default ->
                    tracer.spanBuilder(call.method())
                            .setSpanKind(SpanKind.SERVER)
                            .setAttribute(SpanAttributes.METHOD, call.method())
                            .setAttribute(SpanAttributes.RESOURCE, call.name());
            };
        }

        private SpanBuilder ofTool(HandledCall call) {
            if (!(call.context() instanceof TaskContext task)) {
                return SpanAttributes.ofTool(tracer.spanBuilder(SpanAttributes.CALL + " " + call.name()), call.name())
                        .setSpanKind(SpanKind.SERVER);
            }
            return tracer.spanBuilder(SpanAttributes.EXECUTE_TOOL + " " + call.name())
                    .setAttribute(SpanAttributes.OPERATION, SpanAttributes.EXECUTE_TOOL)
                    .setAttribute(SpanAttributes.TOOL, call.name())
                    .setAttribute(SpanAttributes.ATTEMPT, (long) task.attempt());
        }

        @Override
        public <T, X extends Exception> T during(HandledCall call, Part part, Action<T, X> action) throws X {
            var span = part(part).startSpan();
            try (var scope = span.makeCurrent()) {
                return action.run();
            } catch (Throwable e) {
                SpanAttributes.failed(span, e);
                throw e;
            } finally {
                span.end();
            }
        }

        private SpanBuilder part(Part part) {
            return switch (part) {
                case Part.Step step ->
                    tracer.spanBuilder("step " + step.name()).setAttribute(SpanAttributes.STEP, step.name());
                case Part.Questions questions ->
                    tracer.spanBuilder(questions.methods().getFirst())
                            .setSpanKind(SpanKind.CLIENT)
                            .setAttribute(
                                    SpanAttributes.METHOD, questions.methods().getFirst())
                            .setAttribute(SpanAttributes.QUESTIONS, (long)
                                    questions.methods().size());
            };
        }
    }
}
