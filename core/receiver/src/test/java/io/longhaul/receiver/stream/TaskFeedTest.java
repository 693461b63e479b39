// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Watched;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.store.contract.TaskFixtures;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What subscribers of a feed get: each event once, in order, whether it comes from a commit or from the record. */
@Timeout(30)
class TaskFeedTest {

    /** The events of commits that a feed keeps. */
    private static final int TAIL = 256;

    private final List<TaskEvent> record = new CopyOnWriteArrayList<>();
    private final BlockingQueue<TaskWatcher> watchers = new LinkedBlockingQueue<>();
    private final BlockingQueue<TaskWatcher> stopped = new LinkedBlockingQueue<>();
    private final TaskFeed.All feeds = new TaskFeed.All(engine());
    private volatile Task now = TaskFixtures.task(1);
    private volatile boolean isGone;
    private volatile Runnable whileWatching = () -> {};
    private volatile Runnable whileReading = () -> {};
    private final FakeTime time = new FakeTime();

    /** An engine of one task, whose commits are those of the test. */
    private TaskEngine engine() {
        return (TaskEngine) Proxy.newProxyInstance(
                TaskEngine.class.getClassLoader(), new Class<?>[] {TaskEngine.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "watch" -> {
                            var watcher = (TaskWatcher) arguments[2];
                            var found = now;
                            whileWatching.run();
                            watchers.add(watcher);
                            return isGone
                                    ? Optional.empty()
                                    : Optional.of(new Watched(found, () -> stopped.add(watcher)));
                        }
                        case "history" -> {
                            long after = (long) arguments[2];
                            whileReading.run();
                            return record.stream()
                                    .filter(event -> event.seq() > after)
                                    .limit((int) arguments[3])
                                    .toList();
                        }
                        case "time" -> {
                            return time;
                        }
                        default -> throw new IllegalStateException(method.getName());
                    }
                });
    }

    /** Another event that is stored. */
    private TaskEvent commit() {
        var change = TaskFixtures.progress(now, now.position().lastEvent());
        record.addAll(change.events());
        now = change.after();
        return change.events().getFirst();
    }

    /** Another event, of which the feed hears with its commit. */
    private void commit(TaskWatcher commits) {
        var event = commit();
        commits.changed(now, List.of(event));
    }

    /** Takes all that comes, while it has room. */
    private record Listener(
            AtomicLong at,
            AtomicBoolean isFull,
            List<Long> told,
            BlockingQueue<Long> current,
            BlockingQueue<Long> snapshots,
            BlockingQueue<String> ends)
            implements TaskFeed.Subscriber {
        Listener(long position) {
            this(
                    new AtomicLong(position),
                    new AtomicBoolean(),
                    new CopyOnWriteArrayList<>(),
                    new LinkedBlockingQueue<>(),
                    new LinkedBlockingQueue<>(),
                    new LinkedBlockingQueue<>());
        }

        @Override
        public long position() {
            return at.get();
        }

        @Override
        public boolean event(Task task, TaskEvent event) {
            if (isFull.get()) {
                ends.add("no room for " + event.seq());
                return false;
            }
            told.add(event.seq());
            at.set(event.seq());
            return true;
        }

        @Override
        public void current(Task task) {
            snapshots.add(task.position().lastEvent());
            current.add(at.get());
        }

        @Override
        public void gone() {
            ends.add("gone");
        }

        /** All that it was told up to an event. */
        List<Long> upTo(long seq) throws InterruptedException {
            while (current.take() < seq) {
                // It is told more.
            }
            return told;
        }
    }

    private TaskFeed subscribe(Listener listener) {
        return feeds.subscribe(TaskFixtures.ALICE, now.id(), listener);
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void a_subscriber_behind_what_is_kept_in_memory_has_the_rest_from_the_record() throws Exception {
        subscribe(new Listener(1));
        var commits = watchers.take();
        for (int more = 0; more < TAIL + 1; more++) {
            commit(commits);
        }
        long last = now.position().lastEvent();
        // The tail begins with the third event: the second one is in the record alone.
        var listener = new Listener(1);
        subscribe(listener);
        assertThat(listener.upTo(last)).isEqualTo(range(2, last));
    }

    @Test
    void events_of_a_commit_that_was_found_in_the_store_come_from_the_record() throws Exception {
        var listener = new Listener(1);
        subscribe(listener);
        var commits = watchers.take();
        commit(commits);
        commit();
        commits.changed(now, List.of());
        assertThat(listener.upTo(3)).isEqualTo(range(2, 3));
        commit(commits);
        assertThat(listener.upTo(4)).isEqualTo(range(2, 4));
    }

    @Test
    void events_of_a_commit_that_the_feed_did_not_hear_of_come_from_the_record() throws Exception {
        var listener = new Listener(1);
        subscribe(listener);
        var commits = watchers.take();
        commit(commits);
        assertThat(listener.upTo(2)).isEqualTo(range(2, 2));
        commit();
        commit(commits);
        assertThat(listener.upTo(4)).isEqualTo(range(2, 4));
    }

    @Test
    void whoever_joins_after_the_last_one_has_left_is_told_what_came_meanwhile_and_what_comes_then() throws Exception {
        var first = new Listener(1);
        var feed = subscribe(first);
        var before = watchers.take();
        first.upTo(1);
        feed.unsubscribe(first);
        assertThat(stopped.take()).isSameAs(before);
        commit(before);
        var second = new Listener(1);
        subscribe(second);
        var commits = watchers.take();
        assertThat(second.upTo(2)).isEqualTo(range(2, 2));
        commit(commits);
        assertThat(second.upTo(3)).isEqualTo(range(2, 3));
        assertThat(first.told).isEmpty();
    }

    @Test
    void a_feed_whose_last_listener_leaves_while_it_begins_to_watch_watches_no_more() throws Exception {
        var listener = new Listener(1);
        var watching = new LinkedBlockingQueue<Runnable>();
        whileWatching = () -> {
            try {
                watching.take().run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        var feed = subscribe(listener);
        watching.add(() -> feed.unsubscribe(listener));
        assertThat(stopped.take()).isSameAs(watchers.take());
    }

    @Test
    void no_snapshot_of_the_task_comes_behind_events_that_are_later() throws Exception {
        commit();
        whileReading = () -> {
            whileReading = () -> {};
            commit();
        };
        var listener = new Listener(1);
        subscribe(listener);
        long at = listener.current.take();
        assertThat(listener.snapshots.take()).isEqualTo(at).isEqualTo(2);
    }

    @Test
    void a_subscriber_without_room_is_told_nothing_more_until_it_says_that_it_has_room() throws Exception {
        commit();
        commit();
        var listener = new Listener(1);
        listener.isFull.set(true);
        var feed = subscribe(listener);
        assertThat(listener.ends.take()).isEqualTo("no room for 2");
        // The next subscriber is looked after when the first one is done with.
        var second = new Listener(1);
        subscribe(second);
        assertThat(second.upTo(3)).isEqualTo(range(2, 3));
        assertThat(listener.current).as("the first one has not all events").isEmpty();
        listener.isFull.set(false);
        feed.poke();
        assertThat(listener.upTo(3)).isEqualTo(range(2, 3));
    }

    @Test
    void the_state_before_a_commit_does_not_replace_the_commit_that_came_while_the_feed_began_to_watch()
            throws Exception {
        var listener = new Listener(1);
        var began = new LinkedBlockingQueue<TaskFeed>();
        whileWatching = () -> {
            try {
                commit(began.take());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        began.add(subscribe(listener));
        assertThat(listener.upTo(2)).isEqualTo(range(2, 2));
        assertThat(listener.snapshots).doesNotContain(1L);
    }

    @Test
    void subscribers_of_a_task_that_is_gone_are_told_so() throws Exception {
        isGone = true;
        var listener = new Listener(1);
        subscribe(listener);
        assertThat(listener.ends.take()).isEqualTo("gone");
        assertThat(listener.current).isEmpty();
    }

    @Test
    void subscribers_of_a_task_that_is_removed_are_told_so() throws Exception {
        var listener = new Listener(1);
        subscribe(listener);
        var commits = watchers.take();
        listener.upTo(1);
        isGone = true;
        commits.removed();
        assertThat(listener.ends.take()).isEqualTo("gone");
    }

    @Test
    void what_the_store_does_not_give_now_is_told_a_second_later() throws Exception {
        commit();
        whileReading = () -> {
            whileReading = () -> {};
            throw new StoreException("the disk is away");
        };
        var listener = new Listener(1);
        subscribe(listener);
        time.awaitAlarms(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(listener.upTo(2)).isEqualTo(range(2, 2));
    }
}
