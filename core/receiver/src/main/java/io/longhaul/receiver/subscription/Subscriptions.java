// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.subscription;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.request.AuditLog;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.session.Quota;
import io.longhaul.receiver.stream.TaskFeed;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.task.TaskViews;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Streams of notifications that clients ask for by name. */
public final class Subscriptions {

    private static final String NO_STREAM =
            "What is subscribed to comes on an event stream: send Accept: application/json, text/event-stream";

    private final Context context;
    private final TaskVerbs verbs;
    private final Features features;
    private final Announcer announcer;
    private final TaskFeed.All feeds;
    private final Quota open;

    public Subscriptions(Context context, TaskVerbs verbs, Features features, Announcer announcer, TaskFeed.All feeds) {
        this.context = context;
        this.verbs = verbs;
        this.features = features;
        this.announcer = announcer;
        this.feeds = feeds;
        open = new Quota(context.limits().subscriptions());
    }

    /** Serves a subscription. Blocks while its stream is open. */
    public void listen(InboundRequest request, Call.Listen call) throws Exception {
        // Without a stream the server can send no notices, and cannot notice that the client leaves.
        if (!request.reply().canStream()) {
            request.refuse(call, new Refusal.InvalidParams(NO_STREAM));
            return;
        }
        var live = request.live();
        if (!open.acquire(request.share(), live)) {
            request.refuse(
                    call,
                    new Refusal.LimitReached(
                            "open subscriptions", context.limits().subscriptions()));
            return;
        }
        try {
            live.interruptibly(() -> serve(request, call));
        } catch (InterruptedException | PeerGoneException e) {
            live.leave(Left.STOPPED);
        }
        if (live.isCancelled()) {
            request.reply().silently();
        } else {
            if (request.reply().isOnConnection()) {
                request.reply().notice(new Notice.Unsubscribed(), request.id());
            }
            request.reply().answer(call, new CallResponse.Done());
        }
    }

    private CallResponse serve(InboundRequest request, Call.Listen call) throws InterruptedException {
        List<Task> tasks = tasks(request, call);
        request.reply().onGone(() -> request.live().leave(Left.STOPPED));
        request.reply().open(null);
        var ids = tasks.stream().map(task -> task.id().value()).toList();
        var honoured = features.honoured(call.wanted(), ids);
        var latest = new LatestNotices();
        List<Runnable> over = new ArrayList<>();
        try {
            over.add(announcer.subscribe(honoured, notice -> latest.add(notice, () -> notice)));
            request.reply().notice(new Notice.Subscribed(honoured), request.id());
            tasks.forEach(task -> {
                var changes = new Changes(request, task, latest);
                var feed = feeds.subscribe(request.owner(), task.id(), changes);
                over.add(() -> feed.unsubscribe(changes));
            });
            while (true) {
                request.reply().notice(latest.take(), request.id());
            }
        } finally {
            over.forEach(Runnable::run);
        }
    }

    /**
     * The tasks of the honoured subscription. It has no ids that are unknown to the caller: observers are told of one
     * of these. Ids beyond the limit are not looked up.
     */
    private List<Task> tasks(InboundRequest request, Call.Listen call) {
        var ids = call.wanted().taskIds().stream().distinct().limit(Features.WATCHED);
        List<Task> known = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        ids.forEach(id -> verbs.find(request, id).ifPresentOrElse(known::add, () -> unknown.add(id)));
        unknown.stream()
                .findFirst()
                .ifPresent(id -> request.reply()
                        .observed()
                        .tell(caller -> new ServerEvent.Refused(caller, Rule.UNKNOWN_ID, id, null)));
        return known;
    }

    /** The unsent notices for a client that may read slowly: only the latest notice of each thing. Thread-safe. */
    private static final class LatestNotices {
        private final SequencedMap<Object, Supplier<Notice>> all = new LinkedHashMap<>();
        private final Guard lock = new Guard();
        private final Condition added = lock.newCondition();

        void add(Object what, Supplier<Notice> notice) {
            lock.run(() -> {
                all.put(what, notice);
                added.signalAll();
            });
        }

        Notice take() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (all.isEmpty()) {
                    added.await();
                }
                return all.pollFirstEntry().getValue().get();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Tells the state of a task at once, so that nothing is missed between an earlier poll and the subscription, and
     * then each change. Log lines and partial output are no change, except for the first piece: from then on the task
     * names its output, which a client reads. A slow client is told only the latest state.
     */
    private final class Changes implements TaskFeed.Subscriber {
        private final InboundRequest request;
        private final LatestNotices latest;
        private @Nullable TaskStatus told;
        private boolean toldOfOutput;
        private volatile long position;

        Changes(InboundRequest request, Task task, LatestNotices latest) {
            this.request = request;
            this.latest = latest;
            position = task.position().lastEvent();
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public boolean event(Task now, TaskEvent event) {
            position = event.seq();
            return true;
        }

        @Override
        public void current(Task now) {
            // After the end, only the stop of the work can follow, which clients do not see.
            boolean isOver = told != null && told.state().isTerminal();
            boolean isNew = !now.status().equals(told) || now.position().lastOutput() > 0 && !toldOfOutput;
            if (!isOver && isNew) {
                told = now.status();
                toldOfOutput = now.position().lastOutput() > 0;
                latest.add(this, () -> notice(now));
            }
        }

        @Override
        public void gone() {
            // The client was told of the end before the task was removed.
        }

        private Notice notice(Task now) {
            AuditLog.seen(now, request);
            return new Notice.TaskChanged(TaskViews.of(context).of(now));
        }
    }
}
