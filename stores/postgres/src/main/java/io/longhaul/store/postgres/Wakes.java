// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes nodes with {@code NOTIFY} when there is something new for them, and receives wakes with {@code LISTEN} on a
 * connection of its own. No guarantee depends on wakes: nodes also poll every second, and a pooler that passes no
 * notifications on leaves only the polls. Thread-safe.
 */
final class Wakes {

    private static final Logger LOG = LoggerFactory.getLogger(Wakes.class);

    /** The schema precedes the node, because all schemas of a database share the channel. */
    private static final String NOTIFY = "SELECT pg_notify('longhaul', current_schema() || ' ' || ?)";

    private static final String EVERYBODY = "";

    /** After this time without a notification the connection is tested. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private static final Duration AGAIN = Duration.ofSeconds(1);

    private record Listener(String node, Runnable woken) {}

    private final Database database;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread thread;
    private volatile @Nullable Connection listening;

    Wakes(Database database) {
        this.database = database;
    }

    /** Wakes a node when the transaction is committed. */
    static void node(SqlSession session, String node) throws SQLException {
        // model: wake
        session.queryOne(row -> true, NOTIFY, node);
    }

    /** Wakes all nodes when the transaction is committed. */
    static void everybody(SqlSession session) throws SQLException {
        node(session, EVERYBODY);
    }

    /** Runs an action for each wake of a node; the result removes the listener. */
    synchronized Runnable add(String node, Runnable woken) {
        var listener = new Listener(node, woken);
        listeners.add(listener);
        if (thread == null) {
            thread =
                    Thread.ofPlatform().daemon().name("longhaul-store-listener").start(this::run);
        }
        return () -> listeners.remove(listener);
    }

    private void run() {
        do {
            try (var connection = database.upgrading().getConnection()) {
                int silenceBefore = Database.limitSilence(connection);
                try {
                    listening = connection;
                    listen(connection);
                } finally {
                    Database.giveBack(connection, silenceBefore);
                }
            } catch (SQLException e) {
                LOG.debug("Nothing is heard of other nodes before the next look", e);
            }
        } while (!isClosedWithin(AGAIN));
    }

    private void listen(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        var notices = connection.unwrap(PGConnection.class);
        try (var statement = connection.createStatement()) {
            statement.execute("LISTEN longhaul");
            while (!isClosedWithin(Duration.ZERO)) {
                var heard = notices.getNotifications((int) SILENCE.toMillis());
                if (heard.length == 0) {
                    statement.execute("SELECT 1");
                }
                var said = Set.copyOf(
                        Stream.of(heard).map(PGNotification::getParameter).toList());
                listeners.stream().filter(listener -> concerns(listener, said)).forEach(one -> one.woken.run());
            }
        }
    }

    private boolean concerns(Listener listener, Set<String> said) {
        var schema = database.schema().name() + " ";
        return said.contains(schema + listener.node) || said.contains(schema + EVERYBODY);
    }

    private boolean isClosedWithin(Duration time) {
        try {
            return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Ends the connection, even while it waits for notifications. */
    void close() {
        closed.countDown();
        var connection = listening;
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("The connection of the listener is gone", e);
            }
        }
    }
}
