// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.backend.http.ScriptedApi.Said;
import io.longhaul.backend.http.response.StartResult;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Starts;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long it is known what became of a start: until that is recorded, or its stop has asked for it. */
@Timeout(60)
class StartsTest {

    private final Starts<StartResult> starts = new Starts<>();
    private final RunInMemory run = new RunInMemory("{}");
    private ScriptedApi api;
    private HttpBackend backend;

    @BeforeEach
    void begin() throws IOException {
        api = new ScriptedApi();
        backend = ScriptedApi.backend(starts);
    }

    @AfterEach
    void end() {
        backend.close();
        api.close();
    }

    private Backend job(boolean isCancelled) {
        var job = HttpJob.at(api.origin() + "/run");
        return backend.running(
                (isCancelled ? job.cancel("DELETE", api.origin() + "/runs/{job.id}") : job).build(),
                HttpBackendContract.JSON,
                HttpBackendContract.TEXT);
    }

    @Test
    void a_start_whose_job_is_recorded_is_forgotten_also_where_its_run_is_stopped() {
        api.on("POST /run", new Said(202, Map.of("Location", "/runs/7"), ""));
        api.on("GET /runs/7", Said.json(200, "{\"status\":\"Running\"}"));
        api.onRequest(2, () -> run.stopping = true);
        var job = job(true);
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> job.run(run));
        assertThat(starts.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_start_that_a_stop_has_asked_for_is_forgotten(boolean isCancelled) throws Exception {
        api.on("POST /run", Said.json(422, "{}"));
        api.onRequest(1, () -> run.stopping = true);
        var job = job(isCancelled);
        job.run(run);
        assertThat(starts.isEmpty()).isFalse();
        job.stop(run);
        assertThat(starts.isEmpty()).isTrue();
    }
}
