// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.http.ScriptedApi.Said;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.job.StartedJob;
import io.longhaul.engine.run.Starts;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.testkit.RunInMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** How long a job is looked for that its API does not show, and what is said then. Pauses move the clock alone. */
class JobPatienceTest extends ScriptedParts {

    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final Said ACCEPTED = new Said(202, Map.of("Location", "/runs/7"), "");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

    @BeforeEach
    void beginClock() {
        backend.close();
        backend = new HttpBackend(new HttpBackend.Machinery(
                new JobConnections(4, Duration.ofSeconds(10)),
                new Starts<>(),
                (time, sooner) -> {
                    now.updateAndGet(instant -> instant.plus(time));
                    return false;
                },
                now::get,
                () -> 0.5,
                HttpBackend.Addresses.NONE));
        api.on("POST /run", ACCEPTED);
    }

    private HttpJob.Builder job() {
        return HttpJob.at(api.origin() + "/run").every(EVERY).patience(PATIENCE);
    }

    private String interrupted(HttpJob.Builder job) throws Exception {
        return interrupted(run, job);
    }

    private String interrupted(RunInMemory of, HttpJob.Builder job) throws Exception {
        var outcome = (Outcome.Failed) running(job).run(of);
        assertThat(outcome.reason()).isEqualTo(FailureReason.INTERRUPTED);
        return outcome.message();
    }

    private static String untold(String why) {
        return "The API has not told the state of the job 7 for 8 s (" + why
                + "), so that its end is not known. The job may still run.";
    }

    @Test
    void a_job_that_is_out_of_sight_for_too_long_is_given_up_and_the_last_answer_is_said() throws Exception {
        api.on("GET /runs/7", Said.json(503, ""), Said.json(500, "{\"message\":\"no disk\"}"));
        assertThat(interrupted(job())).isEqualTo(untold("it answers 500: no disk"));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void a_job_whose_credentials_stay_refused_is_given_up_and_the_refusal_is_said(int refusal) throws Exception {
        api.on("GET /runs/7", Said.json(refusal, "{\"message\":\"not yours\"}"));
        assertThat(interrupted(job()))
                .isEqualTo(untold("it answers " + refusal + ": not yours")
                        + " The API refuses the credentials of this server.");
    }

    @Test
    void a_status_without_the_state_that_was_promised_is_trouble_and_it_is_said_what_came() throws Exception {
        var mapped = job().state("/state", JobStates.USUAL);
        api.on("GET /runs/7", new Said(200, Map.of("Content-Type", "text/html"), "<h1>login</h1>"));
        assertThat(interrupted(mapped)).isEqualTo(untold("it answers 200, but its body is no JSON"));
        api.on("GET /runs/7", Said.json(200, "{\"status\":\"done\"}"));
        assertThat(interrupted(mapped)).isEqualTo(untold("it answers 200, but its body has no state at /state"));
        api.on("GET /runs/7", Said.json(200, "{\"state\":\"done\"}"));
        assertThat(interrupted(mapped.maxResult(4)))
                .isEqualTo(untold("it answers 200, but its body is longer than 4 bytes"));
    }

    @Test
    void a_status_that_is_not_answered_is_said() throws Exception {
        api.on("GET /runs/7", Said.NOTHING);
        assertThat(interrupted(job())).isEqualTo(untold("the connection to the API broke"));
    }

    @Test
    void a_status_that_is_not_answered_in_time_is_said() throws Exception {
        api.on("GET /runs/7", Said.SILENCE);
        assertThat(interrupted(job().timeout(Duration.ofSeconds(1)).patience(Duration.ofMillis(1))))
                .contains("(no answer came within 1 s, the timeout of http)");
    }

    @Test
    void a_result_that_cannot_be_read_is_said_to_be_one_of_a_job_that_is_done() throws Exception {
        api.on("GET /runs/7", Said.json(200, "{\"status\":\"done\"}"));
        api.on("GET /results", Said.json(502, ""));
        assertThat(interrupted(job().resultAt(api.origin() + "/results")))
                .isEqualTo("The job 7 is done, and its result could not be read for 8 s (it answers 502).");
    }

    @Test
    void a_job_is_looked_for_until_the_end_of_the_patience_and_no_longer() throws Exception {
        var away = new Said(503, Map.of("Retry-After", "60"), "");
        var trouble = List.of(Said.json(200, "{}"), Said.json(403, ""), Said.NOTHING, away);
        for (var said : trouble) {
            api.on("GET /runs/7", Said.json(200, "{\"status\":\"Running\"}"), said);
            var begun = new AtomicReference<Instant>();
            api.onRequest(api.seen.size() + 3, () -> begun.set(now.get()));
            interrupted(new RunInMemory("{}"), job().state("/status", JobStates.USUAL));
            assertThat(Duration.between(begun.get(), now.get()))
                    .as(said.toString())
                    .isEqualTo(PATIENCE);
        }
        api.on("GET /runs/7", Said.json(200, "{\"status\":\"done\"}"));
        api.on("GET /results", away);
        now.set(Instant.EPOCH);
        interrupted(new RunInMemory("{}"), job().resultAt(api.origin() + "/results"));
        assertThat(now.get()).isEqualTo(Instant.EPOCH.plus(EVERY).plus(PATIENCE));
    }

    @Test
    void a_start_is_tried_until_the_end_of_the_patience_and_no_longer() throws Exception {
        api.on("POST /run", new Said(429, Map.of("Retry-After", "60"), ""));
        assertThat(running(job()).run(run)).isInstanceOf(Outcome.Result.class);
        assertThat(now.get()).isEqualTo(Instant.EPOCH.plus(PATIENCE));
    }

    @Test
    void the_end_of_a_cancelled_job_is_awaited_until_the_end_of_the_patience_and_no_longer() throws Exception {
        run.saveHandle(ApiJobHandle.notBegun(JsonNodeFactory.instance.objectNode())
                .begun(new StartedJob("7", null, null))
                .saved());
        api.on("POST /runs/7/cancel", Said.json(202, ""));
        api.on("GET /runs/7", new Said(503, Map.of("Retry-After", "60"), ""));
        var address = api.origin() + "/runs/{job.id}";
        running(job().id("/id").status(address).cancel("POST", address + "/cancel"))
                .stop(run);
        assertThat(now.get()).isEqualTo(Instant.EPOCH.plus(PATIENCE));
    }

    @Test
    void patience_begins_anew_with_each_answer_however_seldom_a_job_is_looked_at() throws Exception {
        var running = Said.json(200, "{\"status\":\"Running\"}");
        var away = Said.json(503, "");
        api.on("GET /runs/7", away, running, away, running, away, Said.json(200, "{\"status\":\"Done\",\"result\":1}"));
        assertThat(running(job().every(Duration.ofHours(1))).run(run)).isInstanceOf(Outcome.Result.class);
        assertThat(now.get()).isAfter(Instant.EPOCH.plus(Duration.ofHours(3)));
    }
}
