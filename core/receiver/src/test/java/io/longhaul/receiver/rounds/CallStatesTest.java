// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import static io.longhaul.receiver.ReceiverParts.ANN;
import static io.longhaul.receiver.ReceiverParts.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.GetPrompt;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.ReadResource;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.ReceiverParts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** States that clients carry between the rounds of their calls. */
class CallStatesTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final CarriedState STATE = CarriedState.ofTask("task", 3);
    private static final CallTool CALL = tool("t", "{\"a\":1,\"b\":2}", new TaskWish.None());

    private final ReceiverParts parts = new ReceiverParts();
    private final CallStates states = new CallStates(parts.context);

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void a_state_is_good_for_the_same_caller_and_the_same_call() {
        String state = states.seal(parts.request(ANN), CALL, STATE, HOUR);
        assertThat(states.open(parts.request(ANN), CALL, state)).contains(STATE);
        assertThat(states.open(parts.request(ANN), tool("t", "{\"b\":2, \"a\":1}", new TaskWish.None()), state))
                .contains(STATE);
        assertThat(states.open(parts.request(BOB), CALL, state)).isEmpty();
        assertThat(states.open(parts.request(ANN), tool("t", "{\"a\":1}", new TaskWish.None()), state))
                .isEmpty();
    }

    @Test
    void a_state_is_good_until_its_life_is_over() {
        String state = states.seal(parts.request(ANN), CALL, STATE, HOUR);
        parts.time.advance(HOUR.minusMillis(1));
        assertThat(states.open(parts.request(ANN), CALL, state)).isPresent();
        parts.time.advance(Duration.ofMillis(1));
        assertThat(states.open(parts.request(ANN), CALL, state)).isEmpty();
    }

    @Test
    void a_token_for_the_next_part_is_no_state_of_a_round_and_a_state_is_no_such_token() {
        var request = parts.request(ANN);
        String part = states.sealPart(request, CALL, STATE, HOUR);
        assertThat(states.openPart(request, CALL, part)).contains(STATE);
        assertThat(states.open(request, CALL, part)).isEmpty();
        assertThat(states.openPart(request, CALL, states.seal(request, CALL, STATE, HOUR)))
                .isEmpty();
    }

    @Test
    void a_client_that_is_asked_by_requests_carries_nothing_and_another_one_its_task() {
        var session = ReceiverParts.session("s", ANN);
        var task = parts.task(session);
        var byRequest = parts.request(session, "operations-next", 1);
        assertThat(states.nextRound(byRequest, CALL, task)).isNull();
        var byRound = parts.request(ANN);
        var next = states.nextRound(byRound, CALL, task);
        assertThat(next).isNotNull();
        assertThat(states.open(byRound, CALL, next.get()).map(CarriedState::task))
                .contains(task.id().value());
    }

    @Test
    void a_call_whose_task_asks_is_answered_within_a_day() {
        var request = parts.request(ANN);
        var next = states.nextRound(request, CALL, parts.task(ReceiverParts.session("s", ANN)));
        assertThat(next).isNotNull();
        String state = next.get();
        parts.time.advance(Duration.ofDays(1).minusMillis(1));
        assertThat(states.open(request, CALL, state)).isPresent();
        parts.time.advance(Duration.ofMillis(1));
        assertThat(states.open(request, CALL, state)).isEmpty();
    }

    @Test
    void calls_that_ask_for_something_else_have_other_digests() {
        Stream<String> digests = Stream.of(
                        CALL,
                        tool("u", "{\"a\":1,\"b\":2}", new TaskWish.None()),
                        tool("t", "{\"a\":1}", new TaskWish.None()),
                        tool("t", "{\"a\":1,\"b\":2}", terms(Keep.From.CREATION, HOUR, null)),
                        tool("t", "{\"a\":1,\"b\":2}", terms(Keep.From.CREATION, HOUR.plusMillis(1), null)),
                        new ReadResource("t", CallExtras.NONE, Round.FIRST),
                        new ReadResource("u", CallExtras.NONE, Round.FIRST),
                        new GetPrompt("t", Map.of(), CallExtras.NONE, Round.FIRST),
                        new GetPrompt("t", Map.of("a", "1"), CallExtras.NONE, Round.FIRST))
                .map(CallStates::digest);
        assertThat(digests.toList()).doesNotHaveDuplicates().hasSize(9);
    }

    @Test
    void what_a_caller_says_beside_its_call_is_not_in_the_digest() {
        var round = new Round(Map.of("q", Json.EMPTY_OBJECT), "state");
        var extras = new CallExtras(Json.raw("1"), "key", "debug");
        var again = new CallTool("t", CALL.arguments(), new TaskWish.NextPart("token", true), extras, round);
        for (var call : List.of(
                again,
                CALL.wishing(terms(Keep.From.CREATION, null, new Alias("space", "id"))),
                CALL.wishing(terms(Keep.From.LEAVING, HOUR, null)))) {
            assertThat(CallStates.digest(call)).isEqualTo(CallStates.digest(CALL));
        }
    }

    private static CallTool tool(String name, String arguments, TaskWish wish) {
        return new CallTool(name, Json.raw(arguments), wish, CallExtras.NONE, Round.FIRST);
    }

    private static TaskWish terms(Keep.From from, @Nullable Duration time, @Nullable Alias alias) {
        return new TaskWish.Terms(Created.BY_CALLER, from, time, alias);
    }
}
