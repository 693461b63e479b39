// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.longhaul.backend.http.ScriptedApi.Said;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.job.StartedJob;
import io.longhaul.engine.run.RemoteResult;
import io.longhaul.engine.run.Starts;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** The log of a running job as partial output. Pauses take no time, but by the clock. */
@Timeout(60)
class RunningOutputTest {

    private static final Said RUNNING = Said.json(200, "{\"status\":\"Running\"}");
    private static final Said DONE = Said.json(200, "{\"status\":\"Done\"}");

    private final RunInMemory run = new RunInMemory("{}");
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private ScriptedApi api;
    private HttpBackend backend;

    @BeforeEach
    void begin() throws IOException {
        api = new ScriptedApi();
        backend = new HttpBackend(new HttpBackend.Machinery(
                new JobConnections(1, Duration.ofSeconds(10)),
                new Starts<>(),
                (time, sooner) -> {
                    now.updateAndGet(instant -> instant.plus(time));
                    return false;
                },
                now::get,
                () -> 0.5,
                HttpBackend.Addresses.NONE));
        api.on("POST /run", new Said(202, Map.of("Location", "/runs/7"), ""));
    }

    @AfterEach
    void end() {
        backend.close();
        api.close();
    }

    private static Said text(int status, String text) {
        return new Said(status, Map.of("Content-Type", "text/plain"), text);
    }

    private HttpJob.Builder withLog(String query) {
        return HttpJob.at(api.origin() + "/run").partialAt(api.origin() + "/runs/{job.id}/log" + query);
    }

    private Outcome run(HttpJob.Builder job) throws Exception {
        return backend.running(job.build(), HttpBackendContract.JSON, HttpBackendContract.TEXT)
                .run(run);
    }

    private void assertDone(HttpJob.Builder job) throws Exception {
        assertThat(run(job))
                .isInstanceOfSatisfying(
                        Outcome.Result.class,
                        result -> assertThat(result.isError()).isFalse());
    }

    private List<String> reads() {
        return api.seen.stream()
                .map(ScriptedApi.Seen::path)
                .filter(path -> path.contains("log"))
                .toList();
    }

    private List<String> ranges() {
        return api.seen.stream()
                .filter(seen -> seen.path().contains("log"))
                .map(seen -> seen.headers().getOrDefault("Range", "all"))
                .toList();
    }

    @Test
    void lines_are_emitted_at_each_look_and_the_rest_at_the_end() throws Exception {
        api.on("GET /runs/7", RUNNING, RUNNING, RUNNING, DONE);
        api.on("GET /runs/7/log?from=0", text(404, "not yet"), text(200, "one\ntwo\nthr"));
        api.on("GET /runs/7/log?from=8", text(200, "three\n"));
        api.on("GET /runs/7/log?from=14", text(200, "the end"));
        assertDone(withLog("?from={job.offset}"));
        assertThat(run.pieces).containsExactly("one\ntwo", "three", "the end");
        assertThat(reads()).endsWith("/runs/7/log?from=14").hasSize(4);
        assertThat(ranges()).containsOnly("all");
    }

    @Test
    void an_address_without_an_offset_is_asked_for_a_range_and_an_answer_with_everything_is_taken_too()
            throws Exception {
        api.on("GET /runs/7", RUNNING, RUNNING, RUNNING, RUNNING, DONE);
        api.on(
                "GET /runs/7/log",
                text(200, "one\n"),
                text(206, "two\n"),
                text(416, "nothing is there"),
                text(200, "one\ntwo\nthree\nfo"),
                text(206, "four"));
        assertDone(withLog(""));
        assertThat(run.pieces).containsExactly("one", "two", "three", "four");
        assertThat(ranges()).containsExactly("all", "bytes=4-", "bytes=8-", "bytes=8-", "bytes=14-");
    }

    /** The answer to the read behind the last byte is shorter than that position. */
    @ParameterizedTest
    @ValueSource(ints = {200, 404, 410, 416})
    void a_read_behind_the_end_of_the_output_gives_nothing_new_and_a_job_ends_at_once(int status) throws Exception {
        api.on("GET /runs/7", RUNNING, DONE);
        api.on("GET /runs/7/log", text(200, "a line that is long\n"), text(status, "none"));
        assertDone(withLog(""));
        assertThat(run.pieces).containsExactly("a line that is long");
        assertThat(ranges()).containsExactly("all", "bytes=20-");
    }

