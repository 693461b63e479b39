// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.server.LogLines;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the log has of a cancel that cannot reach its job. */
@Timeout(60)
class UnnamedJobLogTest {

    private final RunInMemory run = new RunInMemory("{}");

    private LocalHttp apiThatNamesNoJob() throws IOException {
        return new LocalHttp("/", exchange -> {
            run.stopping = true;
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        });
    }

    @Test
    void that_a_cancelled_job_without_a_name_may_still_run_is_told_once() throws Exception {
        try (var log = new LogLines("io.longhaul.backend.http.ApiStop");
                var api = apiThatNamesNoJob();
                var backend = HttpBackend.create()) {
            var job = HttpJob.at(api.origin() + "/jobs")
                    .id("/id")
                    .status(api.origin() + "/jobs/{job.id}")
                    .cancel("DELETE", api.origin() + "/jobs/{job.id}")
                    .build();
            var running = backend.running(
                    job,
                    request -> JsonNodeFactory.instance.objectNode(),
                    end -> new Outcome.Result(Payload.of(end.body()), !end.succeeded()));
            running.run(run);
            running.stop(run);
            assertThat(log.all())
                    .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
                    .containsExactly("WARN the job of task " + run.id() + " may still run, and cannot be cancelled: "
                            + "The job may have begun, but the answer of the API does not name it.");
        }
    }
}
