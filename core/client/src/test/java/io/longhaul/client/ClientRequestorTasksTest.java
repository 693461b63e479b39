// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.answeringAda;
import static io.longhaul.client.Scripts.cancelledReport;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tasks of SEP-1686: those that a client asks for, and those that it is asked for. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class ClientRequestorTasksTest {

    private static final String HELLO = """
            -> initialize {"protocolVersion":"2025-06-18","capabilities":{"tasks":{"requests":{}}}}
            <h Mcp-Session-Id: one
            <- {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}
            -> notifications/initialized
            <= 202
            ->* tools/list
            <- {"tools":[{"name":"report","inputSchema":{"type":"object"}}]}
            ->* DELETE {"Mcp-Session-Id":"one"}
            ->* notifications/tasks/created
            <= 202
            ->* GET
            <= 405
            """;
    private static final String RELATED = "\"modelcontextprotocol.io/related-task\":{\"taskId\":\"%s\"}";
    private static final String MINE = "\"_meta\":{" + RELATED.formatted("key-1") + "}";
    private static final String CREATED = "<~ {\"method\":\"notifications/tasks/created\",\"params\":{" + MINE + "}}";
    private static final String CALL = """
            -> tools/call {"name":"report","_meta":{"modelcontextprotocol.io/task":{"taskId":"key-1"}}}
            """;
    private static final CallOptions KEYED = CallOptions.DEFAULT.withCreationKey("key-1");

    /** A question that is told as a task, and its answer. */
    private static final String ANSWERED = String.join("\n", CALL, question("q1", "a", "Who?"), answer("q1", "a"));

    /** A call that is given up while its task is at work, up to the look that follows. */
    private static final String GIVEN_UP = String.join(
            "\n",
            CALL,
            CREATED,
            "<.",
            "-> tasks/get",
            "<- " + task("working"),
            "-> notifications/cancelled {\"requestId\":3}",
            "<= 202",
            "-> tasks/get",
            ".. {\"method\":\"notifications/cancelled\"}");

    private final TestTime time = new TestTime();
    private final AtomicInteger asked = new AtomicInteger();

    private static String script(String... parts) {
        return HELLO + String.join("\n", parts);
    }

    private static String task(String status) {
        return "{\"taskId\":\"key-1\",\"status\":\"" + status + "\",\"keepAlive\":60000,\"pollFrequency\":7000," + MINE
                + "}";
    }

    private CallOutcome play(String script) throws Exception {
        var transcript = new Transcript(script);
        var ada = answeringAda(asked);
        try (var client = Scripts.over(transcript, time)
                .answers(ada)
                .generation(Generation.SEP_1686)
                .connect()) {
            return client.call("report", NO_ARGUMENTS, KEYED).await();
        }
    }

    static Stream<String> seenByTheNextProcess() {
        return Stream.of(
                String.join(
                        "\n",
                        "-> tasks/get {\"taskId\":\"key-1\"}",
                        "<- " + task("working"),
                        "-> tasks/get",
                        "<- " + task("completed"),
                        "-> tasks/result",
                        "<- {\"content\":[]}"),
                String.join(
                        "\n",
                        "-> tasks/get {\"taskId\":\"key-1\"}",
                        "<! -32602 Unknown",
                        CALL + "<- {\"content\":[]}"));
    }

    @ParameterizedTest
    @MethodSource("seenByTheNextProcess")
    void a_call_of_an_earlier_process_is_found_by_its_id_and_made_again_where_there_is_no_such_task(String next)
            throws Exception {
        var kept = new HandlesInMemory();
        var first = new Transcript(script(CALL, "<."));
        try (var client = keeping(first, kept)) {
            client.call("report", NO_ARGUMENTS, KEYED);
            first.await(JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
        }
        try (var client = keeping(new Transcript(script(next)), kept)) {
            assertThat(client.resumeAll().getFirst().await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    private McpClient keeping(Transcript transcript, HandleStore store) {
        return Scripts.over(transcript, time)
                .generation(Generation.SEP_1686)
                .handles(store)
                .connect();
    }

    @Test
    void a_server_that_knows_no_tasks_answers_the_call_as_it_is() throws Exception {
        assertThat(play(script(CALL, "<- {\"content\":[]}"))).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void a_task_is_polled_as_often_as_the_server_wants_and_its_result_asked_for_in_the_end() throws Exception {
        var outcome = play(script(
                CALL,
                CREATED,
                "<.",
                ("-> tasks/get {\"taskId\":\"key-1\"," + MINE + "}\n<- " + task("working") + "\n").repeat(4),
                "-> tasks/get {\"taskId\":\"key-1\"}",
                "<- " + task("completed"),
                "-> tasks/result {\"taskId\":\"key-1\"," + MINE + "}",
                "<- {\"content\":[]," + MINE + "}"));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CallOutcome.ToolResult.class,
                        given -> assertThat(given.result().toString()).isEqualTo("{\"content\":[]}"));
        assertThat(time.pauses()).extracting(Duration::toMillis).containsExactly(1050L, 7350L, 7350L, 7350L, 7350L);
    }

    @Test
    void the_answer_of_the_call_is_taken_where_it_comes_before_the_result_of_the_task() throws Exception {
        var outcome = play(script(CALL, CREATED, "<- {\"content\":[]}", "->* tasks/get", "<- " + task("working")));
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
    }

    static Stream<String> withoutAnEnd() {
        return Stream.of(
                "<! -32602 Unknown",
                "<! -32601 Unknown",
                "<- {}",
                "<- 7",
                "<- " + task("queued"),
                "<- " + task("completed") + "\n->* tasks/result\n<! -32602 NotCompleted",
                "<- " + task("completed") + "\n->* tasks/result\n<- 7");
    }

    @ParameterizedTest
    @MethodSource("withoutAnEnd")
    void a_look_that_fails_does_not_end_a_call_whose_request_is_open(String look) throws Exception {
        var outcome = play(script(
                CALL,
                CREATED,
                ".. {\"method\":\"tasks/get\",\"id\":12}",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"late\"}]}",
                "->* tasks/get",
                look));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CallOutcome.ToolResult.class,
                        result -> assertThat(result.result().toString()).contains("late"));
    }

    @Test
    void the_error_of_a_call_whose_looks_fail_is_its_end() throws Exception {
        var outcome = play(script(
                CALL,
                CREATED,
                ".. {\"method\":\"tasks/get\",\"id\":12}",
                "<! -32000 OutOfPaper",
                "->* tasks/get",
                "<! -32602 Unknown"));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CallOutcome.ProtocolError.class,
                        error -> assertThat(error.error().code()).isEqualTo(-32000));
    }

    @Test
    void a_result_that_is_not_there_yet_is_requested_again_where_the_request_is_lost() throws Exception {
        var outcome = play(script(
                CALL,
                CREATED,
                "<x",
                // Once more while the loss of the request is not noticed.
                "->* tasks/get",
                "<- " + task("completed"),
                "-> tasks/result",
                "<! -32602 NotCompleted",
                "-> tasks/result",
                "<- {\"content\":[]}"));
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void a_task_whose_state_cannot_be_known_has_failed() throws Exception {
        var outcome = play(script(CALL, CREATED, "<.", "-> tasks/get", "<- " + task("unknown")));
        assertThat(outcome).isInstanceOf(CallOutcome.ProtocolError.class);
    }

    @Test
    void a_call_that_is_cancelled_is_given_up_by_its_request_and_polled_until_the_server_has_cancelled_it()
            throws Exception {
        var transcript = new Transcript(script(GIVEN_UP, "<- " + task("cancelled")));
        var builder = Scripts.over(transcript, time).generation(Generation.SEP_1686);
        assertThat(cancelledReport(builder, KEYED)).isInstanceOf(CallOutcome.Cancelled.class);
    }

    @Test
    void a_task_that_is_gone_after_its_call_was_given_up_was_cancelled() throws Exception {
        var transcript = new Transcript(script(GIVEN_UP, "<! -32602 Unknown"));
        var builder = Scripts.over(transcript, time).generation(Generation.SEP_1686);
        assertThat(cancelledReport(builder, KEYED)).isInstanceOf(CallOutcome.Cancelled.class);
    }

    @Test
    void tasks_are_listed_page_by_page_and_deleted_with_what_they_gave() {
        var transcript =
                new Transcript(script("""
                -> tasks/list
                <- {"tasks":[{"taskId":"key-1","status":"completed","keepAlive":null}],"nextCursor":"more"}
                -> tasks/list {"cursor":"more"}
                <- {"tasks":[{"taskId":"key-2","status":"submitted","keepAlive":60000,"pollFrequency":5000}]}
                """, "-> tasks/delete {\"taskId\":\"key-1\"," + MINE + "}", "<- {" + MINE + "}"));
        try (var client =
                Scripts.over(transcript, time).generation(Generation.SEP_1686).connect()) {
            assertThat(client.tasks().list())
                    .extracting(task -> task.status().state())
                    .containsExactly(State.COMPLETED, State.SUBMITTED);
            client.tasks().delete("key-1");
        }
    }

    @Test
    void a_client_declares_tasks_of_the_questions_that_it_can_answer_and_of_no_other() {
        for (var answers : List.of(
                QuestionHandler.NONE.forms(form -> new Reply.Declined()),
                QuestionHandler.NONE.sampling(params -> params).roots(List::of))) {
            var transcript = new Transcript(HELLO);
            try (var client = Scripts.over(transcript, time)
                    .answers(answers)
                    .generation(Generation.SEP_1686)
                    .connect()) {
                assertThat(client.server().name()).isEqualTo("script");
            }
            var declared = transcript.received().getFirst().path("params").path("capabilities");
            var tasks = declared.path("tasks").path("requests");
            assertThat(tasks.has("elicitation")).isEqualTo(declared.has("elicitation"));
            assertThat(tasks.has("sampling")).isEqualTo(declared.has("sampling"));
            assertThat(tasks.has("roots")).isFalse();
            assertThat(tasks.size()).isEqualTo(1);
        }
    }

    @Test
    void folders_and_questions_without_the_metadata_are_answered_and_no_task_is_told_of() throws Exception {
        var transcript = new Transcript(script(
                CALL,
                "<~ {\"id\":\"q1\",\"method\":\"roots/list\",\"params\":{\"_meta\":"
                        + "{\"modelcontextprotocol.io/task\":{\"taskId\":\"a\"}}}}",
                ".. {\"id\":\"q1\",\"result\":{\"roots\":[]}}",
                "<~ {\"id\":\"q2\",\"method\":\"elicitation/create\",\"params\":"
                        + "{\"message\":\"Who?\",\"requestedSchema\":{}}}",
                ".. {\"id\":\"q2\",\"result\":{\"action\":\"decline\"}}",
                "<- {\"content\":[]}"));
        var answers = QuestionHandler.NONE.forms(form -> new Reply.Declined()).roots(List::of);
        try (var client = Scripts.over(transcript, time)
                .answers(answers)
                .generation(Generation.SEP_1686)
                .connect()) {
            assertThat(client.call("report", NO_ARGUMENTS, KEYED).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(transcript.count("{\"method\":\"notifications/tasks/created\"}"))
                .isZero();
        assertThat(transcript.received())
                .noneMatch(message -> message.path("result").has("_meta"));
    }

    private void assertAskedOnce(String... conversation) throws Exception {
        play(script(conversation));
        assertThat(asked).hasValue(1);
    }

    @Test
    void a_question_that_shall_be_a_task_is_told_as_one_and_answered_in_the_end() throws Exception {
        assertAskedOnce(ANSWERED, "<- {\"content\":[]}");
    }

    @Test
    void the_same_question_under_the_same_id_is_answered_again_and_asked_once() throws Exception {
        assertAskedOnce(ANSWERED, question("q2", "a", "Who?"), answer("q2", "a"), "<- {\"content\":[]}");
    }

    @Test
    void another_question_under_an_id_that_was_used_is_refused() throws Exception {
        assertAskedOnce(
                ANSWERED,
                question("q2", "a", "Who else?"),
                ".. {\"id\":\"q2\",\"error\":{\"code\":-32602,\"message\":\"Task ID already exists: a\"}}",
                "<- {\"content\":[]}");
    }

    @Test
    void the_server_looks_at_a_question_fetches_its_answer_lists_and_deletes_it() throws Exception {
        play(script(
                ANSWERED,
                verb("g1", "tasks/get", "a"),
                ".. {\"id\":\"g1\",\"result\":{\"taskId\":\"a\",\"status\":\"completed\",\"keepAlive\":60000}}",
                verb("g2", "tasks/result", "a"),
                ".. {\"id\":\"g2\",\"result\":{\"action\":\"accept\",\"content\":{\"who\":\"Ada\"}}}",
                "<~ {\"id\":\"g3\",\"method\":\"tasks/list\",\"params\":{}}",
                ".. {\"id\":\"g3\",\"result\":{\"tasks\":["
                        + "{\"taskId\":\"a\",\"status\":\"completed\",\"keepAlive\":60000}]}}",
                verb("g4", "tasks/delete", "a"),
                ".. {\"id\":\"g4\",\"result\":{}}",
                verb("g5", "tasks/result", "a"),
                ".. {\"id\":\"g5\",\"error\":{\"code\":-32602}}",
                "<- {\"content\":[]}"));
    }

    @Test
    void a_wish_for_a_task_that_makes_no_sense_is_refused() throws Exception {
        play(script(
                CALL,
                "<~ {\"id\":\"q1\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\","
                        + "\"requestedSchema\":{},\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":7}}}}",
                ".. {\"id\":\"q1\",\"error\":{\"code\":-32602}}",
                "<- {\"content\":[]}"));
        assertThat(asked).hasValue(0);
    }

    private static String question(String request, String task, String message) {
        return "<~ {\"id\":\"" + request + "\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"" + message
                + "\",\"requestedSchema\":{},\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":\"" + task
                + "\",\"keepAlive\":60000}," + RELATED.formatted("key-1") + "}}}";
    }

    private static String answer(String request, String task) {
        return ".. {\"id\":\"" + request + "\",\"result\":{\"action\":\"accept\",\"content\":{\"who\":\"Ada\"},"
                + "\"_meta\":{" + RELATED.formatted(task) + "}}}";
    }

    private static String verb(String request, String method, String task) {
        return "<~ {\"id\":\"" + request + "\",\"method\":\"" + method + "\",\"params\":{\"taskId\":\"" + task + "\"}}";
    }
}
