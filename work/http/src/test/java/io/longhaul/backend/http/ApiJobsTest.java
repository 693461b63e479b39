// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.http.ScriptedApi.Said;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.backend.http.response.StartResult;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Starts;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Progress;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of APIs that answer in every way there is, over real connections. Pauses take no time, but by the clock. */
@Timeout(60)
class ApiJobsTest {

    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final RunInMemory run = new RunInMemory("{\"branch\":\"a/b c\",\"tags\":[\"x\",\"y\"],\"deep\":true}");
    private final Starts<StartResult> starts = new Starts<>();
    private ScriptedApi api;
    private JobConnections connections;
    private HttpBackend backend;

    @BeforeEach
    void begin() throws IOException {
        api = new ScriptedApi();
        connections = new JobConnections(4, Duration.ofSeconds(10));
        backend = new HttpBackend(new HttpBackend.Machinery(
                connections,
                starts,
                (time, sooner) -> {
                    pauses.add(time);
                    now.updateAndGet(instant -> instant.plus(time));
                    return false;
                },
                now::get,
                () -> 0.5,
                HttpBackend.Addresses.NONE));
    }

    @AfterEach
    void end() {
        backend.close();
        api.close();
        assertThat(starts.isEmpty()).isTrue();
    }

    private HttpJob.Builder at(String path) {
        return HttpJob.at(api.origin() + path);
    }

    private Backend running(HttpJob.Builder job) {
        return backend.running(job.build(), HttpBackendContract.JSON, HttpBackendContract.TEXT);
    }

    private Outcome outcome(HttpJob.Builder job) throws Exception {
        return running(job).run(run);
    }

    private String done(HttpJob.Builder job) throws Exception {
        return text(outcome(job), false);
    }

    private String failure(HttpJob.Builder job) throws Exception {
        return text(outcome(job), true);
    }

    private static String text(Outcome outcome, boolean isError) {
        assertThat(outcome).isInstanceOf(Outcome.Result.class);
        var result = (Outcome.Result) outcome;
        assertThat(result.isError()).as(result.body().text()).isEqualTo(isError);
        return result.body().text();
    }

