// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.RowStore.Listening;
import io.longhaul.engine.store.StoreException;
import io.longhaul.store.jdbc.sql.ReadPool;
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

    private static final String NOTIFY_ALONE = "SELECT pg_notify('longhaul', ?)";

    /** The name that all nodes with tasks have beside their own. */
    static final String EVERYBODY = "";

    /** The beginning of the name of a wake by which a process finds out whether it hears wakes. */
    private static final String PROBE = "? ";

    /** After this time without a notification the connection is tested. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private static final Duration AGAIN = Duration.ofSeconds(1);

    private record Listener(List<String> names, Runnable woken) {}

    private final Database database;
    private final ReadPool readers;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread thread;
    private volatile @Nullable Connection listening;
    private volatile boolean hears;

    Wakes(Database database, ReadPool readers) {
        this.database = database;
        this.readers = readers;
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

    /**
     * Wakes a node by a statement of its own: a transaction that writes and notifies has a lock of the whole database
     * until its commit is on the disk.
     */
    void wake(String node) {
        try {
            readers.single(session -> session.queryOne(row -> true, NOTIFY_ALONE, schema() + node));
        } catch (StoreException e) {
            LOG.debug("Node {} finds out at its next look", node, e);
        }
    }

    /** Runs an action for each wake of one of these names, of which the first is that of this process alone. */
    synchronized Listening add(List<String> names, Runnable woken) {
        var listener = new Listener(names, woken);
        listeners.add(listener);
        if (thread == null) {
            thread = Thread.ofPlatform()
                    .daemon()
                    .name("longhaul-store-listener")
                    .start(() -> run(PROBE + names.getFirst()));
        }
        return new Listening(() -> hears, () -> listeners.remove(listener));
    }

    /** @param probe a name that only this process wakes */
    private void run(String probe) {
        do {
            try (var connection = database.upgrading().getConnection()) {
                int silenceBefore = Database.limitSilence(connection);
                try {
                    listening = connection;
                    listen(connection, probe);
                } finally {
                    hears = false;
                    Database.giveBack(connection, silenceBefore);
                }
            } catch (SQLException e) {
                LOG.debug("Nothing is heard of other nodes before the next look", e);
            }
        } while (!isClosedWithin(AGAIN));
    }

    /**
     * Hears of wakes until the connection ends. Whether a pooler passes them on only a wake from another connection
     * tells.
     */
    private void listen(Connection connection, String probe) throws SQLException {
        connection.setAutoCommit(true);
        var notices = connection.unwrap(PGConnection.class);
        try (var statement = connection.createStatement()) {
            statement.execute("LISTEN longhaul");
            wake(probe);
            while (!isClosedWithin(Duration.ZERO)) {
                var heard = notices.getNotifications((int) SILENCE.toMillis());
                if (heard.length == 0) {
                    statement.execute("SELECT 1");
                    if (!hears) {
                        wake(probe);
                    }
                }
                var said = Set.copyOf(
                        Stream.of(heard).map(PGNotification::getParameter).toList());
                hears |= said.contains(schema() + probe);
                listeners.stream()
                        .filter(listener -> listener.names.stream().anyMatch(name -> said.contains(schema() + name)))
                        .forEach(one -> one.woken.run());
            }
        }
    }

    private String schema() {
        return database.schema().name() + ' ';
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
