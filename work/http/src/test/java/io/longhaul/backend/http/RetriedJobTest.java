// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.backend.http.ScriptedApi.Said;
import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.MemoryTaskStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs of APIs that fail, in an engine that runs them again. */
@Timeout(60)
class RetriedJobTest {

    private static final Owner ANN = new Owner("ann");
    private static final Said STARTED = Said.json(202, "{\"id\":7}");

    private ScriptedApi api;

    @BeforeEach
    void begin() throws IOException {
        api = new ScriptedApi();
    }

    @AfterEach
    void end() {
        api.close();
    }

    private HttpJob.Builder job() {
        return HttpJob.at(api.origin() + "/jobs").id("/id").status(api.origin() + "/jobs/{job.id}");
    }

    /** The end of a task whose job is run again once. */
    private Task ended(HttpJob.Builder job) throws InterruptedException {
        try (var backend = HttpBackend.create(2);
                var engine = DurableEngine.builder()
                        .store(new MemoryTaskStore())
                        .work(new Work(
                                "job",
                                backend.running(
                                        job.every(Duration.ofMillis(1)).build(),
                                        HttpBackendContract.JSON,
                                        HttpBackendContract.TEXT),
                                CrashPolicy.REATTACH,
                                new Work.Bounds(null, 1),
                                null,
                                new Retry(1, Duration.ZERO)))
                        .start()) {
            var created = engine.create(new Creation(ANN, "job", Payload.ofText("{}"), Payload.EMPTY, null, null));
            var now = ((TaskEngine.Created.New) created).task();
            while (!now.state().isTerminal()) {
                now = engine.awaitChange(ANN, now.id(), now.position().version(), Instant.MAX.minusSeconds(1L << 30))
                        .orElseThrow();
            }
            return now;
        }
    }

    private static String text(Task ended) {
        return ((Outcome.Result) ended.ending().outcome()).body().text();
    }

    private List<String> requests() {
        return api.seen.stream().map(seen -> seen.method() + " " + seen.path()).toList();
    }

    @Test
    void a_job_that_has_failed_is_started_once_more_under_another_key() throws Exception {
        api.on("POST /jobs", STARTED, Said.json(202, "{\"id\":8}"));
        api.on("GET /jobs/7", Said.json(200, "{\"status\":\"failed\",\"error\":\"no runner\"}"));
        api.on("GET /jobs/8", Said.json(200, "{\"status\":\"succeeded\",\"result\":\"green\"}"));
        var ended = ended(job().idempotencyKey("Idempotency-Key"));
        assertThat(text(ended)).isEqualTo("green");
        assertThat(requests()).containsExactly("POST /jobs", "GET /jobs/7", "POST /jobs", "GET /jobs/8");
        assertThat(api.seen.get(0).headers().get("Idempotency-key"))
                .isNotEqualTo(api.seen.get(2).headers().get("Idempotency-key"));
        assertThat(ended.status().message())
                .isEqualTo(
                        "Attempt 1 of at most 2 failed: The job 7 has failed: no runner; the next one begins in 0 ms.");
    }

    @Test
    void a_job_that_somebody_has_cancelled_is_not_started_again() throws Exception {
        api.on("POST /jobs", STARTED);
        api.on("GET /jobs/7", Said.json(200, "{\"status\":\"cancelled\"}"));
        assertThat(text(ended(job())))
                .isEqualTo("The job 7 was cancelled outside of this server: {\"status\":\"cancelled\"}");
        assertThat(requests()).containsExactly("POST /jobs", "GET /jobs/7");
    }

    @Test
    void a_start_that_is_refused_is_repeated_only_after_a_code_that_the_author_names() throws Exception {
        api.on("POST /jobs", Said.json(409, "{\"error\":\"busy\"}"), Said.json(409, "{\"error\":\"busy\"}"));
        assertThat(text(ended(job()))).isEqualTo("The job was not started: it answers 409: busy");
        assertThat(requests()).containsExactly("POST /jobs");
        assertThat(text(ended(job().retriedCodes(Set.of(409)))))
                .isEqualTo("The job was not started: it answers 409: busy");
        assertThat(requests()).containsExactly("POST /jobs", "POST /jobs", "POST /jobs");
    }

    @Test
    void a_code_that_is_no_refusal_is_none_to_repeat() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job().retriedCodes(Set.of(200)))
                .withMessage("the codes of refused starts go from 400 to 599: [200]");
    }
}
