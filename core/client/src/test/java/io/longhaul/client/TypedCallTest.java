// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.created;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Calls with arguments and results of the host's own types. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class TypedCallTest {

    record ReportRequest(String quarter, Duration patience) {}

    record Report(String title, List<Integer> pages) {}

    private static final String SENT = "{\"quarter\":\"Q3\",\"patience\":\"PT1M\"}";
    private static final String STRUCTURED =
            "{\"content\":[],\"structuredContent\":{\"title\":\"Q3\",\"pages\":[1,2],\"more\":true}}";

    private final TestTime time = new TestTime();

    private McpClient connect(String... parts) {
        return Scripts.over(script(STATELESS, TOOLS, String.join("\n", parts)), time)
                .connect();
    }

    private <T> T result(String result, Class<T> type) throws Exception {
        try (var client = connect("-> tools/call", "<- " + result)) {
            return client.call("report", NO_ARGUMENTS).as(type).await();
        }
    }

    @Test
    void a_record_goes_out_as_arguments_and_the_result_comes_back_as_a_record() throws Exception {
        try (var client = connect("-> tools/call {\"arguments\":" + SENT + "}", "<- " + STRUCTURED)) {
            Report report = client.call("report", new ReportRequest("Q3", Duration.ofMinutes(1)))
                    .as(Report.class)
                    .await();
            assertThat(report).isEqualTo(new Report("Q3", List.of(1, 2)));
        }
    }

    @Test
    void a_map_and_raw_json_are_arguments_too() throws Exception {
        var call = "-> tools/call {\"arguments\":" + SENT + "}\n<- " + STRUCTURED;
        try (var client = connect(call, call)) {
            client.call("report", Map.of("quarter", "Q3", "patience", "PT1M")).await();
            client.call("report", Json.raw(SENT)).await();
        }
    }

    @Test
    void arguments_that_are_no_object_are_refused_before_anything_is_sent() {
        try (var client = Scripts.over(script(STATELESS), time).connect()) {
            assertThatThrownBy(() -> client.call("report", List.of(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use a record or a Map");
            assertThatThrownBy(() -> client.call("report", Json.raw("[1]")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_result_is_read_as_what_the_caller_names() throws Exception {
        assertThat(result(STRUCTURED, Map.class)).containsEntry("title", "Q3");
        assertThat(result(STRUCTURED, Json.class))
                .isEqualTo(Json.raw("{\"title\":\"Q3\",\"pages\":[1,2],\"more\":true}"));
        assertThat(result(STRUCTURED, JsonNode.class).at("/pages/1").intValue()).isEqualTo(2);
        assertThat(result("{\"content\":[],\"structuredContent\":7}", int.class))
                .isEqualTo(7);
    }

    @Test
    void a_result_of_an_older_server_is_read_from_its_text() throws Exception {
        var texts = "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"title\\\":\\\"Q3\\\",\"},"
                + "{\"type\":\"image\"},{\"type\":\"text\",\"text\":\"\\\"pages\\\":[]}\"}]}";
        assertThat(result(texts, Report.class)).isEqualTo(new Report("Q3", List.of()));
        assertThat(result(texts, String.class)).isEqualTo("{\"title\":\"Q3\",\n\"pages\":[]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"content\":[]}", "{\"structuredContent\":[1]}", "{\"structuredContent\":null}"})
    void a_result_that_is_no_such_value_says_so_and_is_not_lost(String result) throws Exception {
        try (var client = connect("-> tools/call", "<- " + result)) {
            var call = client.call("report", NO_ARGUMENTS);
            assertThatThrownBy(() -> call.as(Report.class).await())
                    .hasMessageContaining("cannot be read as Report")
                    .asInstanceOf(type(CallFailedException.class))
                    .extracting(failed -> failed.failure().kind())
                    .isEqualTo(CallOutcome.Kind.UNUSABLE);
            assertThat(call.await()).isEqualTo(new CallOutcome.ToolResult(Json.raw(result)));
        }
    }

    @Test
    void a_program_can_branch_on_how_a_call_failed() throws Exception {
        var failed = "{\"content\":[{\"type\":\"text\",\"text\":\"out of paper\"}],\"isError\":true}";
        try (var client = connect("-> tools/call", "<- " + failed)) {
            var call = client.call("report", NO_ARGUMENTS).as(Report.class);
            assertThatThrownBy(call::await)
                    .hasMessage("out of paper")
                    .asInstanceOf(type(CallFailedException.class))
                    .extracting(CallFailedException::failure)
                    .isEqualTo(new CallOutcome.ToolError(Json.raw(failed)));
            assertThat(call.state()).isEqualTo(State.FAILED);
        }
    }

    @Test
    void a_future_ends_as_the_call_does_and_whoever_cancels_it_does_nothing_to_the_call() throws Exception {
        try (var client = connect("-> tools/call", "<! -32602 Bad")) {
            var call = client.call("report", NO_ARGUMENTS).as(Report.class);
            call.future().cancel(true);
            assertThatThrownBy(() -> call.future().join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(CallFailedException.class)
                    .hasMessage("Bad (-32602)");
        }
    }

    @Test
    void a_wait_that_is_over_leaves_the_call_going_and_it_can_be_waited_for_again() throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n.. {\"go\":true}\n<- " + STRUCTURED);
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS).as(Report.class);
            script.await(JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
            var limit = Duration.ofMinutes(5);
            var ringing = Thread.ofVirtual().start(() -> {
                while (!time.ring(limit)) {
                    Thread.yield();
                }
            });
            assertThatThrownBy(() -> call.await(limit)).isInstanceOf(TimeoutException.class);
            ringing.join();
            assertThat(call.state()).isEqualTo(State.WORKING);
            script.go();
            assertThat(call.await(limit).title()).isEqualTo("Q3");
            assertThat(call.state()).isEqualTo(State.COMPLETED);
        }
    }

    @Test
    void progress_is_told_once_each_time_it_moves() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n.. {\"go\":true}\n<- " + created(),
                "-> tasks/get\n<- " + task("working", progress(1, "begun")),
                "-> tasks/get\n<- " + task("working", progress(1, "begun") + ",\"statusMessage\":\"on it\""),
                "-> tasks/get\n<- " + task("working", progress(2, "half")),
                "-> tasks/get\n<- " + task("completed", ",\"result\":{\"content\":[]}"));
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            var told = new CopyOnWriteArrayList<ProgressView>();
            call.onProgress(told::add);
            script.go();
            call.await();
            assertThat(told).containsExactly(new ProgressView(1, 4.0, "begun"), new ProgressView(2, 4.0, "half"));
        }
    }

    private static String progress(int done, String message) {
        return ",\"_meta\":{\"io.longhaul/progress\":{\"progress\":" + done + ",\"total\":4,\"message\":\"" + message
                + "\"}}";
    }
}
