// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.grpc.Status;
import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.testkit.BackendContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The contract over real requests to the test server of Temporal, with a worker that does the work. */
class TemporalBackendTest extends BackendContract {

    static final ArgumentReader<JsonNode> JSON = request -> JsonMapper.shared().readTree(request.bytes());
    static final WorkflowOutcomes TEXT =
            result -> new Outcome.Result(Payload.ofText(result.text()), !result.succeeded());

    @Override
    protected Outside outside(Path home) throws Exception {
        return new Jobs(new TemporalWorld(), new ArrayList<>());
    }

    private record Jobs(TemporalWorld temporal, List<TemporalBackend> backends) implements Outside {

        @Override
        public Backend newBackend() {
            var backend = TemporalBackend.create();
            backends.add(backend);
            var job = Temporal.workflow(Workflows.Hold.class)
                    .taskQueue(TemporalWorld.QUEUE)
                    .address(temporal.address())
                    .every(Duration.ofMillis(10));
            return backend.running(job.build(), JSON, TEXT);
        }

        @Override
        public void endJobs() {
            temporal.endHolds();
        }

        @Override
        public void deleteJobs() {
            temporal.delete();
        }

        @Override
        public int begun() {
            return temporal.begun();
        }

        @Override
        public void awaitBegun(int jobs) throws InterruptedException {
            temporal.awaitBegun(jobs);
        }

        @Override
        public boolean isBegun(Payload handle) {
            return handle.text().contains("\"run\":");
        }

        @Override
        public int running() {
            return (int)
                    temporal.workflows().stream().filter(temporal::isRunning).count();
        }

        @Override
        public boolean findsLostStarts() {
            return true;
        }

        @Override
        public boolean canHide() {
            return true;
        }

        @Override
        public void hide(boolean hidden) {
            temporal.refuse(hidden ? Status.UNAVAILABLE : Status.OK);
        }

        @Override
        public void awaitLook() throws InterruptedException {
            temporal.awaitRefused();
        }

        @Override
        public void holdAnswersOfStarts() {
            temporal.holdAnswersOfStarts();
        }

        @Override
        public void answerStarts() {
            temporal.answerStarts();
        }

        @Override
        public void close() throws InterruptedException {
            backends.forEach(TemporalBackend::close);
            temporal.close();
        }
    }
}
