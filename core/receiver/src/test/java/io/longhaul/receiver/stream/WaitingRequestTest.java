// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.RecordedExchange;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.store.contract.TaskFixtures;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What requests that wait for one task are told, and what becomes of it when their clients leave and come back. */
@Timeout(60)
class WaitingRequestTest extends DeliveryParts {

    /** How many messages wait for a client that does not read. */
    private static final int ROOM = 256;

    @Test
    void a_request_that_goes_on_is_not_told_again_what_its_client_knows() {
        var request = comesBack(last + 1);
        request.waiting.event(task, step(last + 1), true);
        request.waiting.event(task, step(last + 2), true);
        request.thread.start();
        while (!delivery.isLive()) {
            Thread.onSpinWait();
        }
        assertThat(request.told()).anyMatch(text -> text.contains("step 4")).noneMatch(text -> text.contains("step 3"));
    }

    @Test
    void a_call_for_a_part_is_not_told_again_what_came_before_its_token() {
        var call = new CallTool("t", Json.EMPTY_OBJECT, CallExtras.NONE);
        var taken = new ArrayList<Long>();
        AwaitedAnswer answer = new AwaitedAnswer() {
            @Override
            public Optional<CallResponse> before(Task now, TaskEvent event) {
                taken.add(event.seq());
                return Optional.empty();
            }

            @Override
            public Optional<CallResponse> current(Task now, boolean isTooLate) {
                return Optional.empty();
            }
        };
        var request = parts.request(session, manner, 100, new RecordedExchange(session.principal()));
        var wait = new Wait(call, task, last + 2, Wait.Kind.PART, null, Leaving.NOTHING);
        var later = new WaitingRequest(
                context,
                request,
                wait,
                answer,
                new TaskMessages(deliveries, session, manner).narrator(task, last + 2),
                quietUntil());
        assertThat(delivery.join(new Request(last, null).waiting, last, false)).isTrue();
        assertThat(delivery.join(later, last + 2, true)).isTrue();
        happens();
        happens();
        happens();
        assertThat(taken).containsExactly(last);
    }

    @Test
    void an_event_out_of_turn_is_not_taken_and_moves_no_position() {
        assertThat(delivery.event(task, step(last + 2))).isFalse();
        assertThat(delivery.event(task, step(last))).isTrue();
        assertThat(delivery.position()).isEqualTo(last);
    }

    @Test
    void a_request_with_an_older_look_at_the_task_does_not_move_the_session_back() {
        delivery.follow();
        happens();
        assertThat(delivery.join(new Request(last - 1, null).waiting, last - 1, false))
                .isTrue();
        assertThat(delivery.position()).isEqualTo(last);
    }

    @Test
    void a_client_that_sees_a_question_has_it_before_the_write_is_over() {
        var request = new Request(last, null);
        var key = new QuestionKey(task.id(), "k");
        var had = new ArrayList<Boolean>();
        request.exchange.beforeSend =
                id -> had.add(request.waiting.hasAsked("k", EventId.of(id).orElseThrow()));
        request.runs();
        request.waiting.ask(new Question("elicitation/create", Json.raw("{}")), key, Mark.of(task));
        request.told();
        assertThat(had).first().isEqualTo(true);
    }

    @Test
    void a_stream_that_a_question_opens_begins_with_an_id_before_that_question() {
        var request = new Request(last, null);
        var key = new QuestionKey(task.id(), "k");
        var had = new ArrayList<Boolean>();
        request.exchange.beforePrime =
                id -> had.add(request.waiting.hasAsked("k", EventId.of(id).orElseThrow()));
        request.waiting.ask(new Question("elicitation/create", Json.raw("{}")), key, Mark.of(task));
        request.thread.start();
        request.told();
        assertThat(had).containsExactly(false);
    }

