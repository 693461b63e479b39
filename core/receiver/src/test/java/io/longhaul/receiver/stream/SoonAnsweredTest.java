// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Change;
import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.RecordedExchange;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.plan.Left;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests for the outcome of a task that may end within a few milliseconds. */
@Timeout(30)
class SoonAnsweredTest extends DeliveryParts {

    private static final Duration SOON = Duration.ofMillis(20);

    private final RecordedExchange exchange = new RecordedExchange(session.principal());
    private Thread thread;

    @BeforeEach
    void wait_for_the_outcome() throws InterruptedException {
        var request = parts.request(session, manner, 1, exchange);
        var wait = new Wait(CALL, now, last, Wait.Kind.OUTCOME, null, Leaving.NOTHING);
        thread = Thread.ofVirtual().start(() -> {
            try {
                deliveries.awaitOutcome(request, wait, null);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        parts.time.awaitAlarmIn(SOON);
    }

    /** The task changes: its record and its watchers say so. */
    private void becomes(Change change) {
        recorded(change);
        watchers().forEach(watcher -> watcher.changed(now, change.events()));
    }

    @Test
    void the_end_is_answered_and_the_delivery_knows_of_no_request() {
        assertThat(delivery.isLive()).isFalse();
        becomes(TaskFixtures.end(now, TaskFixtures.result("{}"), parts.time.now(), true));
        Blocking.join(thread);
        assertThat(delivery.isLive()).isFalse();
        assertThat(exchange.answers).hasSize(1);
        assertThat(exchange.sent).isEmpty();
        assertThat(watchers()).isEmpty();
    }

    @Test
    void what_happens_before_the_end_is_told_on_the_stream_of_the_request() {
        becomes(TaskFixtures.progress(now, 1));
        Blocking.await(exchange.opened);
        becomes(TaskFixtures.end(now, TaskFixtures.result("{}"), parts.time.now(), true));
        Blocking.join(thread);
        assertThat(exchange.sent).hasSizeGreaterThan(1).first().asString().contains("notifications/progress");
    }

    @Test
    void what_is_committed_with_the_end_is_told_on_the_stream_of_the_request() {
        var progress = TaskFixtures.progress(now, 1);
        recorded(progress);
        becomes(TaskFixtures.end(now, TaskFixtures.result("{}"), parts.time.now(), true));
        Blocking.join(thread);
        assertThat(exchange.sent).hasSizeGreaterThan(1).first().asString().contains("notifications/progress");
    }

    @Test
    void a_request_that_is_given_up_is_not_answered() {
        session.live(new RequestId.Number(1)).orElseThrow().leave(Left.CANCELLED);
        Blocking.join(thread);
        assertThat(exchange.answers).noneMatch(answer -> answer.body() != null);
        assertThat(watchers()).isEmpty();
    }
}
