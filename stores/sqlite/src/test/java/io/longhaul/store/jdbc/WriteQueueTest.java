// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.store.jdbc.sql.Operator;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.WriteQueue;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WriteQueueTest {
    @TempDir
    Path folder;

    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicInteger rollbacks = new AtomicInteger();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final FullDisk disk = new FullDisk();
    private Path file;
    private SqliteSession session;
    private WriteQueue queue;
    private volatile StoreException doubt;
    private volatile Error speechless;
    private volatile Runnable atBegin = () -> {};

    @BeforeEach
    void openQueue() throws SQLException {
        file = folder.resolve("some.db");
        session = disk.open(file);
        session.script("CREATE TABLE number (n INTEGER PRIMARY KEY, body BLOB)");
        var operator = new Operator(new SqliteFailures(file), (line, failure) -> tell(line), later -> {});
        queue = new WriteQueue(new Counting(), operator);
    }

    @AfterEach
    void closeQueue() {
        queue.close();
    }

    @Test
    void one_failing_write_does_not_spoil_those_that_share_its_transaction() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var gate = new CountDownLatch(1);
            var first = threads.submit(() -> queue.write(session -> waitFor(gate)));
            var others = new ArrayList<Future<Integer>>();
            for (var i = 0; i < 20; i++) {
                var number = i;
                others.add(threads.submit(() -> queue.write(session -> insert(session, number == 13 ? 12 : number))));
            }
            gate.countDown();
            first.get();
            var failed = others.stream().filter(WriteQueueTest::hasFailed).count();
            assertThat(failed).isEqualTo(1);
        }
        assertThat(numbers()).isEqualTo(19);
    }

    @Test
    void a_write_that_is_queued_while_a_transaction_begins_shares_it() throws Exception {
        var later = new Thread(() -> queue.write(session -> insert(session, 2)));
        atBegin = () -> {
            atBegin = () -> {};
            later.start();
            while (later.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        };
        queue.write(session -> insert(session, 1));
        later.join();
        assertThat(numbers()).isEqualTo(2);
        assertThat(commits.get()).isEqualTo(1);
    }

    @Test
    void a_full_disk_is_told_and_writing_goes_on_when_there_is_room_again() throws Exception {
        queue.write(session -> session.queryOne(row -> row.getInt(1), "PRAGMA max_page_count = 20"));
        assertThatThrownBy(() -> queue.write(session -> insert(session, 1, 1 << 20)))
                .isInstanceOf(StoreFullException.class)
                .hasMessageContaining("the disk is full");
        assertThat(rollbacks.get()).isPositive();
        queue.write(session -> session.queryOne(row -> row.getInt(1), "PRAGMA max_page_count = 100000"));
        queue.write(session -> insert(session, 1, 1 << 20));
        assertThat(numbers()).isEqualTo(1);
    }

    @Test
    void what_waits_is_written_before_the_queue_closes() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var gate = new CountDownLatch(1);
            var running = new CountDownLatch(1);
            threads.submit(() -> queue.write(session -> {
                running.countDown();
                return waitFor(gate);
            }));
            running.await();
            var waiting = threads.submit(() -> queue.write(session -> insert(session, 1)));
            gate.countDown();
            assertThat(waiting.get()).isEqualTo(1);
            queue.close();
        }
        assertThatThrownBy(() -> queue.write(session -> 1)).hasMessageContaining("closed");
        assertThat(numbers()).isEqualTo(1);
    }

    @Test
    void an_error_in_one_write_answers_its_caller_alone_and_is_told_and_writing_goes_on() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var gate = new CountDownLatch(1);
            threads.submit(() -> queue.write(session -> waitFor(gate)));
            var failing = threads.submit(() -> queue.write(session -> {
                insert(session, 1);
                throw new OutOfMemoryError("a test");
            }));
            var other = threads.submit(() -> queue.write(session -> insert(session, 2)));
            gate.countDown();
            assertThatThrownBy(failing::get)
                    .hasCauseInstanceOf(StoreException.class)
                    .hasRootCauseInstanceOf(OutOfMemoryError.class);
            assertThat(other.get()).isEqualTo(1);
        }
        queue.write(session -> insert(session, 3));
        assertThat(numbers()).isEqualTo(2);
        assertThat(told).hasSize(1);
    }

    @Test
    void writing_goes_on_where_the_operator_cannot_be_told() throws Exception {
        speechless = new OutOfMemoryError("a test");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var gate = new CountDownLatch(1);
            var running = new CountDownLatch(1);
            threads.submit(() -> queue.write(session -> {
                running.countDown();
                return waitFor(gate);
            }));
            running.await();
            var failing = threads.submit(() -> queue.write(session -> {
                throw new OutOfMemoryError("a test");
            }));
            var other = threads.submit(() -> queue.write(session -> insert(session, 1)));
            gate.countDown();
            assertThatThrownBy(failing::get).hasCauseInstanceOf(StoreException.class);
            assertThat(other.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void a_commit_that_cannot_be_believed_is_answered_with_the_reason_and_so_is_all_that_follows() throws Exception {
        doubt = new StoreException("the file is gone");
        for (var i = 0; i < 2; i++) {
            var number = i;
            assertThatThrownBy(() -> queue.write(session -> insert(session, number)))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("the file is gone");
        }
        assertThat(numbers()).isEqualTo(1);
    }

    @Test
    void a_sync_that_has_failed_once_is_told_with_one_line_and_refuses_all_that_follows() throws Exception {
        queue.write(session -> insert(session, 1));
        disk.failNextSync();
        for (var i = 2; i < 5; i++) {
            var number = i;
            assertThatThrownBy(() -> queue.write(session -> insert(session, number)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("some.db: the disk failed");
        }
        assertThat(told).hasSize(1);
        assertThat(numbers()).isEqualTo(1);
    }

    /** Refuses to believe a commit where the test says so. */
    private final class Counting implements WriteQueue.Companion {
        @Override
        public SqlSession take() {
            return session;
        }

        @Override
        public void giveBack(SqlSession taken) {}

        @Override
        public void begin(SqlSession session) throws SQLException {
            session.begin();
            atBegin.run();
        }

        @Override
        public void end(boolean isSound) throws SQLException {
            session.close();
        }

        @Override
        public void complete(SqlSession session) {}

        @Override
        public void committing() {}

        @Override
        public void committed() {
            commits.incrementAndGet();
            if (doubt != null) {
                throw doubt;
            }
        }

        @Override
        public void rolledBack() {
            rollbacks.incrementAndGet();
        }
    }

    private void tell(String line) {
        if (speechless != null) {
            throw speechless;
        }
        told.add(line);
    }

    private long numbers() throws SQLException {
        try (var session = DataFile.openReader(file)) {
            return session.queryOne(row -> row.getLong(1), "SELECT count(*) FROM number")
                    .orElseThrow();
        }
    }

    private static int insert(SqlSession session, int number) throws SQLException {
        return insert(session, number, 10);
    }

    private static int insert(SqlSession session, int number, int size) throws SQLException {
        return session.update("INSERT INTO number (n, body) VALUES (?, ?)", number, new byte[size]);
    }

    private static int waitFor(CountDownLatch gate) {
        try {
            gate.await();
            return 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean hasFailed(Future<Integer> write) {
        try {
            write.get();
            return false;
        } catch (Exception e) {
            return true;
        }
    }
}
