// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine.Watched;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.call.Call;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.RecordedExchange;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** One task of one session, of which a test says what happens, and the requests that wait for it. */
abstract class DeliveryParts {

    private static final Payload ORIGIN = Payload.ofText(
            "{\"dialect\":\"none\",\"session\":\"s\",\"request\":1,\"given\":{},\"progressToken\":\"p\"}");
    private static final Payload FORM =
            Payload.ofText("{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}");
    static final Call CALL = new Call.AwaitOutcome("t");

    private static final Duration WITHOUT_STREAM = Duration.ofMillis(20);

    final ReceiverParts parts = new ReceiverParts();
    private final List<TaskEvent> record = new CopyOnWriteArrayList<>();
    private final List<TaskWatcher> watchers = new CopyOnWriteArrayList<>();
    final Context context = context();
    final Deliveries deliveries = new Deliveries(context, parts.dialects);
    final Session session = ReceiverParts.askable("2025-11-25");
    final Manner manner = Planner.manner(parts.dialects.ofSession("2025-11-25"));
    final Task task = started(parts.task(session, ORIGIN, null, null));

    /** The task as the engine has it. */
    volatile Task now = task;

    /** Whether what happens to the task cannot be read just now. */
    volatile boolean storeFails;

    final Delivery delivery = deliveries.of(session, manner, task);
    long last = task.position().lastEvent();
    private int requests;
    private int streams;

    Instant quietUntil() {
        return context.now().plus(WITHOUT_STREAM);
    }

    @AfterEach
    void close() {
        parts.close();
    }

    /** An engine whose task is and has in its record what the test says. */
    private Context context() {
        return parts.with(Map.of(
                "find", arguments -> Optional.of(now),
                "watch", arguments -> watch((TaskWatcher) arguments[2]),
                "history", arguments -> history((long) arguments[2], (int) arguments[3])));
    }

    private Optional<Watched> watch(TaskWatcher watcher) {
        if (storeFails) {
            throw new StoreException("the store fails");
        }
        watchers.add(watcher);
        return Optional.of(new Watched(now, () -> watchers.remove(watcher)));
    }

    /** Who is told of changes of the task just now. */
    List<TaskWatcher> watchers() {
        return List.copyOf(watchers);
    }

    /** The task has changed, and nobody was told of that yet. */
    void recorded(Change change) {
        record.addAll(change.events());
        now = change.after();
        last = now.position().lastEvent();
    }

    private List<TaskEvent> history(long after, int limit) {
        var real = parts.context.engine().history(session.owner(), task.id(), after, limit);
        return Stream.concat(real.stream(), record.stream().filter(event -> event.seq() > after))
                .limit(limit)
                .toList();
    }

    /** The task when its work, which never ends, has begun: the engine adds no event any more. */
    private Task started(Task created) {
        while (true) {
            var now = parts.context.engine().find(session.owner(), created.id()).orElseThrow();
            if (parts.context.history(now, 0).anyMatch(event -> event.what() instanceof EventDetail.Started)) {
                return now;
            }
            Thread.onSpinWait();
        }
    }

    /** Progress of the work. */
    TaskEvent step(long seq) {
        return new TaskEvent(seq, parts.time.now(), new EventDetail.Progressed(new Progress(seq, null, "step " + seq)));
    }

    /** Progress that is recorded, and that the delivery hears of. */
    void happens() {
        var step = step(++last);
        record.add(step);
        assertThat(delivery.event(task, step)).isTrue();
    }

    /** Progress that is recorded, and that no delivery hears of yet. */
    Task isRecorded() {
        var change = TaskFixtures.progress(now, 1);
        record.addAll(change.events());
        return change.after();
    }

    void asks() {
        changes(TaskFixtures.question(now, "k", FORM));
    }

    void ends() {
        changes(TaskFixtures.end(now, TaskFixtures.result("{}"), parts.time.now(), true));
    }

    /** The task changes, of which the delivery hears. */
    void changes(Change change) {
        recorded(change);
        change.events().forEach(event -> delivery.event(now, event));
        delivery.current(now);
        watchers.forEach(watcher -> watcher.changed(now, change.events()));
    }

    /** A request that waits for the task, with a thread of its own while it runs. */
    final class Request {
        final RecordedExchange exchange = new RecordedExchange(session.principal());
        final WaitingRequest waiting;
        final Thread thread;

        Request(long seq, @Nullable EventId resumed) {
            this(seq, resumed, AwaitedAnswer.outcome(context, CALL, "t", null));
        }

        Request(long seq, @Nullable EventId resumed, AwaitedAnswer answer) {
            this(new Wait(CALL, task, seq, Wait.Kind.OUTCOME, resumed, Leaving.NOTHING), answer);
        }

        Request(Wait wait, AwaitedAnswer answer) {
            var request = parts.request(session, manner, ++requests, exchange);
            waiting = new WaitingRequest(
                    context,
                    request,
                    wait,
                    answer,
                    new TaskMessages(deliveries, session, manner).narrator(wait, "t"),
                    quietUntil());
            thread = Thread.ofVirtual().unstarted(() -> {
                try {
                    delivery.enter();
                    waiting.run(delivery);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        /** A new request, once it has waited so long that it has a stream. */
        Request runs() {
            thread.start();
            try {
                parts.time.awaitAlarmIn(WITHOUT_STREAM);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            parts.time.advance(WITHOUT_STREAM);
            Blocking.await(exchange.opened);
            return this;
        }

        /** The id of the last event that its client reads from now on. */
        AtomicReference<EventId> lastEvent() {
            var last = new AtomicReference<EventId>();
            exchange.beforeSend = id -> last.set(EventId.of(id).orElseThrow());
            return last;
        }

        /** What its client was told, up to its end. */
        List<String> told() {
            while (thread.isAlive()) {
                // A request that comes back may not wait yet.
                delivery.gone();
                Thread.onSpinWait();
            }
            return exchange.sent;
        }
    }

    Request waits() {
        return new Request(last, null).runs();
    }

    /** A request of a client that comes back behind an event of the task. */
    Request comesBack(long seq) {
        var mark = new Mark(parts.time.now(), task.id(), seq);
        return new Request(seq, EventId.start(Kind.WAIT, session, "0".repeat(24), mark, null));
    }

    /** A stream of the session, which is open. */
    MessageStream stream(RecordedStream connection, Unsent... first) {
        var start = EventId.start(Kind.SESSION, session, String.format("%024d", streams++), Mark.NONE, null);
        var stream = new MessageStream(start, SessionStreams.SESSION_BYTES, false);
        SessionStreams.of(session).open(stream, connection, 0, List.of(first));
        return stream;
    }
}
