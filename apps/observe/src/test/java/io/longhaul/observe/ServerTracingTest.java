// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.McpException;
import io.longhaul.server.McpServer;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolResult;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The spans of a server, as its SDK exports them. */
class ServerTracingTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final String META =
            ",\"_meta\":{\"traceparent\":\"00-" + TRACE + "-" + CALLER + "-01\",\"baggage\":\"user=7\"}";

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exported))
                    .build())
            .build();
    private final CountDownLatch restarted = new CountDownLatch(1);
    private MemoryTaskStore store = new MemoryTaskStore();
    private Caller caller = new Caller();
    private McpServer server = serve();

    record Name(String name) {}

    private McpServer serve() {
        return McpServer.builder("test", "1.0")
                .store(store)
                .monitor(new ServerTracing(telemetry))
                .tool(Tool.define("quick").handler((none, task) -> seen()))
                .tool(Tool.define("slow").longRunning().handler((none, task) -> seen()))
                .tool(Tool.define("asks")
                        .longRunning()
                        .handler((none, task) -> task.step("load", String.class, ServerTracingTest::seen)
                                + task.elicit("Who?", Name.class).accepted()))
                .tool(Tool.define("thinks")
                        .longRunning(task -> task.onCrash(CrashPolicy.RESTART).suspendAfter(Duration.ofMillis(1)))
                        .handler((none, task) -> task.elicit("Who?", Name.class).accepted()))
                .tool(Tool.define("lasts")
                        .longRunning(task -> task.onCrash(CrashPolicy.RESTART))
                        .handler((none, task) -> {
                            if (task.attempt() == 1) {
                                restarted.await();
                            }
                            return "done";
                        }))
                .tool(Tool.define("fails").handler((none, task) -> ToolResult.error("no")))
                .tool(Tool.define("refuses").handler((none, task) -> {
                    throw new McpException(-32050, "No more today");
                }))
                .tool(Tool.define("breaks").handler((none, task) -> {
                    throw new IllegalStateException("a secret");
                }))
                .tool(Tool.define("job").longRunning().backend(run -> new Outcome.Error(-32001, "no such job", null)))
                .prompt(Prompt.define("p").handler((none, call) -> List.of(PromptMessage.user("hi"))))
                .resource(Resource.define("r://r").handler((request, call) -> "text"))
                .serve(caller.transport());
    }

    /** What a handler finds in its context. */
    private static String seen() {
        return Span.current().getSpanContext().getSpanId() + " for "
                + Baggage.current().getEntryValue("user");
    }

    @AfterEach
    void close() {
        restarted.countDown();
        server.close();
        telemetry.close();
    }

    private SpanData span(String name) {
        return exported.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " in " + exported.getFinishedSpanItems()));
    }

    private void assertIsOfTheCaller(SpanData span) {
        assertThat(span.getTraceId()).isEqualTo(TRACE);
        assertThat(span.getParentSpanId()).isEqualTo(CALLER);
    }

    @Test
    void a_quick_call_is_a_span_of_its_callers_trace_and_the_context_of_its_handler() {
        var text = caller.call("quick", META).at("/result/content/0/text").asString();

        var span = span("tools/call quick");
        assertIsOfTheCaller(span);
        assertThat(span.getKind()).isEqualTo(SpanKind.SERVER);
        assertThat(span.getAttributes().asMap())
                .isEqualTo(Map.of(
                        SpanAttributes.METHOD,
                        "tools/call",
                        SpanAttributes.OPERATION,
                        "execute_tool",
                        SpanAttributes.TOOL,
                        "quick"));
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(text).isEqualTo(span.getSpanId() + " for 7");
    }

    @Test
    void a_task_has_a_span_for_its_creation_and_one_for_its_attempt() {
        var text = caller.result(caller.task("slow", META))
                .at("/result/content/0/text")
                .asString();

        var creation = span("tools/call slow");
        assertIsOfTheCaller(creation);
        assertThat(creation.getKind()).isEqualTo(SpanKind.SERVER);
        var attempt = span("execute_tool slow");
        assertIsOfTheCaller(attempt);
        assertThat(attempt.getKind()).isEqualTo(SpanKind.INTERNAL);
        assertThat(attempt.getAttributes().get(SpanAttributes.ATTEMPT)).isEqualTo(1);
        assertThat(text).isEqualTo(attempt.getSpanId() + " for 7");
    }

    @Test
    @Timeout(60)
    void an_attempt_that_is_suspended_has_not_failed() {
        String task = caller.task("thinks");
        while (exported.getFinishedSpanItems().stream()
                .noneMatch(span -> span.getName().equals("execute_tool thinks"))) {
            Thread.onSpinWait();
        }
        assertThat(span("execute_tool thinks").getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(span("elicitation/create").getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        caller.answering("{\"action\":\"decline\"}");
        assertThat(caller.result(task).at("/result/content/0/text").asString()).isEqualTo("false");
    }

    @Test
    void an_attempt_after_a_restart_is_of_the_callers_trace_too() {
        var task = caller.task("lasts", META);
        server.close();
        restarted.countDown();
        exported.reset();
        store = store.reopen();
        caller = new Caller();
        server = serve();
        caller.result(task);

        var attempt = span("execute_tool lasts");
        assertIsOfTheCaller(attempt);
        assertThat(attempt.getAttributes().get(SpanAttributes.ATTEMPT)).isEqualTo(2);
    }

    @Test
    void steps_and_questions_are_children_of_the_attempt() {
        var task = caller.task("asks", META);
        caller.answering("{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");
        var text = caller.result(task).at("/result/content/0/text").asString();

        var attempt = span("execute_tool asks");
        for (var name : List.of("step load", "elicitation/create")) {
            assertThat(span(name).getTraceId()).isEqualTo(TRACE);
            assertThat(span(name).getParentSpanId()).isEqualTo(attempt.getSpanId());
        }
        assertThat(span("step load").getAttributes().get(SpanAttributes.STEP)).isEqualTo("load");
        assertThat(text).startsWith(span("step load").getSpanId());
        assertThat(span("elicitation/create").getKind()).isEqualTo(SpanKind.CLIENT);
    }

    @ParameterizedTest
    @CsvSource({"fails, tool_error, ''", "refuses, -32050, No more today", "breaks, java.lang.IllegalStateException, ''"
    })
    void a_failure_is_told_by_its_kind_and_never_by_a_text_that_the_caller_is_not_told(
            String tool, String type, String description) {
        caller.call(tool, META);
        var span = span("tools/call " + tool);
        assertThat(span.getAttributes().get(SpanAttributes.ERROR)).isEqualTo(type);
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getStatus().getDescription()).isEqualTo(description);
        assertThat(span.getEvents()).isEmpty();
    }

    @Test
    void an_attempt_of_a_backend_that_ends_with_an_error_has_failed() {
        caller.result(caller.task("job", META));
        assertThat(span("execute_tool job").getAttributes().get(SpanAttributes.ERROR))
                .isEqualTo("_OTHER");
    }

    @Test
    void prompts_and_resources_have_spans_with_their_names() {
        caller.ask("prompts/get", "{\"name\":\"p\"" + META + "}");
        caller.ask("resources/read", "{\"uri\":\"r://r\"" + META + "}");

        assertIsOfTheCaller(span("prompts/get p"));
        assertThat(span("prompts/get p").getAttributes().get(SpanAttributes.PROMPT))
                .isEqualTo("p");
        assertIsOfTheCaller(span("resources/read"));
        assertThat(span("resources/read").getAttributes().get(SpanAttributes.RESOURCE))
                .isEqualTo("r://r");
    }

    @Test
    void a_call_without_a_trace_begins_one() {
        caller.call("quick", "");
        assertThat(span("tools/call quick").getParentSpanContext().isValid()).isFalse();
    }
}