    @Test
    void a_client_that_comes_back_behind_a_question_has_it_before_it_knows_its_new_stream() {
        var first = new Request(last, null);
        var question = first.lastEvent();
        first.runs();
        asks();
        while (question.get() == null) {
            Thread.onSpinWait();
        }
        var second = new Request(last, question.get());
        var had = new CopyOnWriteArrayList<Boolean>();
        second.exchange.beforePrime =
                id -> had.add(second.waiting.hasAsked("k", EventId.of(id).orElseThrow()));
        second.thread.start();
        while (had.isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(had).containsExactly(true);
        second.told();
    }

    @Test
    void a_request_that_had_no_room_is_looked_after_again_when_it_has() {
        var mayEnd = new AtomicBoolean();
        AwaitedAnswer answer =
                (now, isTooLate) -> mayEnd.get() ? Optional.of(new CallResponse.Done()) : Optional.empty();
        var request = new Request(last, null, answer);
        var reads = new CountDownLatch(1);
        request.exchange.beforeSend = id -> Blocking.await(reads);
        request.runs();
        for (int step = 0; step < ROOM; step++) {
            happens();
        }
        while (delivery.event(task, step(last + 1))) {
            last++;
        }
        mayEnd.set(true);
        reads.countDown();
        Blocking.join(request.thread);
        assertThat(request.exchange.sent).last().isEqualTo("closed");
    }

    @Test
    void an_older_snapshot_of_the_task_is_not_told_behind_a_newer_one() {
        var connection = new RecordedStream();
        var stream = stream(connection);
        delivery.follow();
        var asked = TaskFixtures.question(task, "k", Payload.ofText("{}"));
        asked.events().forEach(event -> delivery.event(asked.after(), event));
        delivery.current(asked.after());
        delivery.current(task);
        stream.flush();
        assertThat(connection.messages()).singleElement().asString().contains("input_required");
    }

    @Test
    void what_happens_while_no_stream_is_open_is_passed_over_where_the_next_one_is_new() {
        delivery.follow();
        var now = TaskFixtures.progress(task, 1).after();
        assertThat(delivery.skip(now)).isTrue();
        assertThat(delivery.position()).isEqualTo(now.position().lastEvent());
    }

    @Test
    void an_end_that_only_a_request_was_told_is_told_on_the_next_stream_of_the_session() {
        delivery.follow();
        var waits = waits();
        var ended = TaskFixtures.end(task, TaskFixtures.result("{}"), parts.time.now(), true);
        ended.events().forEach(event -> delivery.event(ended.after(), event));
        delivery.current(ended.after());
        Blocking.join(waits.thread);
        var told = new ArrayList<String>();
        delivery.catchUp(ended.after(), message -> told.add(message.message().toString()));
        assertThat(told).singleElement().asString().contains("completed");
    }

    @Test
    void a_request_whose_answer_was_no_good_is_asked_again() {
        var asked = new CountDownLatch(2);
        var request = new Request(last, null);
        request.exchange.beforeSend = id -> asked.countDown();
        request.runs();
        asks();
        while (request.exchange.sent.isEmpty()) {
            Thread.onSpinWait();
        }
        deliveries.release(session, new QuestionKey(task.id(), "k"));
        Blocking.await(asked);
        assertThat(request.told())
                .filteredOn(text -> text.contains("elicitation/create"))
                .hasSize(2);
    }

    @Test
    void a_task_that_is_found_to_have_ended_twice_gives_one_answer() {
        var answers = new AtomicInteger();
        var request = new Request(last, null, (now, isTooLate) -> {
            if (!now.state().isTerminal()) {
                return Optional.empty();
            }
            answers.incrementAndGet();
            return Optional.of(new CallResponse.Done());
        });
        assertThat(delivery.join(request.waiting, last, false)).isTrue();
        ends();
        delivery.current(now);
        assertThat(answers).hasValue(1);
    }

    @Test
    void who_waits_for_room_on_a_request_goes_on_when_half_of_its_messages_are_read() {
        var request = new Request(last, null);
        for (int step = 1; step <= ROOM; step++) {
            request.waiting.event(task, step(last + step), true);
        }
        var read = new AtomicInteger();
        request.waiting.whenRoom(() -> read.set(request.exchange.sent.size()));
        assertThat(read).hasValue(0);
        request.thread.start();
        Blocking.await(request.exchange.opened);
        request.told();
        assertThat(read).hasValueBetween(ROOM / 2, ROOM / 2 + 1);
    }

    @Test
    void the_last_eight_connections_of_a_client_are_known_on_which_it_has_a_question() {
        var first = new Request(last, null);
        var question = first.lastEvent();
        first.runs();
        first.waiting.ask(
                new Question("elicitation/create", Json.raw("{}")), new QuestionKey(task.id(), "k"), Mark.of(task));
        first.told();
        var before = first.waiting;
        for (int connection = 2; connection <= 8; connection++) {
            before = comesBackBehind(question.get(), before);
        }
        assertThat(before.hasAsked("k", question.get())).isTrue();
        assertThat(comesBackBehind(question.get(), before).hasAsked("k", question.get()))
                .isFalse();
    }

    private WaitingRequest comesBackBehind(EventId question, WaitingRequest before) {
        var next = new Request(last, question).waiting;
        next.hasAsked("k", before);
        return next;
    }
}
