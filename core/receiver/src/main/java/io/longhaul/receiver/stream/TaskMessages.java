// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import io.longhaul.receiver.task.TaskViews;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds the messages about one task for the side streams of one session. */
record TaskMessages(Deliveries all, Session session, Dialect dialect) {

    /** The most events of a task that are told again. */
    static final int REPLAYED = 1_000;

    Narrator narrator(Task task, long from) {
        return all.narrator(session, task, dialect, from);
    }

    void enqueue(MessageStream to, Notice notice, Task now, Mark mark, boolean isNews) {
        var message = encode(notice, now);
        if (message != null) {
            to.append(message, mark, isNews);
        }
    }

    /** Replays what happened to a task on a stream that may have told a part of it before the delivery began. */
    void replay(Task now, long from, long upTo, MessageStream to) {
        List<Unsent> again = new ArrayList<>();
        replay(now, from, upTo, upTo, again::add);
        to.enqueue(again);
    }

    /**
     * Replays what happened to a task from the stored history, its last events at most: a client chooses how far back
     * it begins.
     *
     * @param from the last event before
     * @param upTo the last event to tell
     * @param told the last event that the session was told before
     */
    void replay(Task now, long from, long upTo, long told, Consumer<Unsent> to) {
        long first = Math.max(from, upTo - REPLAYED);
        var again = narrator(now, first);
        all.context()
                .history(now, first)
                .limit(Math.max(0, upTo - first))
                .forEach(event -> again.event(now, event)
                        .ifPresent(notice -> add(to, notice, now, Mark.of(now, event), event.seq() > told)));
        again.caughtUp(now).ifPresent(notice -> add(to, notice, now, Mark.of(now), false));
    }

    /**
     * The messages for the state of a task, and for calls that were cancelled with it. The mark of the last message
     * says that all is told.
     */
    List<Unsent> state(Task now) {
        var told = narrator(now, now.stamp().lastEvent());
        List<Notice> notices = new ArrayList<>();
        notices.add(new Notice.TaskChanged(TaskViews.of(all.context()).of(now, told.taskName())));
        notices.addAll(told.cancelled(now));
        List<Unsent> messages = new ArrayList<>();
        notices.forEach(notice -> add(messages::add, notice, now, Mark.before(now), true));
        if (!messages.isEmpty()) {
            messages.add(new Unsent(messages.removeLast().message(), Mark.of(now), true));
        }
        return messages;
    }

    private void add(Consumer<Unsent> to, Notice notice, Task now, Mark mark, boolean isNews) {
        var message = encode(notice, now);
        if (message != null) {
            to.accept(new Unsent(message, mark, isNews));
        }
    }

    private @Nullable Json encode(Notice notice, Task now) {
        var message = all.words(session, now, notice, dialect).encode(notice, null);
        return message == null ? null : JsonRpcCodec.encode(message);
    }
}
