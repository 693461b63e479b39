package io.longhaul.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.receiver.Tellers.Share;
import io.longhaul.receiver.Tellers.Told;
import io.longhaul.receiver.Tellers.Turn;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TellersTest {

    private static final TaskId TASK = new TaskId("s".repeat(TaskId.LENGTH));
    private static final TaskId OTHER = new TaskId("t".repeat(TaskId.LENGTH));
    private static final int END = 200;
    private static final Told CREATED = new Told(1, TaskState.WORKING);

    private final Tellers tellers = new Tellers();
    private final BlockingQueue<FutureTask<?>> steps = new LinkedBlockingQueue<>();
    private final BlockingQueue<Told> begun = new LinkedBlockingQueue<>();

    @BeforeEach
    void follow() throws InterruptedException {
        tellers.follow(TASK, () -> {
            begun.add(tellers.begin(TASK, CREATED));
            try {
                while (true) {
                    tellers.idle(TASK, steps::take).run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(begun.take()).isEqualTo(CREATED);
    }

    @AfterEach
    void leave() {
        tellers.leave(TASK::equals);
    }

    private <T> T asFollower(Callable<T> step) throws Exception {
        var asked = new FutureTask<>(step);
        steps.add(asked);
        return asked.get();
    }

    private Share comesTo(long seq) throws Exception {
        return asFollower(() -> tellers.share(TASK, seq));
    }

    private void tells(long seq) throws Exception {
        asFollower(() -> {
            assertThat(tellers.share(TASK, seq)).isEqualTo(Share.MINE);
            tellers.tell(TASK, new Told(seq, TaskState.WORKING));
            return seq;
        });
    }

    @Test
    void what_happened_before_a_request_came_is_the_followers_though_it_comes_to_it_later() throws Exception {
        tellers.goOn(TASK, 2);
        assertThat(comesTo(2)).isEqualTo(Share.MINE);
    }

    @Test
    void what_happens_while_a_request_waits_is_the_requests() throws Exception {
        Turn turn = tellers.goOn(TASK, 2);
        tells(2);
        assertThat(comesTo(3)).isEqualTo(Share.OTHERS);
        turn.over(3);
        tells(4);
    }

    @Test
    void a_request_leaves_to_the_follower_what_it_has_begun_to_tell() throws Exception {
        assertThat(comesTo(2)).isEqualTo(Share.MINE);
        assertThat(tellers.goOn(TASK, 1).after()).isEqualTo(2);
    }

    @Test
    void a_stream_that_is_resumed_repeats_what_was_told_elsewhere() throws Exception {
        tells(2);
        assertThat(tellers.repeat(TASK, 1).after()).isEqualTo(1);
    }

    @Test
    void a_follower_begins_again_behind_what_a_request_told_where_it_has_passed_more() throws Exception {
        Turn turn = tellers.goOn(TASK, 1);
        assertThat(comesTo(2)).isEqualTo(Share.OTHERS);
        assertThat(comesTo(3)).isEqualTo(Share.OTHERS);
        turn.over(2);
        assertThat(begun.take()).isEqualTo(new Told(2, TaskState.WORKING));
        assertThat(comesTo(3)).isEqualTo(Share.MINE);
    }

    @Test
    void what_a_request_has_told_is_not_told_by_a_follower_that_comes_to_it_afterwards() throws Exception {
        Turn turn = tellers.goOn(TASK, 3);
        turn.over(5);
        tells(2);
        tells(3);
        assertThat(comesTo(4)).isEqualTo(Share.OTHERS);
        assertThat(comesTo(5)).isEqualTo(Share.OTHERS);
        tells(6);
    }

    @Test
    void of_two_requests_the_earlier_tells_what_came_before_the_later() throws Exception {
        Turn first = tellers.goOn(TASK, 1);
        Turn second = tellers.goOn(TASK, 3);
        assertThat(comesTo(2)).isEqualTo(Share.OTHERS);
        first.over(1);
        assertThat(begun.take()).isEqualTo(CREATED);
        tells(2);
        tells(3);
        assertThat(comesTo(4)).isEqualTo(Share.OTHERS);
        second.over(4);
        assertThat(tellers.told(TASK)).isEqualTo(new Told(4, TaskState.WORKING));
    }

    @Test
    void a_follower_that_was_relieved_has_passed_nothing() throws Exception {
        Turn turn = tellers.goOn(TASK, 1);
        asFollower(() -> {
            assertThat(tellers.share(TASK, 2)).isEqualTo(Share.OTHERS);
            turn.over(1);
            tellers.pass(TASK, new Told(2, TaskState.COMPLETED));
            return null;
        });
        assertThat(begun.take()).isEqualTo(new Told(1, TaskState.COMPLETED));
        assertThat(comesTo(2)).isEqualTo(Share.MINE);
    }

    @Test
    void a_follower_that_has_to_leave_in_the_middle_of_a_message_has_told_it() throws Exception {
        asFollower(() -> {
            assertThat(tellers.share(TASK, 2)).isEqualTo(Share.MINE);
            tellers.leave(TASK::equals);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            tellers.tell(TASK, new Told(2, TaskState.WORKING));
            assertThatThrownBy(() -> tellers.idle(TASK, () -> "went on")).isInstanceOf(InterruptedException.class);
            return null;
        });
        assertThat(tellers.told(TASK)).isEqualTo(new Told(2, TaskState.WORKING));
    }

    @Test
    void what_a_request_has_told_while_nobody_followed_is_not_told_again() throws Exception {
        leave();
        Turn turn = tellers.goOn(TASK, 3);
        turn.over(5);
        follow();
        tells(2);
        tells(3);
        assertThat(comesTo(4)).isEqualTo(Share.OTHERS);
        assertThat(comesTo(5)).isEqualTo(Share.OTHERS);
        tells(6);
    }

    @Test
    void what_was_forgotten_is_told_again() throws Exception {
        Turn turn = tellers.goOn(TASK, 1);
        assertThat(comesTo(2)).isEqualTo(Share.OTHERS);
        turn.over(2);
        tellers.forgetTold();
        asFollower(() -> {
            tellers.pass(TASK, new Told(2, TaskState.WORKING));
            return null;
        });
        assertThat(tellers.told(TASK)).isEqualTo(new Told(2, TaskState.WORKING));
    }

    @Test
    void a_follower_that_leaves_tells_nothing_more() throws Exception {
        assertThat(asFollower(() -> {
                    tellers.leave(TASK::equals);
                    return tellers.share(TASK, 2);
                }))
                .isEqualTo(Share.SUCCESSORS);
    }

    /** Events that happen, a follower, and requests that come and go, each at its own pace. */
    @RepeatedTest(100)
    void each_event_is_told_once_whoever_goes_on_after_whom(RepetitionInfo nth) throws Exception {
        var record = new Record();
        Queue<Long> told = new ConcurrentLinkedQueue<>();
        var missing = new CountDownLatch(END);
        LongConsumer tell = seq -> {
            told.add(seq);
            missing.countDown();
        };
        tellers.follow(OTHER, () -> {
            try {
                followAll(record, tell);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        var requests = Thread.ofVirtual().start(() -> waitAgainAndAgain(record, tell, nth.getCurrentRepetition()));
        while (record.last() < END) {
            record.happens();
            Thread.onSpinWait();
        }
        missing.await();
        requests.join();
        tellers.leave(OTHER::equals);
        assertThat(told)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, END).boxed().toList());
    }

    private void followAll(Record record, LongConsumer tell) throws InterruptedException {
        long cursor = tellers.begin(OTHER, new Told(0, TaskState.WORKING)).seq();
        while (cursor < END) {
            if (record.last() == cursor) {
                tellers.pass(OTHER, new Told(cursor, TaskState.WORKING));
                long next = cursor + 1;
                tellers.idle(OTHER, () -> record.await(next));
            }
            cursor++;
            switch (tellers.share(OTHER, cursor)) {
                case MINE -> {
                    tell.accept(cursor);
                    tellers.tell(OTHER, new Told(cursor, TaskState.WORKING));
                }
                case OTHERS -> {
                    // A request tells it.
                }
                case SUCCESSORS -> {
                    return;
                }
            }
        }
        tellers.idle(OTHER, () -> record.await(Long.MAX_VALUE));
    }

    private void waitAgainAndAgain(Record record, LongConsumer tell, long seed) {
        var random = new Random(seed);
        try {
            long seq = 0;
            while (record.last() < END) {
                // What a request has read of its task is a little old when its turn begins.
                var turn = tellers.goOn(OTHER, Math.max(seq, record.last() - random.nextInt(3)));
                seq = turn.after();
                for (long upTo = Math.min(END, seq + random.nextInt(4)); seq < upTo; ) {
                    record.await(++seq);
                    tell.accept(seq);
                }
                turn.over(seq);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The events of a task, of which only the number counts. */
    private static final class Record {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition more = lock.newCondition();
        private long last;

        void happens() {
            lock.lock();
            try {
                last++;
                more.signalAll();
            } finally {
                lock.unlock();
            }
        }

        long last() {
            lock.lock();
            try {
                return last;
            } finally {
                lock.unlock();
            }
        }

        long await(long seq) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (last < seq) {
                    more.await();
                }
                return last;
            } finally {
                lock.unlock();
            }
        }
    }
}
