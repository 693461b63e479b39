// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.longhaul.backend.http.ScriptedApi.Said;
import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.job.StartedJob;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.engine.run.Backend;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Cancels of jobs that an API does not accept; a stop that throws is repeated by the engine. */
class ApiStopTest extends ScriptedParts {

    private static final Said RUNNING = Said.json(200, "{\"status\":\"Running\"}");
    private static final Said DONE = Said.json(200, "{\"status\":\"Succeeded\"}");

    private HttpJob.Builder cancellable() {
        return HttpJob.at(api.origin() + "/jobs").cancel("POST", api.origin() + "/jobs/{job.id}/cancel");
    }

    /** The backend of a job whose status the API shows. */
    private Backend shown() {
        return running(cancellable().id("/id").status(api.origin() + "/jobs/{job.id}"));
    }

    private void saveBegun() {
        save(ApiJobHandle.notBegun(JsonNodeFactory.instance.objectNode()).begun(new StartedJob("7", null, null)));
    }

    private void saveStarting() {
        save(ApiJobHandle.notBegun(JsonNodeFactory.instance.objectNode()).starting());
    }

    private void save(ApiJobHandle handle) {
        run.saveHandle(handle.saved());
    }

    private void assertRepeated(Backend job) {
        assertThatIllegalStateException().isThrownBy(() -> job.stop(run));
    }

    private List<String> requests() {
        return api.seen.stream().map(seen -> seen.method() + " " + seen.path()).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 401, 403, 405, 409, 422, 503})
    void a_cancel_that_the_api_does_not_accept_is_repeated_while_the_job_runs(int refusal) throws Exception {
        saveBegun();
        api.on("POST /jobs/7/cancel", Said.json(refusal, ""), Said.json(refusal, ""), Said.json(202, ""));
        api.on("GET /jobs/7", RUNNING);
        assertRepeated(shown());
        assertRepeated(shown());
        api.on("GET /jobs/7", DONE);
        shown().stop(run);
        assertThat(requests()).filteredOn("POST /jobs/7/cancel"::equals).hasSize(3);
    }

    @Test
    void a_cancel_that_is_not_answered_in_time_is_told_so() throws Exception {
        saveBegun();
        api.on("POST /jobs/7/cancel", Said.SILENCE);
        var job = running(cancellable().timeout(Duration.ofMillis(100)));
        assertThatIllegalStateException()
                .isThrownBy(() -> job.stop(run))
                .withMessage("the job 7 could not be cancelled: no answer came within 100 ms, the timeout of http.");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 405, 409, 422})
    void a_refused_cancel_of_a_job_that_has_ended_is_not_repeated(int refusal) throws Exception {
        saveBegun();
        api.on("POST /jobs/7/cancel", Said.json(refusal, ""));
        for (var end : List.of(DONE, Said.json(200, "{\"status\":\"Failed\"}"), Said.json(404, ""))) {
            api.on("GET /jobs/7", end);
            shown().stop(run);
        }
        assertThat(requests()).endsWith("POST /jobs/7/cancel", "GET /jobs/7").hasSize(6);
    }

    /** As while a token is replaced. */
    @ParameterizedTest
    @ValueSource(ints = {0, 401, 403, 503})
    void a_refused_cancel_is_repeated_where_the_status_cannot_be_read_either(int status) {
        saveBegun();
        api.on("POST /jobs/7/cancel", Said.json(401, ""));
        api.on("GET /jobs/7", Said.json(status, ""));
        assertRepeated(shown());
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 503})
    void a_cancelled_job_is_awaited_also_while_its_status_cannot_be_read(int status) throws Exception {
        saveBegun();
        api.on("POST /jobs/7/cancel", Said.json(202, ""));
        api.on("GET /jobs/7", Said.json(status, ""), RUNNING, Said.json(status, ""), DONE);
        shown().stop(run);
        assertThat(requests()).filteredOn("GET /jobs/7"::equals).hasSize(4);
        assertThat(requests()).filteredOn("POST /jobs/7/cancel"::equals).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 503})
    void a_cancel_without_a_status_is_repeated_where_the_api_may_accept_it_later(int refusal) {
        saveBegun();
        api.on("POST /jobs/7/cancel", Said.json(refusal, ""));
        assertRepeated(running(cancellable()));
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 404, 405, 409, 410, 422})
    void a_cancel_without_a_status_is_given_up_where_the_answer_would_stay_the_same(int refusal) throws Exception {
        saveBegun();
        api.on("POST /jobs/7/cancel", Said.json(refusal, ""));
        running(cancellable()).stop(run);
        assertThat(requests()).containsExactly("POST /jobs/7/cancel");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 409, 503})
    void a_job_whose_start_was_not_answered_is_looked_for_again_where_the_api_refuses_the_repeated_start(int refusal)
            throws Exception {
        saveStarting();
        api.on("POST /jobs", Said.json(refusal, ""), Said.json(201, "{\"id\":7}"));
        api.on("POST /jobs/7/cancel", Said.json(202, ""));
        api.on("GET /jobs/7", DONE);
        var job = running(
                cancellable().id("/id").status(api.origin() + "/jobs/{job.id}").idempotencyKey("Key"));
        assertRepeated(job);
        job.stop(run);
        assertThat(requests()).containsExactly("POST /jobs", "POST /jobs", "POST /jobs/7/cancel", "GET /jobs/7");
    }

    /** Runs the job, which is stopped while its start is on its way, and then stops it. */
    private void cancelAtTheStart(Backend job) throws Exception {
        api.onRequest(1, () -> run.stopping = true);
        job.run(run);
        job.stop(run);
    }

    @Test
    void a_job_that_the_api_names_and_does_not_show_is_cancelled_by_its_name() throws Exception {
        api.on("POST /jobs", Said.json(202, "{\"id\":7}"));
        api.on("POST /jobs/7/cancel", Said.json(202, ""));
        cancelAtTheStart(running(cancellable().id("/id")));
        assertThat(requests()).containsExactly("POST /jobs", "POST /jobs/7/cancel");
    }

    @Test
    void a_job_that_the_api_does_not_name_is_cancelled_by_its_key() throws Exception {
        api.on("POST /jobs", Said.json(202, "{}"));
        api.on("DELETE /keys/" + TemplateValues.key(run.id()), Said.json(202, ""));
        cancelAtTheStart(running(HttpJob.at(api.origin() + "/jobs")
                .id("/id")
                .status(api.origin() + "/jobs/{job.id}")
                .cancel("DELETE", api.origin() + "/keys/{task.key}")));
        assertThat(requests()).containsExactly("POST /jobs", "DELETE /keys/" + TemplateValues.key(run.id()));
    }

    @Test
    void a_job_that_nothing_names_is_not_cancelled() throws Exception {
        api.on("POST /jobs", Said.json(202, "{}"));
        cancelAtTheStart(shown());
        assertThat(requests()).containsExactly("POST /jobs");
    }

    @Test
    void a_job_whose_repeated_start_the_api_finds_invalid_is_not_looked_for_for_ever() throws Exception {
        saveStarting();
        api.on("POST /jobs", Said.json(422, ""));
        running(cancellable().id("/id").status(api.origin() + "/jobs/{job.id}").idempotencyKey("Key"))
                .stop(run);
        assertThat(requests()).containsExactly("POST /jobs");
    }

    @Test
    void a_job_whose_start_was_not_answered_is_looked_for_again_where_a_secret_cannot_be_read() {
        saveStarting();
        var job = running(cancellable().idempotencyKey("Key").header("Authorization", "Bearer ", () -> {
            throw new IOException("the file is being replaced");
        }));
        assertRepeated(job);
    }
}
