// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.longhaul.generations.Caller.Order;
import io.longhaul.generations.Caller.Ref;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.testkit.NeedsPostgres;
import io.longhaul.transport.http.Http;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Three processes of {@code serve} over one PostgreSQL, behind clients whose requests go to each of them in turn. */
@NeedsPostgres
@Timeout(240)
class ServedNodesTest {

    private static final int NODES = 3;
    private static final List<Tongue> TONGUES = List.of(Tongue.PLAIN, Tongue.HANDSHAKE_TASKS, Tongue.STATELESS_TASKS);

    private static final String TOOLS = """
        store: {url: 'jdbc:postgresql://localhost:%d/postgres', user: postgres}
        limits: {nodeLostAfter: %3$s}
        tools:
          asks:
            command: [echo, 'It is {question1.name}']
            elicit: {message: 'Who?', fields: {name: string}}
          waits:
            command: [sh, '%s']
          again:
            command: [sh, '%2$s']
            onCrash: restart
          report:
            http: {url: 'http://127.0.0.1:%4$d/run'}
        """;

    @TempDir
    Path folder;

    private EmbeddedPostgres database;
    private HttpServer reports;
    private final AtomicInteger reportsBegun = new AtomicInteger();
    private final CountDownLatch reportIsSeen = new CountDownLatch(1);
    private final AtomicBoolean reportIsDone = new AtomicBoolean();
    private Gate gate;
    private ProcessesWay way;
    private final Map<Tongue, Caller> callers = new EnumMap<>(Tongue.class);

    private void start(String lostAfter) throws Exception {
        start(lostAfter, "");
    }

    /**
     * @param lostAfter what other nodes wait for one that has commands
     * @param more      fields of the file
     */
    private void start(String lostAfter, String more) throws Exception {
        database = EmbeddedPostgres.builder().setServerConfig("fsync", "on").start();
        gate = Gate.in(folder);
        reports = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        reports.createContext("/run", this::startReport);
        reports.createContext("/reports/1", this::showReport);
        reports.start();
        var tools = TOOLS.formatted(
                database.getPort(),
                gate.script(folder),
                lostAfter,
                reports.getAddress().getPort());
        var file = Files.writeString(folder.resolve("tools.yaml"), tools + more);
        way = new ProcessesWay(IntStream.range(0, NODES)
                .mapToObj(number -> new ServedNode(file, folder.resolve("node-" + number)))
                .toList());
        for (var tongue : TONGUES) {
            callers.put(tongue, tongue.caller(way, "alice"));
        }
    }

    private void startReport(HttpExchange exchange) throws IOException {
        reportsBegun.incrementAndGet();
        exchange.getResponseHeaders().add("Operation-Location", "/reports/1");
        exchange.sendResponseHeaders(202, -1);
        exchange.close();
    }

