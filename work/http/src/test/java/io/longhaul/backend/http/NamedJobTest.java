// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.http.ScriptedApi.Said;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.engine.task.Outcome;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of an API that lets its callers choose the name: it is that of the task, or the key of that. */
class NamedJobTest extends ScriptedParts {

    private static final Said CONFLICT = Said.json(409, "{\"message\":\"there is one of that name\"}");
    private static final Said DONE = Said.json(200, "{\"status\":\"Succeeded\",\"result\":\"ok\"}");

    private HttpJob.Builder named(String place) {
        var address = api.origin() + "/jobs/" + place;
        return HttpJob.at(address).method("PUT").status(address).cancel("DELETE", address);
    }

    private String name(String place) {
        return "/jobs/" + (place.equals("{task.id}") ? run.id().value() : TemplateValues.key(run.id()));
    }

    private Outcome run(HttpJob.Builder job) throws Exception {
        return running(job).run(run);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{task.id}", "{task.key}"})
    void a_job_that_is_there_under_its_name_when_it_is_started_again_is_followed(String place) throws Exception {
        var name = name(place);
        api.on("PUT " + name, Said.NOTHING, CONFLICT).on("GET " + name, DONE);
        assertThat(run(named(place)))
                .isInstanceOfSatisfying(
                        Outcome.Result.class,
                        result -> assertThat(result.body().text()).isEqualTo("ok"));
        assertThat(api.seen)
                .extracting(seen -> seen.method() + " " + seen.path())
                .containsExactly("PUT " + name, "PUT " + name, "GET " + name);
    }

    @Test
    void a_name_that_another_job_has_is_refused_at_the_first_start() throws Exception {
        api.on("PUT " + name("{task.id}"), CONFLICT);
        assertThat(run(named("{task.id}")))
                .isInstanceOfSatisfying(
                        Outcome.Result.class,
                        result -> assertThat(result.body().text())
                                .isEqualTo("The job was not started: it answers 409: there is one of that name"));
        assertThat(api.seen).hasSize(1);
    }

    @Test
    void a_conflict_says_nothing_where_the_job_is_found_by_the_id_that_the_api_gives() throws Exception {
        var accepted = new Said(202, Map.of("Content-Type", "application/json"), "{\"id\":\"7\"}");
        api.on("POST /run", Said.NOTHING, CONFLICT, accepted).on("GET /jobs/7", DONE);
        var job = HttpJob.at(api.origin() + "/run")
                .json("{\"name\":\"{task.id}\"}")
                .id("/id")
                .status(api.origin() + "/jobs/{job.id}");
        assertThat(run(job)).isInstanceOf(Outcome.Result.class);
        assertThat(api.seen.getFirst().body()).isEqualTo("{\"name\":\"" + run.id() + "\"}");
        assertThat(api.seen).hasSize(4);
    }
}
