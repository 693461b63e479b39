package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.session.JoinedTasks;
import io.longhaul.receiver.session.Session;
import io.longhaul.testkit.TaskFixtures;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveriesTest {

    private static final int MANY = 1_000;
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private final ReceiverParts parts = new ReceiverParts();
    private final Deliveries deliveries = new Deliveries(parts.context, parts.dialects, new JoinedTasks() {});
    private final Session session = ReceiverParts.session("s", ReceiverParts.ANN);
    private final Dialect dialect = parts.dialects.ofSession("2025-11-25");

    @AfterEach
    void close() {
        parts.close();
    }

    private Delivery of(Task task) {
        return deliveries.of(session, dialect, task);
    }

    private Task task(long number) {
        var spec = TaskFixtures.task(number).spec();
        return TaskFixtures.task(
                number,
                new TaskSpec(session.owner(), spec.work(), spec.request(), spec.source(), null, parts.time.now()));
    }

    @Test
    void a_session_with_many_old_tasks_that_nobody_listens_to_forgets_how_far_it_was_told() {
        var old = task(0);
        var first = of(old);
        LongStream.range(1, MANY - 1).forEach(number -> of(task(number)));
        assertThat(of(old)).isSameAs(first);
        parts.time.advance(REMEMBERED.plusMillis(1));
        of(task(MANY));
        of(task(MANY + 1));
        assertThat(of(old)).isNotSameAs(first);
    }

    @Test
    void a_task_that_is_young_or_told_of_is_remembered() {
        var told = parts.task(session);
        var stream = new MessageStream(
                EventId.start(EventId.Kind.SESSION, session, "0".repeat(24), EventId.Mark.NONE, null),
                SessionStreams.SESSION_BYTES,
                false);
        SessionStreams.of(session).open(stream, new RecordedStream(), 0, List.of());
        var live = of(told);
        live.follow();
        parts.time.advance(REMEMBERED.plusMillis(1));
        var young = task(1);
        var fresh = of(young);
        LongStream.range(2, MANY + 2).forEach(number -> of(task(number)));
        assertThat(of(told)).isSameAs(live);
        assertThat(of(young)).isSameAs(fresh);
    }
}
