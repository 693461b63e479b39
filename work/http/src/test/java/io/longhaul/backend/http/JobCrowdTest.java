// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.job.StartedJob;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.TaskId;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.JsonNodeFactory;

/** Very many jobs at once, by the clock of this machine: no assertion is of how long something takes at most. */
@Timeout(120)
class JobCrowdTest {

    private static final int JOBS = 10_000;
    private static final int STARTS = 200;
    private static final int CONNECTIONS = 8;
    private static final Duration PACE = Duration.ofMillis(400);
    private static final double SOONEST = 0.9;

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    /** When each job was looked at. */
    private final Map<String, ConcurrentLinkedQueue<Long>> looks = new ConcurrentHashMap<>();

    private LocalHttp api;
    private HttpBackend backend;

    @BeforeEach
    void begin() throws IOException {
        api = new LocalHttp("/", this::serve);
        backend = HttpBackend.create(CONNECTIONS);
    }

    @AfterEach
    void end() {
        backend.close();
        api.close();
    }

    /** A job is started by any POST, and is done at the second look at it. */
    private void serve(HttpExchange exchange) throws IOException {
        most.accumulateAndGet(open.incrementAndGet(), Math::max);
        ports.add(exchange.getRemoteAddress().getPort());
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            var path = exchange.getRequestURI().getPath();
            if (exchange.getRequestMethod().equals("POST")) {
                exchange.getResponseHeaders().set("Operation-Location", path.replace("start", "jobs"));
                exchange.getResponseHeaders().set("Retry-After", "0");
                open.decrementAndGet();
                exchange.sendResponseHeaders(202, -1);
                return;
            }
            var seen = looks.computeIfAbsent(path, job -> new ConcurrentLinkedQueue<>());
            seen.add(System.nanoTime());
            var body = ("{\"status\":\"" + (seen.size() < 2 ? "running" : "done") + "\"}").getBytes(UTF_8);
            open.decrementAndGet();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private List<Outcome> run(Backend backend, List<RunInMemory> runs) throws Exception {
        var started = new ArrayList<FutureTask<Outcome>>();
        for (var run : runs) {
            var one = new FutureTask<>(() -> backend.run(run));
            started.add(one);
            Thread.ofVirtual().start(one);
        }
        var outcomes = new ArrayList<Outcome>();
        for (var one : started) {
            outcomes.add(one.get());
        }
        return outcomes;
    }

    private Backend jobs() {
        var job = HttpJob.at(api.origin() + "/start/{number}")
                .idempotencyKey("Key")
                .status(api.origin() + "/jobs/{number}")
                .every(PACE)
                .build();
        return backend.running(job, HttpBackendContract.JSON, HttpBackendContract.TEXT);
    }

    private static RunInMemory run(int number) {
        return new RunInMemory(TaskId.of(number, 0, 0), "{\"number\":" + number + "}");
    }

    private void assertKept(int jobs) {
        assertThat(looks).hasSize(jobs);
        assertThat(looks.values()).allSatisfy(times -> {
            var all = List.copyOf(times);
            assertThat(all).hasSize(2);
            // The first look was answered later than it was noted here.
            assertThat(all.getLast() - all.getFirst()).isGreaterThanOrEqualTo((long) (PACE.toNanos() * SOONEST));
        });
        assertThat(most.get()).isBetween(1, CONNECTIONS);
        assertThat(ports).hasSizeLessThanOrEqualTo(CONNECTIONS);
    }

    @Test
    void all_jobs_share_so_many_connections() throws Exception {
        var runs = new ArrayList<RunInMemory>();
        for (int i = 0; i < STARTS; i++) {
            runs.add(run(i));
        }
        assertThat(run(jobs(), runs)).hasSize(STARTS).allSatisfy(JobCrowdTest::assertDone);
        assertKept(STARTS);
    }

    /** As they all are when a server starts again. */
    @Test
    void ten_thousand_jobs_that_are_found_at_once_share_them_too_and_none_is_looked_at_too_soon() throws Exception {
        var runs = new ArrayList<RunInMemory>();
        for (int i = 0; i < JOBS; i++) {
            var run = run(i);
            var arguments = JsonNodeFactory.instance.objectNode().put("number", i);
            run.saveHandle(ApiJobHandle.notBegun(arguments)
                    .begun(new StartedJob("job", null, null))
                    .saved());
            runs.add(run);
        }
        assertThat(run(jobs(), runs)).hasSize(JOBS).allSatisfy(JobCrowdTest::assertDone);
        assertKept(JOBS);
    }

    private static void assertDone(Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Result.class,
                        result -> assertThat(result.isError()).isFalse());
    }
}
