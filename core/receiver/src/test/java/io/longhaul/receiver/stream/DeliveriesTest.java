// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.session.Session;
import io.longhaul.store.contract.TaskFixtures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveriesTest {

    private static final int REMEMBERED = 100;
    private static final int ENDED = 1_000;

    private final ReceiverParts parts = new ReceiverParts();
    private final Deliveries deliveries = new Deliveries(parts.context, parts.dialects);
    private final Session session = ReceiverParts.session("s", ReceiverParts.ANN);
    private final Manner manner = Planner.manner(parts.dialects.ofSession("2025-11-25"));

    @AfterEach
    void close() {
        parts.close();
    }

    private Delivery of(Task task) {
        return deliveries.of(session, manner, task);
    }

    private Task task(long number) {
        var spec = TaskFixtures.task(number).spec();
        return TaskFixtures.task(
                number,
                new TaskSpec(session.owner(), spec.work(), spec.request(), spec.source(), null, parts.time.now()));
    }

    @Test
    void a_session_without_a_stream_remembers_how_far_it_was_told_of_its_last_hundred_tasks() {
        var oldest = of(task(0));
        var kept = of(task(REMEMBERED));
        LongStream.range(1, 2 * REMEMBERED).forEach(number -> of(task(number)));
        assertThat(of(task(0))).isSameAs(oldest);
        of(task(2 * REMEMBERED));
        assertThat(of(task(0))).isNotSameAs(oldest);
        assertThat(of(task(REMEMBERED))).isSameAs(kept);
    }

    @Test
    void a_task_of_which_a_stream_is_told_is_remembered() {
        var told = parts.task(session);
        var stream = new MessageStream(
                EventId.start(EventId.Kind.SESSION, session, "0".repeat(24), EventId.Mark.NONE, null),
                SessionStreams.SESSION_BYTES,
                false);
        SessionStreams.of(session).open(stream, new RecordedStream(), 0, List.of());
        var live = of(told);
        live.follow();
        LongStream.range(0, 3 * REMEMBERED).forEach(number -> of(task(number)));
        assertThat(of(told)).isSameAs(live);
    }

    @Test
    void a_session_remembers_the_last_thousand_tasks_whose_end_it_was_told_of() {
        var first = ended(0);
        over(first);
        LongStream.range(1, ENDED).forEach(number -> over(ended(number)));
        assertThat(deliveries.isOwed(session, first)).isFalse();
        over(ended(ENDED));
        assertThat(deliveries.isOwed(session, first)).isTrue();
    }

    @Test
    void the_last_thousand_events_of_a_task_are_told_again_and_no_more_however_far_back_a_client_begins() {
        var readFrom = new ArrayList<Long>();
        var context = parts.with(Map.of("history", asked -> {
            readFrom.add((Long) asked[2]);
            return List.of();
        }));
        var told = new Deliveries(context, parts.dialects);
        new TaskMessages(told, session, manner).replay(parts.task(session), 0, 5_000, 0, unsent -> {});
        new TaskMessages(told, session, manner).replay(parts.task(session), 4_500, 5_000, 0, unsent -> {});
        assertThat(readFrom).containsExactly(5_000L - 1_000, 4_500L);
    }

    /** A task that has ended while the session had no stream. */
    private Task ended(long number) {
        return TaskFixtures.end(task(number), TaskFixtures.result("x"), parts.time.now(), true)
                .after();
    }

    private void over(Task task) {
        deliveries.over(of(task), session);
    }
}
