// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.store.jdbc.sql.Operator;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.WriteQueue;
import io.longhaul.testkit.ThreadsContract;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/** The writes of many threads in common transactions, of which some fail. */
public class WriteQueueThreadsTest extends ThreadsContract {

    private static final Path NOWHERE = Path.of("memory");

    private final WriteQueue queue;

    public WriteQueueThreadsTest() throws SQLException {
        var session = SqliteSession.writer(DriverManager.getConnection("jdbc:sqlite::memory:"));
        session.script("CREATE TABLE number (n INTEGER)");
        session.script("INSERT INTO number VALUES (0)");
        queue = new WriteQueue(
                new Silent(session), new Operator(new SqliteFailures(NOWHERE), (line, why) -> {}, later -> {}));
    }

    @Operation
    public int add() {
        return queue.write(WriteQueueThreadsTest::add);
    }

    /** Adds, and fails then: what shares its transaction is written all the same, and it is not. */
    @Operation
    public String fail() {
        try {
            return "added "
                    + queue.write(session -> {
                        throw new SQLException("behind " + add(session));
                    });
        } catch (RuntimeException e) {
            return "failed";
        }
    }

    private static int add(SqlSession session) throws SQLException {
        session.update("UPDATE number SET n = n + 1");
        return session.queryOne(row -> row.getInt(1), "SELECT n FROM number").orElseThrow();
    }

    @Validate
    public void all_is_written_when_the_queue_is_closed() {
        queue.close();
    }

    private record Silent(SqlSession session) implements WriteQueue.Companion {
        @Override
        public SqlSession take() {
            return session;
        }

        @Override
        public void giveBack(SqlSession taken) {}

        @Override
        public void end(boolean isSound) throws SQLException {
            session.close();
        }

        @Override
        public void complete(SqlSession session) {}

        @Override
        public void committing() {}

        @Override
        public void committed() {}

        @Override
        public void rolledBack() {}
    }
}
