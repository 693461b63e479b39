// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.RecordedExchange;
import io.longhaul.receiver.node.Nodes;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.plan.Receipt;
import io.longhaul.receiver.plan.Receipt.Event;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.receiver.task.TaskViews;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which tasks the same call means, at each moment at which the result of one may be written. */
class UndeliveredCallsTest {

    private static final CallTool CALL =
            new CallTool("waits", Json.EMPTY_OBJECT, new TaskWish.None(), CallExtras.NONE, Round.FIRST);
    private static final CallResponse OTHER = new CallResponse.ToolResult(Json.raw("{\"content\":[]}"));

    private final ReceiverParts parts = new ReceiverParts();
    private final RowStore rows = parts.context.engine().rows();
    private final UndeliveredCalls undelivered = on(parts.context.engine(), parts.context.nodes());
    private final RecordedExchange exchange = new RecordedExchange(ReceiverParts.ANN);
    private final InboundRequest first = request(exchange);
    private final InboundRequest again = parts.request(ReceiverParts.ANN);
    private final Task task = parts.task(first.session());
    private final AtomicInteger received = new AtomicInteger();

    @AfterEach
    void close() {
        parts.close();
    }

    private InboundRequest request(RecordedExchange over) {
        var session = ReceiverParts.session("alone", ReceiverParts.ANN);
        return parts.request(session, parts.manner("plain-2026-07-28"), 1, over);
    }

    private void begin() {
        undelivered.begin(first, task);
        undelivered.add(first, task);
    }

    /** Answers the first request, with the result of its task or with something else. */
    private boolean respond(boolean isResult) {
        var views = TaskViews.of(parts.context);
        var words = new HandOverTexts(parts.context, new CompanionTools(PlainHosts.DEFAULT));
        var as = new HeldAnswer.As(words, views, false, false, false);
        var hold = new HeldAnswer.Hold(task, Instant.MAX, Duration.ofSeconds(45));
        var outcome = AwaitedAnswer.outcome(parts.context, CALL, "t", null);
        var held = new HeldAnswer(first, as, hold, outcome, undelivered, received::incrementAndGet);
        var given = OTHER;
        if (isResult) {
            parts.context.engine().cancel(first.owner(), task.id(), "ended");
            var ended = parts.context.engine().find(first.owner(), task.id()).orElseThrow();
            given = held.current(ended, false).orElseThrow();
        }
        boolean isAwaited = held.respond(first, CALL, null, given);
        undelivered.leave(first);
        return isAwaited;
    }

    /** The result of the task goes out to the first request. */
    private Receipt gives(UndeliveredCalls by) {
        return by.happens(first, task, Receipt.AWAITED, Event.RESULT);
    }

    private boolean joins(InboundRequest request) {
        return undelivered.join(request, task, null);
    }

    @Test
    void a_task_for_which_a_request_waits_is_joined_by_none() {
        begin();
        assertThat(undelivered.of(again, CALL)).hasSize(1);
        assertThat(joins(again)).isFalse();
    }

    @Test
    void a_task_whose_request_was_given_up_is_joined_by_one_that_comes_again() {
        begin();
        first.live().leave(Left.TIMED_OUT);
        assertThat(joins(again)).isTrue();
        assertThat(joins(parts.request(ReceiverParts.ANN)))
                .as("one waits again")
                .isFalse();
        undelivered.leave(again);
        assertThat(joins(parts.request(ReceiverParts.ANN))).isTrue();
    }

    @Test
    void a_request_that_gave_up_in_silence_does_not_keep_the_same_call_from_joining() {
        begin();
        assertThat(undelivered.join(again, task, first.live())).isTrue();
    }

    @Test
    void a_result_that_is_being_written_is_not_given_to_the_same_call_whatever_its_client_does_then() {
        begin();
        exchange.beforeAnswer = () -> {
            first.live().leave(Left.STOPPED);
            assertThat(joins(again)).isFalse();
        };
        assertThat(respond(true)).isTrue();
        assertThat(joins(again)).isFalse();
        assertThat(undelivered.of(again, CALL)).isEmpty();
        assertThat(received).hasValue(1);
    }

    @Test
    void a_result_is_recorded_as_received_before_it_is_written() {
        begin();
        var afterDeath = on(parts.context.engine(), parts.context.nodes());
        exchange.beforeAnswer =
                () -> assertThat(afterDeath.join(again, task, null)).isFalse();
        assertThat(respond(true)).isTrue();
        assertThat(exchange.answers).hasSize(1);
    }

    @Test
    void a_result_that_could_not_be_written_is_still_to_be_received() {
        begin();
        exchange.leave();
        assertThat(respond(true)).isTrue();
        assertThat(joins(again)).isTrue();
        assertThat(received).hasValue(0);
    }

    @Test
    void a_result_that_was_taken_and_could_not_be_written_later_is_still_to_be_received() {
        begin();
        assertThat(respond(true)).isTrue();
        assertThat(joins(again)).isFalse();
        exchange.lost.run();
        assertThat(joins(again)).isTrue();
    }

    @Test
    void a_result_is_not_written_to_a_request_that_was_given_up_before_and_is_still_to_be_received() {
        begin();
        first.live().leave(Left.TIMED_OUT);
        assertThat(respond(true)).isFalse();
        assertThat(exchange.answers).extracting(WholeResponse::body).containsOnlyNulls();
        assertThat(joins(again)).isTrue();
    }

