// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Task;
import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.receiver.RecordedExchange;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long the position of a session in a task is kept, and what a client is told that comes between two steps. */
@Timeout(60)
class DeliveryTest extends DeliveryParts {

    private static void happensOnce(RecordedExchange exchange, Runnable action) {
        exchange.beforeSend = id -> {
            exchange.beforeSend = other -> {};
            action.run();
        };
    }

    @Test
    void what_happens_while_a_request_reads_the_record_is_told_to_it_once_and_in_order() {
        happens();
        var request = comesBack(last - 1);
        happensOnce(request.exchange, this::happens);
        request.thread.start();
        while (!delivery.isLive()) {
            Thread.onSpinWait();
        }
        assertThat(request.told())
                .filteredOn(text -> text.contains("step"))
                .satisfiesExactly(
                        first -> assertThat(first).contains("step 3"),
                        second -> assertThat(second).contains("step 4"));
    }

    @Test
    void what_a_client_that_leaves_was_told_from_the_record_goes_on_no_other_request() {
        var stays = waits();
        happens();
        happens();
        var leaves = comesBack(last - 2);
        happensOnce(leaves.exchange, leaves.exchange::leave);
        leaves.thread.start();
        Blocking.join(leaves.thread);
        assertThat(stays.told()).filteredOn(text -> text.contains("step")).hasSize(2);
    }

    @Test
    void a_request_is_told_all_though_a_stream_is_opened_when_the_task_has_ended() {
        var request = waits();
        var ended = TaskFixtures.end(
                        TaskFixtures.progress(now, 1).after(), TaskFixtures.result("{}"), parts.time.now(), true)
                .after();
        delivery.followEnd(ended, message -> {});
        happens();
        assertThat(request.told()).anyMatch(text -> text.contains("step 3"));
    }

    @Test
    void a_stream_that_is_resumed_from_the_record_brings_only_what_the_session_was_told_before() {
        stream(new RecordedStream());
        delivery.follow();
        changes(TaskFixtures.progress(now, 7));
        var told = new ArrayList<Unsent>();
        delivery.resumed(isRecorded(), last - 1, told::add);
        assertThat(told).singleElement().satisfies(again -> {
            assertThat(again.message().toString()).contains("at 7.0");
            assertThat(again.isNews()).isFalse();
        });
    }

    @Test
    void requests_that_wait_for_a_task_in_one_session_have_one_delivery() {
        waits();
        var leaves = waits();
        leaves.exchange.leave();
        happens();
        Blocking.join(leaves.thread);
        assertThat(deliveries.of(session, manner, task)).isSameAs(delivery);
    }

    @Test
    void a_request_that_comes_while_another_one_leaves_keeps_the_delivery_of_both() {
        var leaves = waits();
        leaves.exchange.leave();
        var comes = parts.request(session, manner, 100, new RecordedExchange(session.principal()));
        var joined = new CountDownLatch(1);
        var answer = new AwaitedAnswer() {
            @Override
            public Optional<CallResponse> current(Task now, boolean isTooLate) {
                joined.countDown();
                return Optional.empty();
            }

            @Override
            public Instant until() {
                if (leaves.thread.isAlive()) {
                    happens();
                    Blocking.join(leaves.thread);
                }
                return Instant.MAX;
            }
        };
        var thread = Thread.ofVirtual().start(() -> await(comes, answer));
        Blocking.await(joined);
        assertThat(deliveries.of(session, manner, task)).isSameAs(delivery);
        delivery.gone();
        Blocking.join(thread);
    }

    private void await(InboundRequest request, AwaitedAnswer answer) {
        try {
            deliveries.await(
                    request, new Wait(CALL, task, last, Wait.Kind.OUTCOME, null, Leaving.NOTHING), name -> answer);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nothing_is_kept_of_a_task_for_which_no_request_waits_any_more() {
        var leaves = waits();
        leaves.exchange.leave();
        happens();
        Blocking.join(leaves.thread);
        assertThat(deliveries.of(session, manner, task)).isNotSameAs(delivery);
        assertThat(delivery.enter()).isFalse();
    }

    @Test
    void nothing_is_kept_of_a_task_whose_outcome_was_there_at_once() throws Exception {
        ends();
        var request = parts.request(session, manner, 1, new RecordedExchange(session.principal()));
        deliveries.awaitOutcome(request, new Wait(CALL, now, last, Wait.Kind.OUTCOME, null, Leaving.NOTHING), null);
        assertThat(deliveries.of(session, manner, task)).isNotSameAs(delivery);
    }

    @Test
    void a_question_of_a_request_that_was_too_late_goes_on_the_stream_of_its_session() {
        var isTooLate = new AtomicBoolean();
        AwaitedAnswer answer = (now, late) -> isTooLate.get() ? Optional.of(new CallResponse.Done()) : Optional.empty();
        var late = new Request(last, null, answer).runs();
        asks();
        var other = waits();
        var mayEnd = new CountDownLatch(1);
        late.exchange.beforeSend = id -> Blocking.await(mayEnd);
        isTooLate.set(true);
        delivery.current(now);
        other.exchange.leave();
        happens();
        Blocking.join(other.thread);
        mayEnd.countDown();
        Blocking.join(late.thread);
        var connection = new RecordedStream();
        var stream = stream(connection);
        parts.time.advance(Duration.ofSeconds(2));
        deliveries.streamsChanged(session);
        while (delivery.living().isEmpty()) {
            Thread.onSpinWait();
        }
        stream.flush();
        assertThat(connection.messages()).anyMatch(text -> text.contains("elicitation/create"));
    }
}
