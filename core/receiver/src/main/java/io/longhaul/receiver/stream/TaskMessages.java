// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.session.LogLevels;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.session.SessionTasks;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import io.longhaul.receiver.stream.Narrator.Audience;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.task.TaskNames;
import io.longhaul.receiver.task.TaskResources;
import io.longhaul.receiver.task.TaskViews;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one session is told of tasks, and the messages of that for its side streams. */
record TaskMessages(Deliveries all, Session session, Manner manner) {

    /** The most events of a task that are told again. */
    static final int REPLAYED = 1_000;

    /** The last event of a task before a time. */
    static long before(Context context, Task task, Instant at) {
        if (task.position().updatedAt().isBefore(at)) {
            return task.position().lastEvent();
        }
        return context.history(task, 0)
                .takeWhile(event -> event.at().isBefore(at))
                .count();
    }

    Narrator narrator(Task task, long from) {
        var origin = Origin.of(task.spec());
        var name = TaskNames.shown(task, origin, manner.aliases());
        var level = origin.route().wanted().logLevel();
        return narrator(task, from, name, level, () -> token(task));
    }

    /** @param name the name of the task in the words of the request that waits */
    Narrator narrator(Wait wait, String name) {
        var level = wait.call().extras().logLevel();
        return narrator(wait.task(), wait.seq(), name, level, () -> wait.token(() -> token(wait.task())));
    }

    private Narrator narrator(
            Task task, long from, String name, @Nullable String level, Supplier<@Nullable Json> token) {
        var audience = new Audience(
                name, token, () -> LogLevels.least(session, manner.inSession(), level), now -> all.voice(session, now));
        return new Narrator(audience, from, seq -> new TaskResources(all.context()).count(task, seq));
    }

    /**
     * The progress token of the session's latest call that has created or found the task, unless the session has joined
     * the task.
     */
    private @Nullable Json token(Task task) {
        if (all.voice(session, task) != null) {
            return null;
        }
        var route = Origin.of(task.spec()).route();
        var created = session.id().equals(route.session()) ? route.wanted().progressToken() : null;
        return SessionTasks.of(all.context()).token(session, task).orElse(created);
    }

    void enqueue(MessageStream to, Optional<Notice> notice, Task now, Mark mark, boolean isNews) {
        var message = notice.map(it -> encode(it, now)).orElse(null);
        if (message != null) {
            to.append(new Unsent(message, mark, isNews));
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
        var told = narrator(now, now.position().lastEvent());
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
        var message = all.manner(session, now, notice, manner).dialect().encode(notice, null);
        return message == null ? null : JsonRpcCodec.encode(message);
    }
}
