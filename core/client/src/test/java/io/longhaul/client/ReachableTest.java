// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.HANDSHAKE;
import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.SECOND_SESSION;
import static io.longhaul.client.Scripts.answeringAda;
import static io.longhaul.client.Scripts.report;
import static io.longhaul.client.Scripts.script;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server asks on its own stream, whatever the client is doing, where the client has declared that it answers. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class ReachableTest {

    private static final String PLAIN_TOOL = "-> tools/list\n<- {\"tools\":[{\"name\":\"report\",\"inputSchema\":{}}]}";
    private static final String QUESTION = """
            <~ {"id":"q1","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{}}}
            """;
    private static final String ANSWERED = "\n.. {\"id\":\"q1\",\"result\":{\"content\":{\"who\":\"Ada\"}}}\n";
    private static final String CALL_THAT_ASKS = "-> tools/call" + ANSWERED + "<- {\"content\":[]}";

    private final TestTime time = new TestTime();
    private final AtomicInteger asked = new AtomicInteger();
    private final QuestionHandler ada = answeringAda(asked);

    private void assertAnswered(Transcript script) throws Exception {
        assertThat(report(Scripts.over(script, time).answers(ada))).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(asked).hasValue(1);
    }

    @Test
    void a_call_that_is_no_task_gets_its_question_on_the_servers_own_stream() throws Exception {
        var script = script(HANDSHAKE, PLAIN_TOOL, """
                -> GET {"Mcp-Session-Id":"one"}
                .. {"method":"tools/call"}
                """, QUESTION, "<.", CALL_THAT_ASKS);
        assertAnswered(script);
    }

    @Test
    void a_client_that_makes_no_call_is_asked_too() throws Exception {
        var script = script(HANDSHAKE, "-> GET", QUESTION, "<.");
        try (var client = Scripts.over(script, time).answers(ada).connect()) {
            script.await(JsonTree.read(Json.raw("{\"id\":\"q1\",\"result\":{\"content\":{\"who\":\"Ada\"}}}")));
        }
        assertThat(asked).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"forms", "links", "models", "folders", "nothing"})
    void a_client_listens_for_whatever_it_has_declared_and_not_where_it_has_declared_nothing(String kind)
            throws Exception {
        var answers = switch (kind) {
            case "forms" -> ada;
            case "links" -> QuestionHandler.NONE.links(link -> new Reply.Declined());
            case "models" -> QuestionHandler.NONE.sampling(params -> Json.EMPTY_OBJECT);
            case "folders" -> QuestionHandler.NONE.roots(List::of);
            default -> QuestionHandler.NONE;
        };
        var script = script(HANDSHAKE, PLAIN_TOOL, "-> tools/call\n<- {\"content\":[]}");
        report(Scripts.over(script, time).answers(answers));
        assertThat(script.count("{\"http\":\"GET\"}")).isEqualTo(kind.equals("nothing") ? 0 : 1);
    }

    @Test
    void a_stream_that_breaks_is_resumed_where_it_broke() throws Exception {
        var script = script(HANDSHAKE, PLAIN_TOOL, """
                -> GET
                -- Last-Event-ID
                <# e1
                <~ {"method":"notifications/message","params":{"level":"info","data":"hello"}}
                <x
                -> GET {"Last-Event-ID":"e1","Mcp-Session-Id":"one"}
                """, QUESTION, "<.", CALL_THAT_ASKS);
        assertAnswered(script);
    }

    @Test
    void a_stream_of_a_session_that_the_server_has_forgotten_begins_anew_in_another_one() throws Exception {
        var script = script(
                HANDSHAKE,
                "-> GET\n<x",
                "-> GET\n<= 404",
                SECOND_SESSION,
                "-> GET {\"Mcp-Session-Id\":\"two\"}\n" + "-- Last-Event-ID",
                QUESTION,
                "<.");
        try (var client = Scripts.over(script, time).answers(ada).connect()) {
            script.await(JsonTree.read(Json.raw("{\"id\":\"q1\",\"result\":{\"content\":{\"who\":\"Ada\"}}}")));
        }
    }

    @Test
    void a_session_that_a_call_has_renewed_is_listened_to_although_the_stream_of_the_old_one_is_open()
            throws Exception {
        var script = script(
                HANDSHAKE,
                PLAIN_TOOL,
                "-> GET {\"Mcp-Session-Id\":\"one\"}\n<.",
                "-> tools/call\n<= 404",
                SECOND_SESSION,
                "-> GET {\"Mcp-Session-Id\":\"two\"}",
                QUESTION,
                "<.",
                CALL_THAT_ASKS);
        assertAnswered(script);
    }

    @Test
    void a_server_that_knows_no_such_stream_keeps_its_session() throws Exception {
        var script = script(HANDSHAKE, PLAIN_TOOL, "->* GET\n<= 404", "-> tools/call\n.. {\"go\":true}\n<- {}");
        try (var client = Scripts.over(script, time).answers(ada).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            time.await(pauses -> pauses.size() >= 3);
            script.go();
            call.await();
        }
        assertThat(script.count("{\"method\":\"initialize\"}")).isEqualTo(1);
    }
}