    private static void assertUnknown(Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(FailureReason.INTERRUPTED));
    }

    private List<String> requests() {
        return api.seen.stream().map(seen -> seen.method() + " " + seen.path()).toList();
    }

    @Test
    void an_address_alone_will_do_where_the_answer_is_the_result() throws Exception {
        api.on("POST /run", new Said(200, Map.of("Content-Type", "text/plain"), "42 rows"));
        assertThat(done(at("/run"))).isEqualTo("42 rows");
        var start = api.seen.getFirst();
        assertThat(start.body()).isEqualTo("{\"branch\":\"a/b c\",\"tags\":[\"x\",\"y\"],\"deep\":true}");
        assertThat(start.headers())
                .containsEntry("Prefer", "respond-async")
                .containsEntry("Content-type", "application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Operation-Location", "Azure-AsyncOperation"})
    void an_address_alone_will_do_where_a_header_names_the_operation(String header) throws Exception {
        api.on("POST /run", new Said(202, Map.of(header, "ORIGIN/operations/7", "Retry-After", "3"), ""));
        api.on(
                "GET /operations/7",
                new Said(200, Map.of("Retry-After", "5"), "{\"status\":\"NotStarted\"}"),
                Said.json(200, "{\"status\":\"Running\",\"percentComplete\":40}"),
                Said.json(200, "{\"status\":\"Succeeded\",\"properties\":{\"rows\":3}}"));
        assertThat(done(at("/run"))).isEqualTo("{\"rows\":3}");
        assertThat(pauses.get(0)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
        assertThat(pauses.get(1)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
        assertThat(run.progress).containsExactly(new Progress(40, 100.0, null));
        assertThat(run.messages).containsExactly("NotStarted", "Running");
        assertThat(run.logs).containsExactly("\"The job 7 has begun.\"");
    }

    @Test
    void the_result_of_an_operation_is_at_the_second_address_where_there_are_two() throws Exception {
        api.on("POST /run", new Said(202, Map.of("Operation-Location", "/operations/7", "Location", "/reports/9"), ""));
        api.on(
                "GET /operations/7",
                Said.json(200, "{\"status\":\"Updating\"}"),
                Said.json(200, "{\"status\":\"Succeeded\"}"));
        api.on("GET /reports/9", Said.json(200, "{\"name\":\"report\"}"));
        assertThat(done(at("/run"))).isEqualTo("{\"name\":\"report\"}");
    }

    @Test
    void a_location_is_looked_at_until_it_answers_something_else_than_202() throws Exception {
        api.on("POST /run", new Said(202, Map.of("Location", "/runs/7"), ""));
        api.on("GET /runs/7", new Said(202, Map.of(), ""), Said.json(200, "{\"status\":\"gold\",\"rows\":3}"));
        assertThat(done(at("/run"))).isEqualTo("{\"status\":\"gold\",\"rows\":3}");
    }

    @Test
    void an_operation_that_has_failed_is_told_with_its_reason() throws Exception {
        api.on("POST /run", new Said(202, Map.of("Operation-Location", "/operations/7"), ""));
        api.on(
                "GET /operations/7",
                Said.json(
                        200,
                        "{\"status\":\"Failed\",\"error\":{\"code\":\"Quota\",\"message\":\"no quota is left\"}}"));
        assertThat(failure(at("/run"))).isEqualTo("The job 7 has failed: no quota is left");
    }

    @Test
    void an_answer_can_be_mapped_in_all_its_parts() throws Exception {
        api.on("PUT /projects/a%2Fb%20c/jobs?tag=x&tag=y", Said.json(201, "{\"job\":{\"nr\":17}}"));
        api.on(
                "GET /jobs/17",
                Said.json(200, "{\"s\":\"QUEUED\",\"done\":1,\"of\":4,\"step\":\"fetch\"}"),
                Said.json(200, "{\"s\":\"passed\",\"links\":{\"log\":\"/jobs/17/log\"}}"));
        api.on("GET /jobs/17/log", new Said(200, Map.of("Content-Type", "text/plain; charset=utf-8"), "all is well"));
        var job = at("/projects/{branch}/jobs")
                .method("PUT")
                .query("tag", "{tags}")
                .query("left", "{out}")
                .json("{\"ref\":\"refs/{branch}\",\"deep\":\"{deep}\",\"no\":\"{out}\",\"all\":\"{task.arguments}\"}")
                .id("/job/nr")
                .status(api.origin() + "/jobs/{job.id}")
                .state("/s", new JobStates(Set.of("Passed"), Set.of(), Set.of()))
                .progress("/done")
                .total("/of")
                .message("/step")
                .resultLink("/links/log");
        assertThat(done(job)).isEqualTo("all is well");
        assertThat(api.seen.getFirst().body())
                .isEqualTo("{\"ref\":\"refs/a/b c\",\"deep\":true,\"all\":\"{\\\"branch\\\":\\\"a/b c\\\","
                        + "\\\"tags\\\":[\\\"x\\\",\\\"y\\\"],\\\"deep\\\":true}\"}");
        assertThat(run.progress).containsExactly(new Progress(1, 4.0, "fetch"));
        assertThat(run.messages).containsExactly("fetch");
        assertThat(run.logs).containsExactly("\"The job 17 has begun.\"");
    }

    @Test
    void a_form_is_sent_as_one() throws Exception {
        api.on("POST /run", new Said(200, Map.of(), "ok"));
        done(at("/run").form("ref", "{branch}").form("tag", "{tags}").form("left", "{out}"));
        assertThat(api.seen.getFirst().body()).isEqualTo("ref=a%2Fb%20c&tag=x&tag=y");
        assertThat(api.seen.getFirst().headers()).containsEntry("Content-type", "application/x-www-form-urlencoded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", ""})
    void a_value_is_no_step_in_a_path(String value) throws Exception {
        var outcome = running(at("/p/{name}/x")).run(new RunInMemory("{\"name\":\"" + value + "\"}"));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Error.class,
                        error -> assertThat(error.message()).startsWith("The argument 'name' must not be "));
        assertThat(api.seen).isEmpty();
    }

    @Test
    void a_start_that_is_refused_is_told_with_the_reason() throws Exception {
        api.on("POST /run", Said.json(422, "{\"error\":\"no such branch\"}"));
        assertThat(failure(at("/run"))).isEqualTo("The job was not started: it answers 422: no such branch");
    }

    @Test
    void a_start_that_comes_too_early_is_sent_again() throws Exception {
        api.on("POST /run", new Said(429, Map.of("Retry-After", "7"), ""), new Said(200, Map.of(), "ok"));
        assertThat(done(at("/run"))).isEqualTo("ok");
        assertThat(pauses.getFirst()).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
    }

    @Test
    void an_api_that_cannot_be_reached_has_begun_nothing() throws Exception {
        var gone = new LocalHttp("/", exchange -> {});
        gone.close();
        var job = HttpJob.at(gone.origin() + "/run").patience(Duration.ofSeconds(5));
        assertThat(failure(job)).isEqualTo("The job was not started: the API cannot be reached.");
        assertThat(pauses).hasSizeGreaterThan(1);
    }

    @Test
    void a_start_whose_answer_is_lost_is_not_sent_again_where_no_key_makes_that_safe() throws Exception {
        api.on("POST /run", Said.NOTHING, new Said(200, Map.of(), "ok"));
        assertUnknown(outcome(at("/run")));
        api.on("POST /run", Said.json(502, ""), new Said(200, Map.of(), "ok"));
        assertUnknown(running(at("/run")).run(new RunInMemory("{}")));
        assertThat(requests()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"header", "body"})
    void a_start_whose_answer_is_lost_is_sent_again_under_its_key(String place) throws Exception {
        api.on("POST /run", Said.NOTHING, Said.json(503, ""), new Said(200, Map.of(), "ok"));
        var job = place.equals("header")
                ? at("/run").idempotencyKey("X-Key")
                : at("/run").json("\"{task.key}\"");
        assertThat(done(job)).isEqualTo("ok");
        var keys = api.seen.stream()
                .map(seen -> place.equals("header") ? seen.headers().get("X-Key") : seen.body())
                .toList();
        assertThat(keys).hasSize(3).containsOnly(keys.getFirst());
        assertThat(keys.getFirst())
                .matches("\"?[0-9a-f-]{36}\"?")
                .doesNotContain(run.id().value());
    }

    @Test
    void a_start_that_is_in_conflict_with_itself_is_sent_again_and_one_that_is_refused_then_is_in_doubt()
            throws Exception {
        var conflict = Said.json(409, "{\"message\":\"under way\"}");
        api.on("POST /run", Said.NOTHING, conflict, new Said(200, Map.of(), "ok"));
        assertThat(done(at("/run").idempotencyKey("Key"))).isEqualTo("ok");
        api.on("POST /run", Said.NOTHING, Said.json(401, ""));
        assertUnknown(running(at("/run").idempotencyKey("Key")).run(new RunInMemory("{}")));
        api.on("POST /run", conflict);
        assertThat(text(running(at("/run").idempotencyKey("Key")).run(new RunInMemory("{}")), true))
                .isEqualTo("The job was not started: it answers 409: under way");
    }

    @Test
    void a_job_whose_start_was_not_answered_is_cancelled_by_its_key_where_it_has_no_id() throws Exception {
        api.on("DELETE /jobs/" + TemplateValues.key(run.id()), Said.json(202, ""));
        run.saveHandle(
                ApiJobHandle.notBegun(HttpBackendContract.JSON.read(run.spec().request()))
                        .starting()
                        .saved());
        running(at("/run").status(api.origin() + "/jobs/{job.id}").cancel("DELETE", api.origin() + "/jobs/{task.key}"))
                .stop(run);
        assertThat(requests()).containsExactly("DELETE /jobs/" + TemplateValues.key(run.id()));
    }

    /** The server that sent it died before it had the answer. */
    @Test
    void a_start_that_nobody_has_recorded_is_sent_again_only_under_a_key() throws Exception {
        api.on("POST /run", new Said(200, Map.of(), "ok"));
        run.saveHandle(
                ApiJobHandle.notBegun(HttpBackendContract.JSON.read(run.spec().request()))
                        .starting()
                        .saved());
        assertUnknown(outcome(at("/run")));
        assertThat(api.seen).isEmpty();
        assertThat(done(at("/run").idempotencyKey("Key"))).isEqualTo("ok");
        assertThat(requests()).containsExactly("POST /run");
    }

    @Test
    void trouble_while_a_job_is_looked_at_passes_with_ever_longer_pauses() throws Exception {
        api.on("POST /run", new Said(202, Map.of("Operation-Location", "/operations/7"), ""));
        api.on(
                "GET /operations/7",
                Said.json(200, "{\"status\":\"Running\"}"),
                Said.json(503, ""),
                Said.NOTHING,
                new Said(429, Map.of("Retry-After", "20"), ""),
                Said.json(200, "{\"status\":\"Succeeded\",\"result\":\"ok\"}"));
        assertThat(done(at("/run"))).isEqualTo("ok");
        // The client of the JDK asks again by itself where the connection breaks under a GET.
        assertThat(pauses.subList(2, 4))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo(Duration.ofSeconds(1)),
                        second -> assertThat(second).isGreaterThanOrEqualTo(Duration.ofSeconds(20)));
    }

    @Test
    void a_status_that_is_refused_ends_the_task_with_the_reason() throws Exception {
        api.on("POST /run", new Said(202, Map.of("Operation-Location", "/operations/7"), ""));
        api.on("GET /operations/7", Said.json(400, "{\"message\":\"no such view\"}"));
        assertThat(failure(at("/run"))).isEqualTo("The API does not tell of the job 7: it answers 400: no such view");
    }

    /** As while a credential is replaced, or while the API cannot reach its authorization server. */
    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void a_status_whose_credentials_are_refused_is_looked_at_again(int refusal) throws Exception {
        api.on("POST /run", new Said(202, Map.of("Operation-Location", "/operations/7"), ""));
        api.on(
                "GET /operations/7",
                Said.json(refusal, ""),
                Said.json(refusal, ""),
                Said.json(200, "{\"status\":\"Succeeded\",\"result\":\"ok\"}"));
        assertThat(done(at("/run"))).isEqualTo("ok");
    }

    @Test
    void a_secret_goes_to_its_own_hosts_alone_and_is_masked_in_answers() throws Exception {
        var seen = new CopyOnWriteArrayList<Map<String, List<String>>>();
        try (var files = new LocalHttp("/", exchange -> {
            seen.add(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("ok".getBytes(UTF_8));
            exchange.close();
        })) {
            api.on("POST /run", new Said(202, Map.of("Operation-Location", "/operations/7"), ""));
            api.on(
                    "GET /operations/7",
                    Said.json(200, "{\"status\":\"Succeeded\",\"at\":\"" + files.origin() + "/f\"}"));
            var job = at("/run")
                    .header("Authorization", "Bearer ", () -> "hunter2")
                    .resultLink("/at");
            assertThat(failure(job)).contains("at a host that this tool may not call");
            assertThat(seen).isEmpty();
            assertThat(text(running(job.host(files.origin())).run(new RunInMemory("{}")), false))
                    .isEqualTo("ok");
            assertThat(seen.getFirst()).doesNotContainKey("Authorization");
        }
        assertThat(api.seen)
                .allSatisfy(request -> assertThat(request.headers()).containsEntry("Authorization", "Bearer hunter2"));
        api.on("POST /echo", Said.json(400, "{\"message\":\"bad token hunter2\"}"));
        var echo = at("/echo").header("Authorization", "Bearer ", () -> "hunter2");
        assertThat(text(running(echo).run(new RunInMemory("{}")), true)).endsWith("bad token ***");
    }

    @Test
    void a_secret_that_cannot_be_read_starts_nothing_and_says_no_more_than_that() throws Exception {
        var job = at("/run").header("Authorization", "", () -> {
            throw new IOException("no right to read the file");
        });
        assertThat(failure(job))
                .isEqualTo("The job was not started: the server lacks a secret that it needs, and its"
                        + " log has the details.");
        assertThat(api.seen).isEmpty();
    }

    @Test
    void a_redirect_is_followed_at_its_own_host_and_nowhere_else() throws Exception {
        api.on("POST /run", new Said(202, Map.of("Location", "/runs/7"), ""));
        api.on("GET /runs/7", new Said(302, Map.of("Location", "/results/7"), ""));
        api.on("GET /results/7", new Said(200, Map.of(), "ok"));
        assertThat(done(at("/run"))).isEqualTo("ok");
        var called = new AtomicInteger();
        try (var other = new LocalHttp("/", exchange -> {
            called.incrementAndGet();
            exchange.close();
        })) {
            api.on("GET /runs/7", new Said(302, Map.of("Location", other.origin() + "/results/7"), ""));
            assertThat(text(running(at("/run")).run(new RunInMemory("{}")), true))
                    .contains("may not call");
            assertThat(called).hasValue(0);
        }
    }

    @Test
    void a_start_is_never_sent_on_by_a_redirect() throws Exception {
        api.on("POST /run", new Said(307, Map.of("Location", "/elsewhere"), ""));
        assertThat(failure(at("/run"))).contains("it answers 307");
        assertThat(requests()).containsExactly("POST /run");
    }

    @Test
    void an_answer_that_is_too_long_is_no_result() throws Exception {
        api.on("POST /run", new Said(200, Map.of(), "x".repeat(5_001)));
        assertThat(failure(at("/run").maxResult(5_000))).contains("longer than 5000 bytes");
        assertThat(text(running(at("/run").maxResult(5_001)).run(new RunInMemory("{}")), false))
                .hasSize(5_001);
    }

    @Test
    void an_answer_that_does_not_come_in_time_is_lost() throws Exception {
        var asked = new CountDownLatch(1);
        try (var silent = new LocalHttp("/", exchange -> {
            exchange.sendResponseHeaders(200, 10);
            exchange.getResponseBody().write('1');
            exchange.getResponseBody().flush();
            asked.countDown();
        })) {
            // The beginning of the answer comes, and its end does not.
            var outcome = outcome(HttpJob.at(silent.origin() + "/run").timeout(Duration.ofSeconds(3)));
            assertUnknown(outcome);
            assertThat(((Outcome.Failed) outcome).message())
                    .contains("(no answer came within 3 s, the timeout of http), so that it may have begun or not");
            assertThat(asked.getCount()).isZero();
        }
    }

    @Test
    void a_done_job_without_the_result_that_was_promised_has_failed() throws Exception {
        api.on("POST /run", new Said(202, Map.of("Location", "/runs/7"), ""));
        api.on("GET /runs/7", Said.json(200, "{\"status\":\"done\"}"));
        assertThat(failure(at("/run").result("/output"))).endsWith("has nothing at /output.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"..\"", "\"7/../../keys\"", "\"\"", "null", "{}"})
    void an_id_that_is_none_is_not_asked_for(String id) throws Exception {
        api.on("POST /run", Said.json(201, "{\"id\":" + id + "}"));
        var job = at("/run").id("/id").status(api.origin() + "/jobs/{job.id}");
        assertThat(failure(job)).isEqualTo("The job may have begun, but the answer of the API does not name it.");
        assertThat(requests()).containsExactly("POST /run");
    }

    @Test
    void an_argument_that_a_later_address_needs_is_missed_before_anything_is_sent() throws Exception {
        var outcome = outcome(at("/run").status(api.origin() + "/jobs/{nowhere}"));
        assertThat(outcome).isEqualTo(new Outcome.Error(-32602, "The argument 'nowhere' is missing.", null));
        assertThat(api.seen).isEmpty();
    }

    @Test
    void a_cancel_that_the_api_is_not_told_says_so() throws Exception {
        api.on("POST /run", new Said(200, Map.of(), "ok"));
        var job = running(at("/run"));
        assertThat(job.cancelled(run, "enough")).isEqualTo("enough");
        job.run(run);
        assertThat(job.cancelled(run, "enough")).isEqualTo("enough\nIts job goes on, since the API is not told.");
        job.stop(run);
        assertThat(requests()).containsExactly("POST /run");
    }
}
