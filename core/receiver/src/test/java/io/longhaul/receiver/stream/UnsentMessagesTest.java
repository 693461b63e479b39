// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.task.AwaitedAnswer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where that goes which one client did not take: each message once, and on each stream in order. */
@Timeout(60)
class UnsentMessagesTest extends DeliveryParts {

    private static final Pattern STEP = Pattern.compile("step \\d+");

    /** A request whose client does not read: the first message is being written until the client reads or leaves. */
    private final class Slow {
        private final CountDownLatch writes = new CountDownLatch(1);
        private final CountDownLatch reads = new CountDownLatch(1);
        private final Request request;

        Slow(Request request) {
            this.request = request;
            request.exchange.beforeSend = id -> {
                writes.countDown();
                Blocking.await(reads);
            };
        }

        /** ... nor any of three steps that happen then. */
        Slow waits() {
            request.runs();
            happens();
            Blocking.await(writes);
            happens();
            happens();
            return this;
        }

        void leaves() {
            request.exchange.leave();
            reads.countDown();
            Blocking.join(request.thread);
        }
    }

    /** A request that is told at once what another one has not sent. */
    private static Request takesOver(Request request) {
        request.thread.start();
        Blocking.await(request.exchange.opened);
        return request;
    }

    private static List<String> steps(List<String> told) {
        return told.stream()
                .flatMap(text -> STEP.matcher(text).results().map(MatchResult::group))
                .toList();
    }

    @Test
    void what_a_slow_client_did_not_take_goes_before_later_events_where_these_go() {
        var slow = new Slow(new Request(last, null)).waits();
        var next = takesOver(new Request(last, null));
        happens();
        slow.leaves();
        assertThat(steps(next.told())).containsExactly("step 4", "step 5", "step 6");
    }

    @Test
    void a_slow_client_that_reads_on_is_told_nothing_that_went_elsewhere() {
        var slow = new Slow(new Request(last, null)).waits();
        var next = takesOver(new Request(last, null));
        happens();
        slow.reads.countDown();
        next.told();
        assertThat(steps(slow.request.told())).containsExactly("step 3");
    }

    @Test
    void what_went_elsewhere_comes_back_where_that_client_leaves_first() {
        var slow = new Slow(new Request(last, null)).waits();
        var next = new Slow(new Request(last, null));
        takesOver(next.request);
        Blocking.await(next.writes);
        happens();
        next.leaves();
        slow.reads.countDown();
        assertThat(steps(slow.request.told())).containsExactly("step 3", "step 4", "step 5", "step 6");
    }

    @Test
    void what_a_stream_repeats_from_the_record_does_not_follow_later_events_there() {
        var slow = new Slow(new Request(last, null)).waits();
        var back = comesBack(last - 3);
        back.thread.start();
        while (steps(back.exchange.sent).size() < 3) {
            Thread.onSpinWait();
        }
        happens();
        slow.leaves();
        assertThat(steps(back.told())).containsExactly("step 3", "step 4", "step 5", "step 6");
    }

    @Test
    void what_a_request_did_not_send_before_its_answer_goes_before_later_events_on_another() {
        var next = waits();
        var isAnswered = new AtomicBoolean();
        AwaitedAnswer answer =
                (now, isTooLate) -> isAnswered.get() ? Optional.of(new CallResponse.Done()) : Optional.empty();
        var slow = new Slow(new Request(last, null, answer)).waits();
        isAnswered.set(true);
        delivery.current(task);
        happens();
        slow.leaves();
        assertThat(steps(next.told())).containsExactly("step 4", "step 5", "step 6");
    }

    @Test
    void what_a_request_did_not_send_before_its_answer_does_not_follow_later_events_on_the_stream_of_the_session() {
        delivery.follow();
        var connection = new RecordedStream();
        var stream = stream(connection);
        var isAnswered = new AtomicBoolean();
        AwaitedAnswer answer =
                (now, isTooLate) -> isAnswered.get() ? Optional.of(new CallResponse.Done()) : Optional.empty();
        var slow = new Slow(new Request(last, null, answer)).waits();
        isAnswered.set(true);
        delivery.current(task);
        happens();
        slow.leaves();
        stream.flush();
        assertThat(steps(connection.messages())).containsExactly("step 6");
    }

    @Test
    void a_message_that_a_leaving_client_did_not_take_goes_on_another_request_that_waits() {
        var stays = waits();
        var leaves = waits();
        leaves.exchange.leave();
        happens();
        Blocking.join(leaves.thread);
        assertThat(stays.told()).filteredOn(text -> text.contains("step 3")).hasSize(1);
    }

    @Test
    void a_message_that_a_leaving_client_did_not_take_goes_on_the_stream_of_its_session() {
        delivery.follow();
        var leaves = waits();
        leaves.exchange.leave();
        var connection = new RecordedStream();
        var stream = stream(connection);
        happens();
        Blocking.join(leaves.thread);
        stream.flush();
        assertThat(connection.messages())
                .filteredOn(text -> text.contains("step 3"))
                .hasSize(1);
    }

    /** A call that waits for the task, with this progress token or without one. */
    private Request waitsUnder(@Nullable String token) {
        var extras = new CallExtras(token == null ? null : Json.raw(token), null, null);
        var call = new CallTool("waits", Json.EMPTY_OBJECT, new TaskWish.None(), extras, Round.FIRST);
        var wait = new Wait(call, task, last, Wait.Kind.OUTCOME, null, Leaving.NOTHING);
        return new Request(wait, AwaitedAnswer.outcome(context, CALL, "t", null)).runs();
    }

    @Test
    void progress_that_a_leaving_client_did_not_take_goes_on_under_the_token_of_who_is_told_next() {
        var stays = waits();
        var leaves = waitsUnder("\"q\"");
        leaves.exchange.leave();
        happens();
        Blocking.join(leaves.thread);
        happens();
        assertThat(stays.told())
                .filteredOn(text -> text.contains("step"))
                .hasSize(2)
                .noneMatch(text -> text.contains("\"q\""));
    }

    @Test
    void progress_that_a_leaving_client_did_not_take_goes_to_a_request_that_hears_it() {
        var hears = waitsUnder("\"p\"");
        waitsUnder(null);
        var leaves = waitsUnder("\"q\"");
        leaves.exchange.leave();
        happens();
        Blocking.join(leaves.thread);
        assertThat(hears.told())
                .filteredOn(text -> text.contains("step 3"))
                .singleElement()
                .asString()
                .contains("\"p\"");
    }

    @Test
    void what_a_request_repeats_from_the_record_goes_on_no_other_one() {
        var request = new Request(last, null);
        request.waiting.event(task, step(last + 1), true);
        var next = new TaskMessages(deliveries, session, manner).narrator(task, last);
        assertThat(request.waiting.takeUnsent(next, 0)).isEmpty();
    }
}
