// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.client.McpClient;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.CallInterceptor.Next;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.TaskContext;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The server of one test, in memory, with the tools of the {@link LonghaulExtension}. The test starts and ends the
 * server from one thread.
 *
 * <p>By default all progress of a task is stored at once, and a call of a client without tasks is held until its end;
 * the definition of the server can change that with {@link McpServerBuilder#limits} and
 * {@link McpServerBuilder#plainHosts}.
 */
public final class TestServer {

    private static final TaskLimits LIMITS =
            TaskLimits.builder().progressInterval(Duration.ZERO).build();

    private final BiConsumer<McpServerBuilder, TestClock> definition;
    private final Storage storage;
    private final TestClock clock;
    private final News news;
    private final MemoryTransport transport = new MemoryTransport();
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<String, TaskId> tasks = new ConcurrentHashMap<>();
    /** Names of calls without a task, and ids of tasks: a task may have several calls. */
    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    /** By the same keys, what the last run of the handler has thrown. */
    private final Map<String, Throwable> thrown = new ConcurrentHashMap<>();

    private final Queue<McpClient> clients = new ConcurrentLinkedQueue<>();

    private volatile @Nullable ServerProcess process;

    TestServer(BiConsumer<McpServerBuilder, TestClock> definition, Storage storage, TestClock clock, News news) {
        this.definition = definition;
        this.storage = storage;
        this.clock = clock;
        this.news = news;
        process = started(storage.store());
    }

    private ServerProcess started(TaskStore kept) {
        return new ServerProcess(kept, clock.time(), news, this::serve);
    }

    private McpServer serve(TaskStore store, TaskTime time) {
        var builder = McpServer.builder("longhaul-test", "1.0")
                .limits(LIMITS)
                .plainHosts(PlainHosts.WAITING)
                .observer(this::happened)
                .intercept(this::begins);
        definition.accept(builder, clock);
        return builder.store(store).time(time).serve(transport);
    }

    private void happened(ServerEvent event) {
        if (event instanceof ServerEvent.TaskCreated(var caller, var task, var tool, var way)
                && caller.address() != null) {
            tasks.putIfAbsent(caller.address(), new TaskId(task));
        }
        news.tell();
    }

    private void begins(HandledCall call, Next next) throws Exception {
        var client = call.context().caller().clientVersion();
        String key = client;
        if (call.context() instanceof TaskContext task) {
            // A handler may begin before the request that created its task reports the creation.
            if (client != null) {
                tasks.putIfAbsent(client, new TaskId(task.id()));
            }
            key = task.id();
        }
        if (key == null) {
            next.proceed();
            return;
        }
        begun.add(key);
        thrown.remove(key);
        news.tell();
        try {
            next.proceed();
        } catch (InterruptedException e) {
            // No failure of the handler: its task is suspended or cancelled, or the server ends.
            throw e;
        } catch (Exception | Error e) {
            thrown.put(key, e);
            throw e;
        }
    }

    /**
     * Ends the server as {@code kill -9} does: uncommitted changes are lost, connections break, and clients get no
     * notice. Later writes of its handlers do not reach the store. The threads of the handlers are interrupted: this is
     * the only difference from a real process.
     *
     * @throws IllegalStateException where the server does not run
     */
    public void crash() {
        var killed = running();
        // First the connections, so that clients learn nothing of the rest.
        transport.breakOff();
        killed.cutOff();
        storage.reopened();
        killed.end();
        process = null;
        news.tell();
    }

    /**
     * Stops the server in order: tasks that may run again are handed back, and streams are closed. Delays and holds of
     * its store end.
     *
     * @throws IllegalStateException where the server does not run
     */
    public void stop() {
        var stopped = running();
        stopped.end();
        stopped.cutOff();
        storage.reopened();
        process = null;
        news.tell();
    }

    /**
     * Starts the server again on the data of its store, with new tools; a running server is stopped in order first.
     * Calls of clients go on where their generation allows that.
     */
    public void restart() {
        if (isUp()) {
            stop();
        }
        process = started(storage.store());
        news.tell();
    }

    public boolean isUp() {
        return process != null;
    }

    /**
     * The server itself, for other uses in a test.
     *
     * @throws IllegalStateException where the server does not run
     */
    public McpServer mcp() {
        return running().server;
    }

    /**
     * The store of the running server, for delays and faults.
     *
     * @throws IllegalStateException where the server does not run
     */
    public TestStore store() {
        return new TestStore(running().store, clock);
    }

    /** A client of the newest generation. */
    public TestClient client() {
        return client(ClientDialects.newest().generation());
    }

    /** A client that speaks only this generation. */
    public TestClient client(Generation generation) {
        return new TestClient(this, generation, Principal.LOCAL, null);
    }

    private ServerProcess running() {
        var now = process;
        if (now == null) {
            throw new IllegalStateException("the server does not run: restart it first");
        }
        return now;
    }

    News news() {
        return news;
    }

    TestClock clock() {
        return clock;
    }

    /** A name for a call, which its messages carry as their remote address. */
    String nextCall() {
        return "call-" + calls.incrementAndGet();
    }

    ClientTransport way(Principal principal, String call) {
        return transport.client(principal, Map.of(MemoryTransport.REMOTE_ADDRESS, call));
    }

    void opened(McpClient client) {
        clients.add(client);
    }

    Optional<TaskId> taskOf(String call) {
        return Optional.ofNullable(tasks.get(call));
    }

    /** The store of the tasks, whether the server runs or not. */
    TaskStore kept() {
        return storage.store();
    }

    /**
     * Whether a call goes no further by itself: its handler has begun, its task is queued, a call of the store is held,
     * or the server is down.
     */
    boolean hasBegun(String call, String tool) {
        var now = process;
        return now == null
                || begun.contains(key(call))
                || now.store.waiting() > 0
                || tasks.containsKey(call)
                        && now.server.statistics().tasks().works().stream()
                                .anyMatch(of -> of.work().equals(tool) && of.queue() > 0);
    }

    /** What the last run of the handler of a call has thrown; null where it has thrown nothing. */
    @Nullable
    Throwable thrown(String call) {
        return thrown.get(key(call));
    }

    private String key(String call) {
        return taskOf(call).map(TaskId::value).orElse(call);
    }

    void close() {
        clients.forEach(McpClient::close);
        var last = process;
        if (last != null) {
            last.end();
            last.cutOff();
        }
        storage.close();
    }
}