    private void showReport(HttpExchange exchange) throws IOException {
        reportIsSeen.countDown();
        var state = reportIsDone.get() ? "{\"status\":\"Succeeded\",\"result\":\"42\"}" : "{\"status\":\"Running\"}";
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, state.length());
        exchange.getResponseBody().write(state.getBytes(StandardCharsets.US_ASCII));
        exchange.close();
    }

    @AfterEach
    void end() throws IOException {
        way.close();
        gate.close();
        reports.stop(0);
        database.close();
    }

    @Test
    void what_one_node_has_begun_is_answered_and_cancelled_at_the_others() throws Exception {
        start("5m");
        for (var tongue : TONGUES) {
            var caller = callers.get(tongue);
            var asking = caller.create(Order.of("asks"));
            caller.answer(asking, caller.question(asking), ada());
            assertThat(caller.end(asking).outcome()).as("%s", tongue).isEqualTo("\"It is Ada\"");
            var waiting = caller.create(Order.of("waits"));
            var job = gate.begun();
            caller.cancel(waiting);
            // The node that runs the job has learned of that, and stopped it.
            job.onExit().join();
        }
        assertThat(gate.isQuiet()).isTrue();
    }

    @Test
    void the_tasks_of_a_node_that_is_killed_are_taken_over_and_none_is_lost() throws Exception {
        start("1s");
        var asking = new EnumMap<Tongue, Ref>(Tongue.class);
        var running = new EnumMap<Tongue, Ref>(Tongue.class);
        var jobs = new ArrayList<ProcessHandle>();
        way.only(0);
        callers.forEach((tongue, caller) -> {
            asking.put(tongue, caller.create(asks(tongue)));
            running.put(tongue, caller.create(again(tongue)));
            jobs.add(gate.begun());
        });
        var bound = callers.get(Tongue.STATELESS_TASKS).create(Order.of("waits"));
        jobs.add(gate.begun());
        way.kill(0);
        for (var tongue : TONGUES) {
            gate.begun();
        }
        jobs.forEach(ProcessHandle::destroyForcibly);
        gate.open();
        callers.forEach((tongue, caller) -> {
            var done = caller.end(caller.join(running.get(tongue), again(tongue)));
            assertThat(done.outcome()).as("%s", tongue).isEqualTo("\"done\"");
            var question = caller.join(asking.get(tongue), asks(tongue));
            caller.answer(question, caller.question(question), ada());
            assertThat(caller.end(question).outcome()).as("%s", tongue).isEqualTo("\"It is Ada\"");
        });
        // Whether it still runs where it was begun nobody can tell, and it may not be begun twice.
        assertThat(callers.get(Tongue.STATELESS_TASKS).end(bound))
                .hasToString("`failed`, -32603 \"the records of the job are gone, as where its server was lost:"
                        + " the command may have ended\"");
    }

    /** The patience with a node that is gone is longer than this test may take. */
    @Test
    void a_job_of_an_api_goes_on_at_another_node_when_its_own_is_killed() throws Exception {
        start("5m");
        var caller = callers.get(Tongue.STATELESS_TASKS);
        way.only(0);
        var report = caller.create(Order.of("report"));
        reportIsSeen.await();
        way.kill(0);
        reportIsDone.set(true);
        assertThat(caller.end(report).outcome()).isEqualTo("\"42\"");
        assertThat(reportsBegun).hasValue(1);
    }

    @Test
    void a_call_at_a_server_behind_goes_on_at_another_node_when_its_own_is_killed() throws Exception {
        var begun = new AtomicInteger();
        var isBegun = new CountDownLatch(1);
        var isDone = new CountDownLatch(1);
        var slow = Tool.define("slow").longRunning().handler((arguments, task) -> {
            begun.incrementAndGet();
            isBegun.countDown();
            isDone.await();
            return "42";
        });
        var http = Http.onPort(0);
        var behind = McpServer.builder("behind", "1")
                .store(SqliteTaskStore.at(folder.resolve("behind.db")))
                .tool(slow)
                .serve(http);
        try (behind) {
            start("5m", "upstreams: {behind: {url: '" + http.url() + "'}}\n");
            var caller = callers.get(Tongue.STATELESS_TASKS);
            way.only(0);
            var call = caller.create(Order.of("slow"));
            isBegun.await();
            way.kill(0);
            isDone.countDown();
            assertThat(caller.end(call).outcome()).isEqualTo("\"42\"");
            assertThat(begun).hasValue(1);
        }
    }

    @Test
    void a_restart_of_all_nodes_in_turn_loses_nothing_and_jobs_go_on() throws Exception {
        start("5m");
        var asking = new EnumMap<Tongue, Ref>(Tongue.class);
        var waiting = new EnumMap<Tongue, Ref>(Tongue.class);
        callers.forEach((tongue, caller) -> {
            asking.put(tongue, caller.create(asks(tongue)));
            waiting.put(tongue, caller.create(waits(tongue)));
            gate.begun();
        });
        for (int node = 0; node < NODES; node++) {
            way.restart(node);
        }
        gate.open();
        callers.forEach((tongue, caller) -> {
            var done = caller.end(caller.join(waiting.get(tongue), waits(tongue)));
            assertThat(done.outcome()).as("%s", tongue).isEqualTo("\"done\"");
            var question = caller.join(asking.get(tongue), asks(tongue));
            caller.answer(question, caller.question(question), ada());
            assertThat(caller.end(question).outcome()).as("%s", tongue).isEqualTo("\"It is Ada\"");
        });
        assertThat(gate.isQuiet()).isTrue();
    }

    private static Order waits(Tongue tongue) {
        return Order.of("waits").keyed("waits " + tongue);
    }

    private static Order asks(Tongue tongue) {
        return Order.of("asks").keyed("asks " + tongue);
    }

    private static Order again(Tongue tongue) {
        return Order.of("again").keyed("again " + tongue);
    }

    private static ObjectNode ada() {
        return json("{'action':'accept','content':{'name':'Ada'}}");
    }
}