    @Test
    void a_task_that_is_handed_over_is_joined_while_that_is_being_written_and_later() {
        begin();
        exchange.beforeAnswer = () -> assertThat(joins(again)).isTrue();
        assertThat(respond(false)).isTrue();
        undelivered.leave(again);
        assertThat(joins(again)).isTrue();
    }

    @Test
    void a_result_that_was_received_and_is_asked_for_again_in_vain_is_not_given_to_the_same_call() {
        begin();
        respond(true);
        var receipt = gives(undelivered);
        assertThat(receipt).isEqualTo(Receipt.RECEIVED);
        undelivered.happens(first, task, receipt, Event.NOT_WRITTEN);
        assertThat(joins(again)).isFalse();
    }

    @Test
    void the_answer_to_a_call_of_a_task_that_has_ended_does_not_bring_its_result_back() {
        begin();
        respond(true);
        var ended = parts.context.engine().find(first.owner(), task.id()).orElseThrow();
        undelivered.begin(first, ended);
        undelivered.add(first, ended);
        undelivered.leave(first);
        assertThat(undelivered.join(again, ended, null)).isFalse();
    }

    /** Rows that the store does not remove. */
    private RowStore unremoved() {
        return (RowStore) Proxy.newProxyInstance(
                RowStore.class.getClassLoader(), new Class<?>[] {RowStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("remove")) {
                        throw new StoreException("full");
                    }
                    return method.invoke(rows, arguments);
                });
    }

    @Test
    void a_result_goes_out_once_though_the_store_fails() {
        var failing = on(parts.with(Map.of("rows", none -> unremoved())).engine(), parts.context.nodes());
        failing.begin(first, task);
        failing.add(first, task);
        assertThat(gives(failing)).isEqualTo(Receipt.GIVEN);
        failing.leave(first);
        assertThat(failing.join(again, task, null)).isFalse();
        assertThat(failing.of(again, CALL)).isEmpty();
    }

    @Test
    void more_calls_than_a_page_of_rows_holds_are_all_found_newest_first() {
        for (int call = 0; call < 101; call++) {
            undelivered.add(first, parts.task(first.session()));
        }
        var found = undelivered.of(again, CALL).stream()
                .map(task -> task.id().value())
                .toList();
        assertThat(found).hasSize(101).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(undelivered.of(again)).map(List::size).hasValue(101);
    }

    private static UndeliveredCalls on(TaskEngine engine, Nodes nodes) {
        return new UndeliveredCalls(engine, nodes, one -> true);
    }

    /** Two nodes over one store, to either of which the client may come next. */
    @Nested
    class AtAnotherNode {

        private final RowStore shared = MemoryTaskStore.shared().rows();
        private final TaskEngine engine =
                parts.with(Map.of("rows", none -> shared)).engine();

        @AutoClose
        private final Nodes here = new Nodes(engine, new Random(1));

        @AutoClose
        private final Nodes there = new Nodes(engine, new Random(2));

        private final UndeliveredCalls holder = on(engine, here);
        private final UndeliveredCalls asked = on(engine, there);

        @BeforeEach
        void created() {
            here.start();
            there.start();
            holder.begin(first, task);
            holder.add(first, task);
        }

        private boolean joins(InboundRequest request) {
            assertThat(asked.asks(request, task)).isTrue();
            here.catchUp();
            return asked.join(request, task, null);
        }

        @Test
        void a_task_for_which_a_request_waits_is_joined_by_none() {
            assertThat(joins(again)).isFalse();
            assertThat(asked.join(again, task, null)).as("without a question").isFalse();
        }

        @Test
        void a_task_whose_request_was_given_up_is_joined_by_one_that_comes_again() {
            first.live().leave(Left.TIMED_OUT);
            assertThat(joins(again)).isTrue();
            assertThat(holder.join(parts.request(ReceiverParts.ANN), task, null))
                    .isFalse();
        }

        @Test
        void a_task_whose_node_has_died_is_joined_without_a_wait() {
            here.close();
            assertThat(asked.asks(again, task)).isFalse();
            assertThat(asked.join(again, task, null)).isTrue();
        }

        @Test
        void a_task_whose_node_says_nothing_is_joined() {
            assertThat(asked.asks(again, task)).isTrue();
            assertThat(asked.join(again, task, null)).isTrue();
        }

        @Test
        void a_result_that_is_being_written_is_joined_at_no_node() {
            gives(holder);
            assertThat(asked.of(again, CALL)).isEmpty();
            assertThat(asked.join(again, task, null)).isFalse();
        }

        @Test
        void a_result_that_could_not_be_written_is_still_to_be_received() {
            holder.happens(first, task, gives(holder), Event.NOT_WRITTEN);
            holder.leave(first);
            assertThat(joins(again)).isTrue();
        }

        @Test
        void a_request_that_the_session_gave_up_in_silence_does_not_keep_the_same_call_from_joining() {
            var session = ReceiverParts.session("s", ReceiverParts.ANN);
            var silent = parts.request(session, "plain-2025-06-18", 1);
            var other = parts.task(session);
            holder.begin(silent, other);
            holder.add(silent, other);
            var repeated = parts.request(session, "plain-2025-06-18", 2);
            assertThat(asked.asks(repeated, other)).isTrue();
            here.catchUp();
            assertThat(asked.join(repeated, other, null)).isTrue();
        }
    }
}
