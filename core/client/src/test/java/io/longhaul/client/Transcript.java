// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.testkit.NothingLeft;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import tools.jackson.databind.JsonNode;

/**
 * A conversation, written as what the client sends and what the server says to it.
 *
 * <pre>
 * -> tools/call {"name":"report"}    the client sends this method, with at least these params; GET and DELETE are
 * HTTP's, and STREAM is the GET of HTTP with SSE
 * ->* tasks/get                      the same, any number of times
 * -h Mcp-Name: report                and it has sent this header
 * -- Mcp-Session-Id                  and not this one
 * <- {"content":[]}                  the result
 * <! -32602 Unknown                  an error
 * <~ {"method":"ping", …}            any message on the same stream
 * <t {"id":                          any text in place of a message
 * <u 3                               a message over the limit comes in its place, which answers request 3
 * <w                                 not even the head of a reply comes
 * <[ {"jsonrpc":"2.0", …}           any messages in one array with the result of a tool
 * <= 404                             an HTTP status other than 200; also before an error
 * <h Mcp-Session-Id: one             a header of the reply
 * <# 7                               the id of the next event
 * <r 3000                            how long to wait before a reconnection
 * <x                                 the connection breaks
 * <0                                 nobody listens at all
 * <.                                 nothing more is ever said
 * .. {"id":"q1","result":{}}         waits until the client has sent a response like this
 * </pre>
 *
 * A server whose transcript has no GET has no stream of its own, and answers one with 405. Blocks that begin with
 * {@code ->} are used in their order among those that fit a message, so that what goes on at the same time can be
 * written down one after the other.
 */
public final class Transcript {

    /** What one message of the client leads to. */
    static final class Block {
        final String method;
        final JsonNode params;
        final boolean many;
        final List<String> lines = new ArrayList<>();
        int uses;

        private Block(String method, JsonNode params, boolean many) {
            this.method = method;
            this.params = params;
            this.many = many;
        }
    }

    private static final List<Transcript> WRITTEN = new CopyOnWriteArrayList<>();

    private final List<Block> blocks = new ArrayList<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<JsonNode> received = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Map<Object, String> open = new ConcurrentHashMap<>();
    private volatile @Nullable TestTime clock;

    public Transcript(String text) {
        WRITTEN.add(this);
        text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            if (line.startsWith("-> ") || line.startsWith("->* ")) {
                begin(line);
            } else {
                blocks.getLast().lines.add(line);
            }
        });
    }

    private void begin(String line) {
        var parts = line.split(" ", 3);
        var params = parts.length == 3 ? JsonTree.read(Json.raw(parts[2])) : JsonTree.object();
        blocks.add(new Block(parts[1], params, parts[0].equals("->*")));
    }

    /** Records a message of the client, and gives the block that it begins. */
    Optional<Block> take(String method, JsonNode message) {
        lock.lock();
        try {
            received.add(message);
            arrived.signalAll();
            var params = message.path("params");
            var found = blocks.stream()
                    .filter(block -> block.method.equals(method) && (block.many || block.uses == 0))
                    .filter(block -> contains(params, block.params))
                    .findFirst();
            found.ifPresent(block -> block.uses++);
            if (found.isEmpty() && !Set.of("response", "GET").contains(method)) {
                problems.add("not in the transcript: " + method + " " + message);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the client has sent a message that contains {@code part}. */
    public void await(JsonNode part) throws InterruptedException {
        await(part, 1);
    }

    /** Waits until the client has sent so many messages that contain {@code part}. */
    public void await(JsonNode part, int times) throws InterruptedException {
        lock.lock();
        try {
            while (received.stream().filter(message -> contains(message, part)).count() < times) {
                arrived.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets the server go on where it waits for {@code .. {"go":true}}, when the test is ready. */
    public void go() {
        lock.lock();
        try {
            received.add(JsonTree.object().put("go", true));
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The client reads a stream, and has to close it before the test ends. */
    void opened(Object stream) {
        open.put(stream, stream.toString());
    }

    void closed(Object stream) {
        open.remove(stream);
    }

    /** On this clock no alarm may be left when the test ends. */
    void on(TestTime time) {
        clock = time;
    }

    /** What the client has not closed. */
    private Stream<String> left() {
        var time = clock;
        return Stream.concat(open.values().stream(), time == null ? Stream.empty() : time.alarms());
    }

    void problem(String problem) {
        problems.add(problem);
    }

    /** How many messages contain {@code part}. */
    long count(String part) {
        lock.lock();
        try {
            var wanted = JsonTree.read(Json.raw(part));
            return received.stream()
                    .filter(message -> contains(message, wanted))
                    .count();
        } finally {
            lock.unlock();
        }
    }

    List<JsonNode> received() {
        lock.lock();
        try {
            return List.copyOf(received);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has every conversation of a test be said to its end, with the headers that it names, and nothing else; and has
     * the client leave no stream and no alarm.
     */
    public static final class Played implements BeforeEachCallback, AfterEachCallback {

        @Override
        public void beforeEach(ExtensionContext context) {
            WRITTEN.clear();
        }

        @Override
        public void afterEach(ExtensionContext context) throws InterruptedException {
            if (context.getExecutionException().isEmpty()) {
                WRITTEN.forEach(Transcript::assertDone);
                NothingLeft.check(
                        () -> WRITTEN.stream().flatMap(Transcript::left).toList());
            }
        }
    }

    /** Everything was said, and nothing else. */
    private void assertDone() {
        assertThat(problems).isEmpty();
        assertThat(blocks.stream()
                        .filter(block -> block.uses == 0 && !block.many)
                        .map(block -> block.method + block.params))
                .as("never sent by the client")
                .isEmpty();
    }

    static boolean contains(JsonNode whole, JsonNode part) {
        if (!part.isObject()) {
            return whole.equals(part);
        }
        return part.properties().stream()
                .allMatch(entry -> whole.has(entry.getKey()) && contains(whole.path(entry.getKey()), entry.getValue()));
    }
}
