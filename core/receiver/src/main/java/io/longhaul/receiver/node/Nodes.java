// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.node;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.Listening;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.RandomText;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages between the nodes over one store. A live node renews a row. A message is one row for each other live
 * node, which the message wakes, and which takes and removes it within {@link #LOOK} where it cannot be woken. Messages
 * of one node are taken in the order in which that node sent them, those of several nodes in the order of their clocks.
 * A message is lost only with the node that it is for. Where no other process has the store, nothing is written or
 * sent. Thread-safe.
 */
public final class Nodes implements AutoCloseable {

    /** How often a node looks for messages where nothing wakes it. */
    static final Duration LOOK = Duration.ofMillis(250);

    /** How often a node looks that messages wake: a wake may be lost. */
    static final Duration SLOW_LOOK = Duration.ofSeconds(1);

    /** The time without a renewal of its row after which a node counts as dead. */
    static final Duration TERM = Duration.ofSeconds(20);

    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);
    private static final String LIVING = "receiver-node";
    private static final String MESSAGES = "node-message";
    /** The longest pause of a node after which it still gets all messages that were sent meanwhile. */
    private static final Duration KEPT = Duration.ofMinutes(1);

    private static final int ID_BYTES = 9;
    private static final int ID_LENGTH = 12;
    private static final int MANY = 1_000;
    /** The most messages that are in memory at once: a response of a client may have some megabytes. */
    private static final int AT_ONCE = 8;

    private static final String CONNECTION = "connection-";

    private final TaskEngine engine;
    private final RandomGenerator random;
    private final boolean isShared;
    private final String id;
    private final Map<NodeMessage.Kind, Consumer<NodeMessage>> takers = new EnumMap<>(NodeMessage.Kind.class);
    private final Guard lock = new Guard();
    /** The messages that were taken, and whose removal the store has not confirmed. */
    private final Set<String> taken = new HashSet<>();

    /** The moment of the last message of this node, in microseconds of its clock. */
    private final AtomicLong sent = new AtomicLong();

    private final AtomicBoolean isWoken = new AtomicBoolean();

    private Listening listening = Listening.DEAF;
    private Instant renewal = Instant.MIN;
    private TaskTime.Alarm next = () -> {};
    private volatile boolean closed;

    /** @param random unpredictable */
    public Nodes(TaskEngine engine, RandomGenerator random) {
        this.engine = engine;
        this.random = random;
        isShared = rows().isShared();
        id = isShared ? newId() : "";
    }

    /** Has {@code taker} take the messages of a kind; only the store may block it. Call this before {@link #start}. */
    public void take(NodeMessage.Kind kind, Consumer<NodeMessage> taker) {
        takers.put(kind, taker);
    }

    /** Makes this node live from now on. */
    public void start() {
        if (isShared) {
            look();
            listening = rows().listen(id, this::woken);
            later();
        }
    }

    /** The id of this node; empty where the store is not shared. */
    public String id() {
        return id;
    }

    public boolean isAlive(String node) {
        return rows().get(LIVING, node, now().plus(KEPT).minus(TERM)).isPresent();
    }

    /** Sends a message to one other node. Where the store fails, the message is not sent. */
    public void tellNode(String node, NodeMessage.Kind kind, String session, Json body) {
        try {
            put(node, new NodeMessage(kind, session, body).toPayload());
        } catch (StoreException e) {
            LOG.warn("another node is not told {}: {}", kind, e.getMessage());
        }
    }

    private void put(String node, Payload message) {
        rows().put(new StoredRow(MESSAGES, node + "/" + nextInOrder() + newId(), message, now().plus(KEPT)));
        rows().wake(node);
    }

    /** Rows are read in the order of their keys. */
    private String nextInOrder() {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now());
        return HexFormat.of().toHexDigits(sent.updateAndGet(last -> Math.max(last + 1, micros)));
    }

    /** Sends a message to each other live node, and to each that may be paused and goes on with its memory. */
    public void tell(NodeMessage.Kind kind, String session, Json body) {
        if (!isShared) {
            return;
        }
        var message = new NodeMessage(kind, session, body).toPayload();
        for (var node : rows().list(LIVING, null, MANY, now())) {
            if (!node.key().equals(id)) {
                put(node.key(), message);
            }
        }
    }

    /** As {@link #tell}, for messages that nothing depends on: where the store fails, the message is not sent. */
    public void tellIfPossible(NodeMessage.Kind kind, String session, Json body) {
        try {
            tell(kind, session, body);
        } catch (StoreException e) {
            LOG.warn("other nodes are not told {}: {}", kind, e.getMessage());
        }
    }

    /** The name of the session of a lasting connection, which contains the id of this node. */
    public String connection(String name) {
        return CONNECTION + id + name;
    }

    /** Whether a session belongs to a lasting connection of another live node. */
    public boolean hasConnection(String session) {
        int end = CONNECTION.length() + ID_LENGTH;
        if (!isShared || !session.startsWith(CONNECTION) || session.length() < end) {
            return false;
        }
        String node = session.substring(CONNECTION.length(), end);
        return !node.equals(id) && isAlive(node);
    }

    /**
     * Takes at once all messages that were sent so far, such as those sent before an action that this node has just
     * seen. Do not call this under a lock that a taker needs.
     */
    public void catchUp() {
        if (isShared) {
            look();
        }
    }

    /** Takes the messages to this node. */
    private void look() {
        lock.run(() -> {
            if (closed) {
                return;
            }
            try {
                renew();
                for (int taken = 0; taken < MANY && takeSome(); ) {
                    taken += AT_ONCE;
                }
            } catch (StoreException e) {
                LOG.debug("what other nodes tell is read later", e);
            }
        });
    }

    /** Whether more messages may be there. */
    private boolean takeSome() {
        var told = rows().list(MESSAGES, id + "/", AT_ONCE, now()).stream()
                .filter(row -> row.key().startsWith(id))
                .toList();
        for (var row : told) {
            if (taken.add(row.key())) {
                take(row);
            }
            rows().remove(MESSAGES, row.key());
            taken.remove(row.key());
        }
        return told.size() == AT_ONCE;
    }

    private void take(StoredRow row) {
        try {
            var message = NodeMessage.of(row.value());
            var taker = takers.get(message.kind());
            if (taker != null) {
                taker.accept(message);
            }
        } catch (RuntimeException e) {
            LOG.warn("a message of another node is not taken: {}", e.toString());
        }
    }

    private void renew() {
        Instant now = now();
        if (!now.isBefore(renewal)) {
            rows().put(new StoredRow(LIVING, id, Payload.EMPTY, now.plus(KEPT)));
            renewal = now.plus(TERM.dividedBy(4));
        }
    }

    /** Several wakes before the look are one. */
    private void woken() {
        if (isWoken.compareAndSet(false, true)) {
            fork(() -> {
                isWoken.set(false);
                lookAndGoOn();
            });
        }
    }

    private static void fork(Runnable look) {
        Thread.ofVirtual().name("nodes").start(look);
    }

    /** A look that fails, such as for want of memory, is logged: the others would take this node for dead. */
    private void lookAndGoOn() {
        try {
            look();
        } catch (RuntimeException | Error e) {
            LOG.error("a look for what other nodes tell failed; the next one follows", e);
        } finally {
            later();
        }
    }

    private void later() {
        lock.run(() -> {
            if (!closed) {
                next.cancel();
                var pause = listening.hears().getAsBoolean() ? SLOW_LOOK : LOOK;
                next = engine.time().at(now().plus(pause), () -> fork(this::lookAndGoOn));
            }
        });
    }

    /** Ends the messages to this node. */
    @Override
    public void close() {
        lock.run(() -> {
            closed = true;
            listening.end().run();
            next.cancel();
        });
        try {
            if (isShared) {
                rows().remove(LIVING, id);
            }
        } catch (StoreException e) {
            LOG.debug("other nodes find out later that this one has ended", e);
        }
    }

    private String newId() {
        return RandomText.of(random, ID_BYTES);
    }

    private Instant now() {
        return engine.time().now();
    }

    private RowStore rows() {
        return engine.rows();
    }
}
