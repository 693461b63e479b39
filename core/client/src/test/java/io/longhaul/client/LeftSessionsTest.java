// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.HANDSHAKE;
import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.answeringAda;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task2025;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that show a task only in the session that made it, and clients of which each plays a process of its own. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class LeftSessionsTest {

    private static final String FAREWELL = "->* DELETE {\"Mcp-Session-Id\":\"one\"}\n";
    private static final String FIRST = HANDSHAKE.replace(FAREWELL, "") + TOOLS;
    private static final String LATER =
            HANDSHAKE.replace(FAREWELL, FAREWELL.replace("->*", "->")).replace("one", "two");
    private static final String MADE =
            "-> tools/call\n<- {\"task\":" + task2025("working") + "}\n->* tasks/get\n<.\n->* tasks/result\n<.";
    private static final String IN_ONE = "\n-h Mcp-Session-Id: one\n";
    private static final String IN_TWO = "\n-h Mcp-Session-Id: two\n";
    private static final String PONG = "-> ping" + IN_ONE + "<- {}";
    private static final String RESULT = "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";
    private static final TaskReference LEFT = new TaskReference(
            new ServerAddress.Http(URI.create("http://script.test/mcp")),
            Generation.V2025_11_25,
            "t1",
            Optional.of("one"));

    private final TestTime time = new TestTime();
    private final HandlesInMemory kept = new HandlesInMemory();

    private McpClient connect(Transcript script) {
        return Scripts.over(script, time).handles(kept).connect();
    }

    private static String done(String session) {
        return "->* tasks/get" + session + "<- " + task2025("completed") + "\n-> tasks/result" + session + "<- "
                + RESULT;
    }

    private static void assertDone(RemoteCall<CallOutcome> call) throws InterruptedException {
        assertThat(call.await()).isEqualTo(new CallOutcome.ToolResult(Json.raw(RESULT)));
    }

    @Test
    void a_client_that_leaves_a_task_running_does_not_end_its_session_which_the_reference_names() throws Exception {
        try (var client = connect(script(FIRST, MADE))) {
            var call = client.call("report", NO_ARGUMENTS);
            call.reference();
            assertThat(call.detach()).isEqualTo(LEFT);
        }
    }

    @Test
    void a_client_that_is_closed_while_a_task_goes_on_does_not_end_its_session_either() throws Exception {
        try (var client = Scripts.over(script(FIRST, MADE), time).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).reference()).contains(LEFT);
        }
    }

    @Test
    void a_next_process_waits_for_a_server_that_is_being_started_again() throws Exception {
        try (var client = connect(script(FIRST, MADE))) {
            assertThat(client.call("report", NO_ARGUMENTS).reference()).contains(LEFT);
        }
        var away = "-> ping" + IN_ONE + "<= 503";
        try (var client = connect(script(LATER, away, away, PONG, done(IN_ONE)))) {
            assertDone(client.resumeAll().getFirst());
        }
    }

    @Test
    void a_next_process_gives_a_call_up_whose_server_stays_away() throws Exception {
        try (var client = connect(script(FIRST, MADE))) {
            assertThat(client.call("report", NO_ARGUMENTS).reference()).contains(LEFT);
        }
        try (var client = connect(script(LATER, "->* ping" + IN_ONE + "<= 503"))) {
            assertThat(client.resumeAll().getFirst().await()).isInstanceOf(CallOutcome.Lost.class);
        }
    }

    @Test
    void a_client_whose_task_has_ended_ends_its_session() throws Exception {
        var made = MADE.lines().limit(2).collect(joining("\n"));
        try (var client = connect(script(FIRST, FAREWELL.replace("->*", "->"), made, done(IN_ONE)))) {
            assertDone(client.call("report", NO_ARGUMENTS));
        }
    }

    @Test
    void a_later_process_finds_the_task_in_the_session_of_its_reference_and_does_not_end_that_session()
            throws Exception {
        var script = script(LATER, PONG, done(IN_ONE));
        try (var client = connect(script)) {
            var call = client.attach(LEFT);
            assertDone(call);
            assertThat(call.warnings()).isEmpty();
            assertThat(call.reference()).contains(LEFT);
        }
        var ids = script.received().stream()
                .filter(message -> message.path("method").asString("").matches("ping|tasks/.*"))
                .map(message -> message.path("id"));
        assertThat(ids).as("ids that an earlier process cannot have used").allMatch(id -> id.isString());
    }

    @Test
    void the_calls_of_an_earlier_process_go_on_in_its_session() throws Exception {
        try (var client = connect(script(FIRST, MADE))) {
            client.call("report", NO_ARGUMENTS).reference();
        }
        try (var client = connect(script(LATER, PONG, done(IN_ONE)))) {
            assertDone(client.resumeAll().getFirst());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<= 404", "<= 400", "<= 400\n<! -32000 No-valid-session", "<= 404\n<! -32001 Gone"})
    void a_task_whose_session_the_server_has_forgotten_is_looked_for_in_a_new_one(String gone) throws Exception {
        try (var client = connect(script(LATER, "-> ping" + IN_ONE + gone, done(IN_TWO)))) {
            var call = client.attach(LEFT);
            assertDone(call);
            assertThat(call.warnings()).hasSize(1).first().asString().contains("does not know the session any more");
        }
    }

    @Test
    void a_task_that_the_server_shows_in_no_session_is_lost() throws Exception {
        var unknown = "<! -32602 No-such-task";
        var script = script(
                LATER.replace("-> DELETE", "->* DELETE"),
                "-> ping" + IN_ONE + "<= 404",
                "->* tasks/get" + IN_TWO + unknown,
                "->* tasks/result" + IN_TWO + unknown);
        try (var client = connect(script)) {
            assertThat(client.attach(LEFT).await())
                    .isEqualTo(new CallOutcome.Lost(
                            "The server does not tell about the task any more: No-such-task (-32602)"));
        }
    }

    @Test
    void the_verbs_of_tasks_go_through_the_session_of_a_reference() {
        try (var client = connect(script(LATER, PONG, "-> tasks/get" + IN_ONE + "<- " + task2025("working")))) {
            assertThat(client.tasks(LEFT).get("t1").status().state()).isEqualTo(State.WORKING);
        }
    }

    private McpClient drafting(Transcript script) {
        return Scripts.over(script, time)
                .handles(kept)
                .generation(Generation.SEP_1686)
                .connect();
    }

    @Test
    void a_call_that_may_have_reached_the_server_is_looked_for_under_its_own_id_in_its_session() throws Exception {
        var discovery = LATER.lines().limit(2).collect(joining("\n"));
        var drafts = FIRST.replace(discovery, "").replace("2025-11-25", "2025-06-18");
        var unanswered = script(drafts, "-> tools/call\n<.");
        try (var client = drafting(unanswered)) {
            client.call("report", NO_ARGUMENTS, CallOptions.DEFAULT.withCreationKey("k"));
            unanswered.await(JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
        }
        var later = LATER.replace(discovery, "").replace("2025-11-25", "2025-06-18");
        var ended = "->* tasks/get" + IN_ONE + "<- {\"taskId\":\"k\",\"status\":\"completed\",\"keepAlive\":60000}";
        try (var client = drafting(script(later, PONG, ended, "-> tasks/result" + IN_ONE + "<- " + RESULT))) {
            assertDone(client.resumeAll().getFirst());
        }
    }

    @Test
    void the_own_stream_of_a_session_is_asked_for_again_while_the_server_has_not_seen_the_last_one_end()
            throws Exception {
        var question = """
                <~ {"id":"q1","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{},\
                "_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}}
                """;
        var script = script(
                LATER,
                "-> GET {\"Mcp-Session-Id\":\"two\"}\n<= 405",
                PONG,
                "-> GET {\"Mcp-Session-Id\":\"one\"}\n<= 409",
                "-> GET {\"Mcp-Session-Id\":\"one\"}\n" + question + "<.",
                "->* tasks/get" + IN_ONE + "<- " + task2025("completed"),
                "-> tasks/result" + IN_ONE + ".. {\"id\":\"q1\"}\n<- " + RESULT);
        var asked = new AtomicInteger();
        try (var client =
                Scripts.over(script, time).answers(answeringAda(asked)).connect()) {
            assertDone(client.attach(LEFT));
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void the_server_gets_the_answer_of_an_earlier_process_in_the_session_that_it_left() throws Exception {
        kept.put("hosted task mine", Json.raw("""
                {"server":"http://script.test/mcp","generation":"2025-11-25","hosted":{"format":1,"task":"mine",\
                "method":"elicitation/create","params":{"message":"Who?","requestedSchema":{}},"parent":"t1",\
                "request":5,"keep":"CREATION","kept":"PT25H","createdAt":"2026-01-01T00:00:00Z",\
                "updatedAt":"2026-01-01T00:00:00Z","result":{"action":"decline"}}}"""), null);
        var script = script(
                LATER,
                "->* GET\n<= 405",
                PONG,
                "->* tasks/get" + IN_ONE + "<- " + task2025("completed"),
                "-> tasks/result" + IN_ONE
                        + "<~ {\"id\":7,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"mine\"}}",
                ".. {\"id\":7,\"result\":{\"action\":\"decline\"}}",
                "<- " + RESULT);
        var asked = new AtomicInteger();
        try (var client = Scripts.over(script, time)
                .handles(kept)
                .answers(answeringAda(asked))
                .connect()) {
            assertDone(client.attach(LEFT));
            assertThat(asked).hasValue(0);
        }
    }
}