    /** The API goes on with the second line for as long as anybody reads, until the first line was emitted. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void output_that_drips_is_read_for_the_time_of_an_answer_and_its_complete_lines_are_emitted(boolean isDone)
            throws Exception {
        var over = new CountDownLatch(1);
        try (var drips = new LocalHttp("/", exchange -> {
            try (exchange) {
                boolean isEmitted = !run.pieces.isEmpty();
                exchange.sendResponseHeaders(200, 0);
                var body = exchange.getResponseBody();
                if (exchange.getRequestURI().getPath().equals("/runs/7")) {
                    body.write(("{\"status\":\"" + (isDone || isEmitted ? "Done" : "Running") + "\"}").getBytes(UTF_8));
                    return;
                }
                body.write("one\ntwo".getBytes(UTF_8));
                now.updateAndGet(instant -> instant.plusSeconds(20));
                while (!isEmitted && !over.await(10, TimeUnit.MILLISECONDS)) {
                    body.write('.');
                    body.flush();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        })) {
            run.saveHandle(ApiJobHandle.notBegun(JsonNodeFactory.instance.objectNode())
                    .begun(new StartedJob("7", URI.create(drips.origin() + "/runs/7"), null))
                    .saved());
            assertDone(HttpJob.at(drips.origin() + "/run")
                    .partialAt(drips.origin() + "/log")
                    .timeout(Duration.ofSeconds(1)));
            assertThat(run.pieces).containsExactly("one", "two");
        } finally {
            over.countDown();
        }
    }

    @Test
    void output_that_moves_while_it_is_read_is_followed_to_its_place() throws Exception {
        api.on("GET /runs/7", RUNNING, DONE);
        api.on("GET /runs/7/log", text(200, "one\n"), new Said(302, Map.of("Location", "/archive/7/log"), ""));
        api.on("GET /archive/7/log", text(200, "one\ntwo\n"));
        assertDone(withLog(""));
        assertThat(run.pieces).containsExactly("one", "two");
        assertThat(ranges()).containsExactly("all", "bytes=4-", "bytes=4-");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_piece_is_emitted_once_where_the_server_died_around_it(boolean isEmitted) throws Exception {
        api.on("GET /runs/7", RUNNING, DONE);
        api.on("GET /runs/7/log?from=0", text(200, "one\n"));
        api.on("GET /runs/7/log?from=4", text(200, ""));
        run.saveHandle(ApiJobHandle.notBegun(JsonNodeFactory.instance.objectNode())
                .begun(new StartedJob("7", URI.create(api.origin() + "/runs/7"), null))
                .emitting(new ApiJobHandle.Emitted(0, 1, 4))
                .saved());
        if (isEmitted) {
            run.pieces.add("one");
        }
        assertDone(withLog("?from={job.offset}"));
        assertThat(run.pieces).containsExactly("one");
        assertThat(reads().contains("/runs/7/log?from=0")).isNotEqualTo(isEmitted);
    }

    @Test
    void the_position_is_saved_before_its_piece_is_emitted() throws Exception {
        api.on("GET /runs/7", RUNNING, DONE);
        api.on("GET /runs/7/log?from=0", text(200, "one\n"));
        api.on("GET /runs/7/log?from=4", text(200, ""));
        var saved = new ArrayList<ApiJobHandle.Emitted>();
        var writer = new HttpOutcomes() {
            @Override
            public Outcome write(RemoteResult end) {
                return HttpBackendContract.TEXT.write(end);
            }

            @Override
            public Payload partial(String lines) {
                saved.add(ApiJobHandle.of(run.handle().orElseThrow()).output());
                assertThat(run.pieces).isEmpty();
                return Payload.ofText(lines);
            }
        };
        backend.running(withLog("?from={job.offset}").build(), HttpBackendContract.JSON, writer)
                .run(run);
        assertThat(saved).containsExactly(new ApiJobHandle.Emitted(0, 1, 4));
        assertThat(run.pieces).containsExactly("one");
    }

    @Test
    void much_output_comes_in_several_pieces_which_break_no_character() throws Exception {
        var line = "x" + "\u00e4".repeat(50_000);
        api.on("GET /runs/7", DONE);
        api.on("GET /runs/7/log?from=0", text(200, line + "\nend\n"));
        api.on("GET /runs/7/log?from=65535", text(200, line.substring(32_768) + "\nend\n"));
        assertDone(withLog("?from={job.offset}"));
        assertThat(String.join("", run.pieces)).isEqualTo(line + "\nend");
        assertThat(run.pieces).hasSize(2);
    }

    @Test
    void a_secret_of_the_job_is_masked_and_counts_as_long_as_it_is() throws Exception {
        api.on("GET /runs/7", RUNNING, DONE);
        api.on("GET /runs/7/log?from=0", text(200, "token hunter2\n"));
        api.on("GET /runs/7/log?from=14", text(200, "end\n"));
        assertDone(withLog("?from={job.offset}").header("Authorization", "Bearer ", () -> "hunter2"));
        assertThat(run.pieces).containsExactly("token ***", "end");
        assertThat(api.seen.getLast().headers()).containsEntry("Authorization", "Bearer hunter2");
    }

    @Test
    void output_that_cannot_be_read_is_asked_for_again_and_a_job_ends_without_it() throws Exception {
        api.on("GET /runs/7", RUNNING, DONE);
        api.on("GET /runs/7/log", text(503, "no"), text(503, "no"), text(200, "late\n"));
        assertDone(withLog(""));
        assertThat(run.pieces).containsExactly("late");
        api.on("GET /runs/7", RUNNING, Said.json(200, "{\"status\":\"Failed\"}"));
        api.on("GET /runs/7/log", text(503, "no"));
        run.pieces.clear();
        assertThat(run(withLog(""))).isInstanceOf(Outcome.Result.class);
        assertThat(run.pieces).isEmpty();
        assertThat(now.get()).isBefore(Instant.EPOCH.plusSeconds(60));
    }

    @Test
    void the_output_of_a_job_that_has_failed_is_emitted_too() throws Exception {
        api.on("GET /runs/7", Said.json(200, "{\"status\":\"Failed\"}"));
        api.on("GET /runs/7/log", text(200, "no room"));
        run(withLog(""));
        assertThat(run.pieces).containsExactly("no room");
    }

    @Test
    void an_offset_stands_in_the_address_of_partial_output_alone() {
        var at = "https://example.com/{job.offset}";
        for (var job : List.of(
                HttpJob.at(at),
                HttpJob.at("https://example.com/").status(at),
                HttpJob.at("https://example.com/").cancel("DELETE", at),
                HttpJob.at("https://example.com/").resultAt(at))) {
            assertThatIllegalArgumentException().isThrownBy(job::build).withMessageContaining("{job.offset} is only");
        }
        assertThatNoException()
                .isThrownBy(
                        () -> HttpJob.at("https://example.com/").partialAt(at).build());
    }
}
