// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import static io.longhaul.receiver.question.AskingTest.answered;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.receiver.Rounds;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Quick handlers of 2026-07-28 that are run again, with what was answered before. */
class RerunTest {

    private static final String CALL = Served.call("asks", "{}");

    private final AtomicInteger runs = new AtomicInteger();
    private final Tool asks = Tool.define("asks").description("Asks twice").handler((none, task) -> {
        runs.incrementAndGet();
        var said = task.sample(new CreateMessageRequest("Where?", 10)).text();
        return said + " " + task.listRoots().getFirst().uri();
    });

    @AutoClose
    private final Served served = Served.with(asks);

    @Test
    void a_handler_that_waits_in_memory_runs_once() {
        assertThat(text(answerAll(served, ask(served)))).isEqualTo("Paris file:///work");
        assertThat(runs).hasValue(1);
    }

    @Test
    void after_a_restart_it_runs_again_and_asks_only_what_was_not_answered() {
        var second = again(served, ask(served));
        served.restart();
        assertThat(text(again(served, second))).isEqualTo("Paris file:///work");
        assertThat(runs).hasValue(2);
    }

    @Test
    void where_none_may_wait_it_runs_once_for_every_round() {
        try (var served = Served.with(server -> server.rounds(new Rounds(Rounds.DEFAULT.keyRotation(), 0)), asks)) {
            assertThat(text(answerAll(served, ask(served)))).isEqualTo("Paris file:///work");
            assertThat(runs).hasValue(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void a_handler_that_may_not_wait_is_interrupted(int waiting) throws Exception {
        var interrupted = new CountDownLatch(1);
        var waits = Tool.define("asks").description("Asks").handler((none, task) -> {
            try {
                return task.sample(new CreateMessageRequest("Where?", 10)).text();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        var rounds = new Rounds(Rounds.DEFAULT.keyRotation(), waiting);
        try (var served = Served.with(server -> server.rounds(rounds), waits)) {
            for (var call = 0; call <= waiting; call++) {
                ask(served);
            }
            assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void the_same_answers_twice_are_the_same_result() {
        var second = again(served, ask(served));
        assertThat(text(again(served, second))).isEqualTo("Paris file:///work");
        assertThat(runs).as("the handler that waited goes on").hasValue(1);
        assertThat(text(again(served, second))).isEqualTo("Paris file:///work");
        assertThat(runs)
                .as("and not twice: another run is given the same answers")
                .hasValue(2);
    }

    @Test
    void a_handler_waits_ten_minutes_in_memory_and_can_be_run_again_for_a_day() {
        var time = new FakeTime();
        try (var served = Served.with(time, asks)) {
            var inTime = again(served, ask(served));
            time.advance(Duration.ofMinutes(10).minusMillis(1));
            assertThat(text(again(served, inTime))).isEqualTo("Paris file:///work");
            assertThat(runs).as("it waited").hasValue(1);
            var later = again(served, ask(served));
            assertThat(runs).hasValue(2);
            time.advance(Duration.ofDays(1).minusMillis(1));
            assertThat(text(again(served, later))).isEqualTo("Paris file:///work");
            assertThat(runs).as("it waited no longer, and was run again").hasValue(3);
            var justTooLate = again(served, ask(served));
            assertThat(runs).hasValue(4);
            time.advance(Duration.ofMinutes(10));
            assertThat(text(again(served, justTooLate))).isEqualTo("Paris file:///work");
            assertThat(runs).as("ten minutes were its longest wait").hasValue(5);
            var tooLate = ask(served);
            time.advance(Duration.ofDays(1));
            var refused = served.stateless(Served.ELICITS).ask("tools/call", answered(CALL, tooLate));
            assertThat(refused.path("error").path("code").asInt()).isEqualTo(-32602);
        }
    }

    @Test
    void an_answer_is_never_taken_for_that_to_another_question() {
        var wording = new AtomicInteger();
        var changes = Tool.define("asks")
                .description("Asks something else")
                .handler((none, task) -> task.sample(new CreateMessageRequest("Version " + wording.get(), 10))
                        .text());
        try (var served = Served.with(server -> server.rounds(new Rounds(Rounds.DEFAULT.keyRotation(), 0)), changes)) {
            var first = ask(served);
            wording.incrementAndGet();
            var asked = again(served, first);
            assertThat(asked.path("resultType").asString()).isEqualTo("input_required");
            assertThat(asked.path("inputRequests").toString()).contains("Version 1");
        }
    }

    @Test
    void a_bad_answer_is_refused_in_a_rerun_too() {
        try (var served = Served.with(server -> server.rounds(new Rounds(Rounds.DEFAULT.keyRotation(), 0)), asks)) {
            String good = answered(CALL, ask(served));
            var client = served.stateless(Served.ELICITS);
            var error = client.ask("tools/call", good.replace("\"model\"", "\"mode\""))
                    .path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32602);
            assertThat(error.path("message").asString()).contains("inputResponses.");
        }
    }

    @Test
    void answers_may_come_with_the_first_call_by_the_keys_of_the_questions() {
        var greets = Tool.define("asks").description("Asks who").handler((none, task) -> {
            var who = task.elicit(ElicitRequest.of("who", "Who?", Tools.Name.class));
            var whom = task.elicit(ElicitRequest.of("whom", "Whom?", Tools.Name.class));
            return who.content().path("name").asString() + " and "
                    + whom.content().path("name").asString();
        });
        String ada = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
        try (var served = Served.with(greets)) {
            var client = served.stateless(Served.ELICITS);
            var both = "\"inputResponses\":{\"who\":" + ada + ",\"whom\":" + ada + ",\"other\":\"x\"}";
            var done = client.ask("tools/call", Served.and(CALL, both)).path("result");
            assertThat(text(done)).isEqualTo("Ada and Ada");
            var one = client.ask("tools/call", Served.and(CALL, "\"inputResponses\":{\"who\":" + ada + "}"));
            assertThat(one.path("result").path("inputRequests").propertyNames()).containsExactly("whom");
            var bad = client.ask("tools/call", Served.and(CALL, "\"inputResponses\":{\"who\":7}"));
            assertThat(bad.path("error").path("message").asString()).isEqualTo("inputResponses.who: must be an object");
        }
    }

    @Test
    void nobody_else_can_go_on_with_it() {
        String mine = answered(CALL, ask(served));
        var error = served.stateless(Served.ELICITS, Served.BOB)
                .ask("tools/call", mine)
                .path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32602);
        assertThat(runs).hasValue(1);
    }

    private static JsonNode ask(Served served) {
        return served.stateless(Served.ELICITS).ask("tools/call", CALL).path("result");
    }

    private static JsonNode again(Served served, JsonNode asked) {
        return served.stateless(Served.ELICITS)
                .ask("tools/call", answered(CALL, asked))
                .path("result");
    }

    private static JsonNode answerAll(Served served, JsonNode asked) {
        JsonNode result = asked;
        while (result.path("resultType").asString().equals("input_required")) {
            result = again(served, result);
        }
        return result;
    }
}
