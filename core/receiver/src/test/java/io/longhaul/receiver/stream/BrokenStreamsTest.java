// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.Blocking;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes on another stream of the session, or another request, when the one that was to carry it breaks. */
@Timeout(60)
class BrokenStreamsTest extends DeliveryParts {

    /** What the next stream of the session carries when its client leaves this one before it has read anything. */
    private List<String> carriedInstead(List<Unsent> first) {
        var connection = new RecordedStream().leavesAfter(0);
        var broken = stream(connection, first.toArray(Unsent[]::new));
        broken.flush();
        SessionStreams.of(session).closed(broken, connection);
        var next = new RecordedStream();
        stream(next).flush();
        return next.messages();
    }

    /** A stream of the session tells what happens, and is closed. */
    private void isTold(Runnable what) {
        var connection = new RecordedStream();
        var stream = stream(connection);
        delivery.follow();
        what.run();
        stream.flush();
        SessionStreams.of(session).closed(stream, connection);
        deliveries.streamClosed(session, parts.time.now());
    }

    @Test
    void the_next_stream_is_owed_what_ended_before_the_server_saw_that_the_client_had_left() {
        var left = parts.time.now();
        parts.time.advance(Duration.ofSeconds(1));
        recorded(TaskFixtures.end(now, TaskFixtures.result("{}"), parts.time.now(), true));
        parts.time.advance(Duration.ofSeconds(1));
        deliveries.streamClosed(session, left);
        assertThat(deliveries.isOwed(session, now)).isTrue();
        deliveries.streamClosed(session, parts.time.now());
        deliveries.streamClosed(session, left);
        assertThat(deliveries.isOwed(session, now)).isFalse();
    }

    @Test
    void a_state_that_is_told_again_waits_for_the_client_to_come_back_to_its_stream() {
        isTold(this::asks);
        var again = new ArrayList<Unsent>();
        delivery.resumed(now, last - 1, again::add);
        assertThat(again)
                .anyMatch(message -> message.message().toString().contains("input_required"))
                .noneMatch(Unsent::isNews);
        assertThat(carriedInstead(again)).isEmpty();
    }

    @Test
    void an_end_that_was_not_told_before_goes_on_the_next_stream() {
        isTold(this::happens);
        ends();
        var first = new ArrayList<Unsent>();
        delivery.catchUp(now, first::add);
        assertThat(carriedInstead(first)).singleElement().asString().contains("completed");
    }

    @Test
    void what_a_leaving_request_did_not_take_is_not_told_twice_to_the_call_that_waits() {
        var joined = new CountDownLatch(1);
        var call = new Request(new Wait(CALL, task, last, Wait.Kind.CALL, null, Leaving.NOTHING), (now, isTooLate) -> {
            joined.countDown();
            return Optional.empty();
        });
        call.thread.start();
        Blocking.await(joined);
        var leaves = waits();
        leaves.exchange.leave();
        happens();
        Blocking.join(leaves.thread);
        assertThat(call.told()).filteredOn(text -> text.contains("step 3")).hasSize(1);
    }
}
