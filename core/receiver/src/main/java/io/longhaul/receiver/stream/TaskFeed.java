// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds all subscribers on this node with what happens to one task; the only reader of the task's history. Events of a
 * live task come with the engine's commits; for a subscriber that is further behind, the feed reads the stored history.
 * The feed has a thread only while it has something to deliver. Thread-safe.
 */
public final class TaskFeed implements TaskWatcher {

    /** Receives what happens, one method call at a time. No method may wait for a client. */
    public interface Subscriber {
        /** The last event that the subscriber has. */
        long position();

        /** Takes the next event; false where the subscriber has no room now, and pokes the feed later. */
        boolean event(Task now, TaskEvent event);

        /** The subscriber has all events up to this snapshot. */
        void current(Task now);

        void gone();
    }

    /** The feeds of all tasks that have subscribers. */
    public static final class All {
        private final TaskEngine engine;
        private final Map<TaskId, TaskFeed> feeds = new ConcurrentHashMap<>();

        All(TaskEngine engine) {
            this.engine = engine;
        }

        /** Subscribes, and gives the feed, which is poked at once. */
        public TaskFeed subscribe(Owner owner, TaskId task, Subscriber subscriber) {
            var feed = feeds.compute(task, (id, there) -> {
                var known = there == null ? new TaskFeed(this, engine, owner, id) : there;
                known.subscribers.add(subscriber);
                return known;
            });
            feed.poke();
            return feed;
        }

        List<Subscriber> of(TaskId task) {
            var feed = feeds.get(task);
            return feed == null ? List.of() : List.copyOf(feed.subscribers);
        }

        private void unsubscribe(TaskFeed feed, Subscriber subscriber) {
            feeds.computeIfPresent(feed.id, (id, there) -> {
                there.subscribers.remove(subscriber);
                if (!there.subscribers.isEmpty()) {
                    return there;
                }
                there.stop();
                return null;
            });
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(TaskFeed.class);
    private static final int PAGE = 200;
    private static final int TAIL = 256;
    private static final int TAIL_BYTES = 256 << 10;
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final All all;
    private final TaskEngine engine;
    private final Owner owner;
    private final TaskId id;
    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private final AtomicInteger pokes = new AtomicInteger();
    private final Deque<TaskEvent> tail = new ArrayDeque<>();
    private int tailBytes;
    private @Nullable Task latest;
    private @Nullable Runnable stop;
    private boolean stopped;

    private TaskFeed(All all, TaskEngine engine, Owner owner, TaskId id) {
        this.all = all;
        this.engine = engine;
        this.owner = owner;
        this.id = id;
    }

    public void unsubscribe(Subscriber subscriber) {
        all.unsubscribe(this, subscriber);
    }

    /** Delivers to all subscribers, on a thread of the feed. */
    void poke() {
        if (pokes.getAndIncrement() == 0) {
            Thread.ofVirtual().name("feed-" + id).start(this::run);
        }
    }

    private void run() {
        int seen;
        do {
            seen = pokes.get();
            try {
                deliver();
            } catch (StoreException e) {
                LOG.info("what happens to task {} is told later: {}", id, e.getMessage());
                engine.time().at(engine.time().now().plus(AGAIN), this::poke);
            } catch (RuntimeException | Error e) {
                LOG.error("what happens to task {} is not told", id, e);
            }
        } while (!pokes.compareAndSet(seen, 0));
    }

    private void deliver() {
        var now = now();
        for (var subscriber : subscribers) {
            if (now.isEmpty()) {
                subscriber.gone();
            } else if (catchUp(now.get(), subscriber)) {
                subscriber.current(now.get());
            }
        }
    }

    /** False where the subscriber has no room. */
    private boolean catchUp(Task now, Subscriber subscriber) {
        while (subscriber.position() < now.position().lastEvent()) {
            var page = after(subscriber.position());
            if (page.isEmpty()) {
                return true;
            }
            for (var event : page) {
                if (event.seq() > now.position().lastEvent()) {
                    return true;
                }
                if (!subscriber.event(now, event)) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<TaskEvent> after(long position) {
        synchronized (this) {
            if (!tail.isEmpty() && tail.getFirst().seq() <= position + 1) {
                return tail.stream().filter(event -> event.seq() > position).toList();
            }
        }
        return engine.history(owner, id, position, PAGE);
    }

    private Optional<Task> now() {
        synchronized (this) {
            if (latest != null) {
                return Optional.of(latest);
            }
        }
        var watched = engine.watch(owner, id, this);
        synchronized (this) {
            if (watched.isEmpty()) {
                return Optional.empty();
            }
            var found = watched.get();
            if (stopped) {
                found.stop().run();
            } else {
                stop = found.stop();
            }
            if (latest == null
                    || latest.position().version() < found.now().position().version()) {
                latest = found.now();
            }
            return Optional.of(latest);
        }
    }

    @Override
    public void changed(Task now, List<TaskEvent> events) {
        synchronized (this) {
            if (latest != null && latest.position().version() > now.position().version()) {
                // A snapshot of another node's task, read before the watch began, may arrive after a newer one.
                return;
            }
            latest = now;
            events.forEach(this::keep);
            if (!tail.isEmpty() && tail.getLast().seq() != now.position().lastEvent()) {
                forget();
            }
        }
        poke();
    }

    @Override
    public void removed() {
        synchronized (this) {
            latest = null;
            forget();
        }
        poke();
    }

    private void keep(TaskEvent event) {
        if (!tail.isEmpty() && tail.getLast().seq() + 1 != event.seq()) {
            forget();
        }
        tail.addLast(event);
        tailBytes += event.what().bytes();
        while (tail.size() > TAIL || tailBytes > TAIL_BYTES) {
            tailBytes -= tail.removeFirst().what().bytes();
        }
    }

    private void forget() {
        tail.clear();
        tailBytes = 0;
    }

    private synchronized void stop() {
        stopped = true;
        if (stop != null) {
            stop.run();
        }
    }
}
