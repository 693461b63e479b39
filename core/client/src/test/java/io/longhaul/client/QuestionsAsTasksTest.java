// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.CALLED;
import static io.longhaul.client.Scripts.HANDSHAKE;
import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.answeringAda;
import static io.longhaul.client.Scripts.report;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task2025;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Questions of a server of 2025-11-25 that this client runs as tasks. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class QuestionsAsTasksTest {

    private static final String RELATED = "\"io.modelcontextprotocol/related-task\":{\"taskId\":\"%s\"}";
    private static final String ANSWER = "\"action\":\"accept\",\"content\":{\"who\":\"Ada\"}";
    private static final String TOLD = "->* notifications/tasks/status\n<= 202";
    private static final String WAITED =
            String.join("\n", CALLED, "->* tasks/get\n<- " + task2025("working"), TOLD, "-> tasks/result");

    /** The task that the server had made of the call wants an answer. Each look at it lets time pass. */
    private static final String ASKED = """
            <~ {"id":5,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{},\
            "task":{"ttl":172800000},"_meta":{%s}}}
            .. {"id":5,"result":{"task":{"taskId":"id-1","status":"working","ttl":172800000}}}
            .. {"method":"notifications/tasks/status","params":{"taskId":"id-1","status":"completed"}}
            """.formatted(RELATED.formatted("t1"));

    private static final String DONE = "<- {\"content\":[]}";

    private final TestTime time = new TestTime();
    private final AtomicInteger asked = new AtomicInteger();

    private void play(QuestionHandler handler, String... script) throws Exception {
        assertThat(report(Scripts.over(script(script), time).answers(handler)))
                .isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void a_client_declares_tasks_of_the_questions_that_it_can_answer_and_of_no_other() {
        for (var handler : List.of(
                QuestionHandler.NONE.forms(form -> new Reply.Declined()),
                QuestionHandler.NONE.sampling(params -> params).roots(List::of))) {
            var script = script(HANDSHAKE);
            try (var client = Scripts.over(script, time).answers(handler).connect()) {
                assertThat(client.server().name()).isEqualTo("script");
            }
            var declared = script.received().stream()
                    .filter(message -> message.path("method").asString("").equals("initialize"))
                    .toList()
                    .getFirst()
                    .path("params")
                    .path("capabilities");
            var tasks = declared.path("tasks");
            assertThat(tasks.propertyNames()).containsExactly("list", "cancel", "requests");
            assertThat(tasks.path("requests").path("elicitation").has("create")).isEqualTo(declared.has("elicitation"));
            assertThat(tasks.path("requests").path("sampling").has("createMessage"))
                    .isEqualTo(declared.has("sampling"));
            assertThat(tasks.path("requests").size()).isEqualTo(1);
        }
    }

    @Test
    void a_question_that_shall_be_a_task_is_answered_with_one_and_its_answer_fetched_later() throws Exception {
        play(
                answeringAda(asked),
                WAITED,
                ASKED,
                "<~ {\"id\":6,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"id-1\"}}",
                ".. {\"id\":6,\"result\":{\"taskId\":\"id-1\",\"status\":\"completed\"}}",
                "<~ {\"id\":7,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"id-1\"}}",
                ".. {\"id\":7,\"result\":{" + ANSWER + ",\"_meta\":{" + RELATED.formatted("id-1") + "}}}",
                "<~ {\"id\":8,\"method\":\"tasks/list\",\"params\":{}}",
                ".. {\"id\":8,\"result\":{}}",
                DONE);
        assertThat(asked).hasValue(1);
    }

    @Test
    void the_same_question_after_a_lost_connection_is_the_same_task_and_asked_once() throws Exception {
        var again = ASKED.lines().limit(1).toList().getFirst();
        play(
                answeringAda(asked),
                WAITED,
                ASKED,
                "<x",
                "-> tasks/result",
                again,
                ".. {\"id\":5,\"result\":{\"task\":{\"taskId\":\"id-1\",\"status\":\"completed\"}}}",
                DONE);
        assertThat(asked).hasValue(1);
    }

    @Test
    void a_wish_for_a_task_is_ignored_where_the_client_declared_none_for_that_question() throws Exception {
        play(
                QuestionHandler.NONE.forms(form -> new Reply.Declined()).roots(List::of),
                WAITED,
                "<~ {\"id\":5,\"method\":\"roots/list\",\"params\":{\"task\":{}}}",
                ".. {\"id\":5,\"result\":{\"roots\":[]}}",
                "<~ {\"id\":6,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"task\":{}}}",
                ".. {\"id\":6,\"error\":{\"code\":-32601}}",
                DONE);
    }

    @Test
    void a_question_without_a_wish_for_a_task_is_answered_as_it_is() throws Exception {
        play(
                answeringAda(asked),
                WAITED,
                "<~ {\"id\":5,\"method\":\"elicitation/create\",\"params\":"
                        + "{\"message\":\"Who?\",\"requestedSchema\":{}}}",
                ".. {\"id\":5,\"result\":{" + ANSWER + "}}",
                DONE);
    }

    @Test
    void a_wish_that_makes_no_sense_is_refused() throws Exception {
        play(
                answeringAda(asked),
                WAITED,
                "<~ {\"id\":5,\"method\":\"elicitation/create\",\"params\":"
                        + "{\"message\":\"Who?\",\"requestedSchema\":{},\"task\":{\"ttl\":-1}}}",
                ".. {\"id\":5,\"error\":{\"code\":-32602}}",
                DONE);
        assertThat(asked).hasValue(0);
    }

    /** A person who does not answer until nobody wants to know any more. */
    private static QuestionHandler thinking() {
        return QuestionHandler.NONE.forms(form -> {
            LockSupport.park();
            return new Reply.Declined();
        });
    }

    @Test
    void the_task_of_a_question_goes_on_when_its_call_is_left_to_others() throws Exception {
        var script = script(
                CALLED,
                "->* tasks/get\n<- " + task2025("working"),
                "-> tasks/result\n<.\n->* notifications/cancelled\n<= 202\n-> GET",
                ASKED.lines().limit(2).reduce("", (all, line) -> all + line + "\n"),
                ".. {\"go\":true}",
                "<~ {\"id\":6,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"id-1\"}}",
                ".. {\"id\":6,\"result\":{\"taskId\":\"id-1\",\"status\":\"working\"}}",
                "<.");
        try (var client = Scripts.over(script, time).answers(thinking()).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            script.await(JsonTree.read(Json.raw("{\"method\":\"tasks/result\"}")));
            script.await(JsonTree.read(Json.raw("{\"id\":5,\"result\":{}}")));
            call.detach();
            call.await();
            script.go();
            script.await(JsonTree.read(Json.raw("{\"id\":6,\"result\":{\"status\":\"working\"}}")));
        }
    }

    @Test
    void a_task_of_a_question_is_cancelled_by_its_id() throws Exception {
        play(
                thinking(),
                WAITED,
                ASKED.lines().limit(2).reduce("", (all, line) -> all + line + "\n"),
                "<~ {\"id\":6,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"id-1\"}}",
                ".. {\"id\":6,\"result\":{\"taskId\":\"id-1\",\"status\":\"cancelled\"}}",
                DONE);
    }
}
