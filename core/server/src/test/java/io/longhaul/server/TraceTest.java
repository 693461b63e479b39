// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.receiver.Rounds;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler knows the trace that its call belongs to. */
class TraceTest {

    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    private static final String MORE = "-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    private static final String META =
            "\"_meta\":{\"traceparent\":\"" + PARENT + "\",\"tracestate\":\"a=1\",\"baggage\":\"user=7\"}";

    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    @AutoClose
    private final Served served = Served.with(
            server -> server.rounds(new Rounds(Rounds.DEFAULT.keyRotation(), 0))
                    .prompt(Prompt.define("p")
                            .handler((none, call) -> List.of(PromptMessage.user(String.valueOf(call.trace())))))
                    .resource(Resource.define("r://r").handler((request, call) -> String.valueOf(call.trace()))),
            Tool.define("quick").description("Quick").handler((none, task) -> String.valueOf(task.trace())),
            Tool.define("slow")
                    .description("Slow")
                    .longRunning()
                    .handler((none, task) -> String.valueOf(task.trace())));

    @Test
    void every_kind_of_handler_gets_it_in_both_eras() {
        for (String[] call : new String[][] {
            {"tools/call", "{\"name\":\"quick\"," + META + "}"},
            {"tools/call", "{\"name\":\"slow\"," + META + "}"},
            {"prompts/get", "{\"name\":\"p\"," + META + "}"},
            {"resources/read", "{\"uri\":\"r://r\"," + META + "}"}
        }) {
            assertThat(served.handshake("2025-11-25").ask(call[0], call[1]).toString())
                    .as(call[1])
                    .contains(PARENT, "a=1", "user=7");
            assertThat(served.stateless("{}").ask(call[0], call[1]).toString())
                    .as(call[1])
                    .contains(PARENT, "a=1", "user=7");
        }
    }

    @Test
    void a_question_carries_it_to_the_client_and_another_trace_in_the_next_round_changes_nothing() {
        served.server().addTool(Tool.define("asks").handler((none, task) -> {
            var name = task.elicit("Who?", Tools.Name.class).content().name();
            return name + " in "
                    + task.elicit("Where?", Tools.Name.class).content().name();
        }));
        String call = "{\"name\":\"asks\",\"arguments\":{}," + META + "}";
        var session = served.handshake("2025-06-18");
        var reply = session.send("tools/call", call);
        var question = Served.json(reply.nextMessage());
        assertThat(question.at("/params/_meta/traceparent").asString()).isEqualTo(PARENT);
        assertThat(question.at("/params/_meta/baggage").asString()).isEqualTo("user=7");
        session.answer(question, ANSWER);
        session.answer(Served.json(reply.nextMessage()), ANSWER);
        assertThat(reply.response()).contains("Ada in Ada");
        var client = served.stateless(Served.ELICITS);
        var result = client.ask("tools/call", call).path("result");
        for (int round = 0; round < 2; round++) {
            var input = result.path("inputRequests").properties().iterator().next();
            assertThat(input.getValue().at("/params/_meta/tracestate").asString())
                    .isEqualTo("a=1");
            var answers = ",\"inputResponses\":{\"" + input.getKey() + "\":" + ANSWER + "},\"requestState\":"
                    + result.path("requestState") + "}";
            var again = call.replace(PARENT, PARENT.replace('0', '1')).substring(0, call.length() - 1) + answers;
            result = client.ask("tools/call", again).path("result");
        }
        assertThat(result.toString()).contains("Ada in Ada");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"nonsense\"",
                "7",
                "null",
                "\"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7\"",
                "\"" + PARENT + "-more\"",
                "\"cc" + MORE + "more\"",
                "\"ff" + MORE + "\"",
                "\"00-00000000000000000000000000000000-00f067aa0ba902b7-01\"",
                "\"00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01\""
            })
    void a_parent_that_is_not_to_the_letter_is_no_trace(String parent) {
        String call = "{\"name\":\"quick\",\"_meta\":{\"traceparent\":" + parent + ",\"tracestate\":\"a=1\"}}";
        assertThat(served.stateless("{}").ask("tools/call", call).toString()).contains("parent=null");
        assertThat(served.handshake("2025-11-25").ask("tools/call", call).toString())
                .contains("parent=null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cc" + MORE, "cc" + MORE + "-what-the-future-brings"})
    void a_parent_of_a_later_version_is_read_and_handed_on_as_one_of_this_version(String parent) {
        String call = "{\"name\":\"quick\",\"_meta\":{\"traceparent\":\"" + parent + "\"}}";
        assertThat(served.stateless("{}").ask("tools/call", call).toString()).contains("parent=" + PARENT + ",");
    }

    @Test
    void a_call_without_a_trace_has_none() {
        assertThat(served.stateless("{}")
                        .ask("tools/call", Served.call("quick", "{}"))
                        .toString())
                .contains("parent=null");
    }
}
