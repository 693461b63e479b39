// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.testkit.BackendContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The contract over real requests, for each kind of API. */
abstract class HttpBackendContract extends BackendContract {

    static final ArgumentReader<ObjectNode> JSON =
            request -> (ObjectNode) JsonMapper.shared().readTree(request.bytes());
    static final HttpOutcomes TEXT = result -> new Outcome.Result(Payload.ofText(result.text()), !result.succeeded());

    private final boolean takesKeys;
    private final Function<String, HttpJob.Builder> job;

    /** @param job to be had at this origin */
    HttpBackendContract(boolean takesKeys, Function<String, HttpJob.Builder> job) {
        this.takesKeys = takesKeys;
        this.job = job;
    }

    /** A mapped API. */
    static HttpJob.Builder mapped(String origin) {
        return HttpJob.at(origin + "/jobs")
                .id("/id")
                .status(origin + "/jobs/{job.id}")
                .state("/status", JobStates.USUAL)
                .result("/log")
                .cancel("DELETE", origin + "/jobs/{job.id}")
                .every(Duration.ofMillis(10));
    }

    /** A mapped API that is told where to call. */
    static HttpJob.Builder calledBack(String origin) {
        return mapped(origin).json("{\"callback\":\"{task.callback}\"}").every(Duration.ofMinutes(1));
    }

    /** An API that names the address of an operation. */
    static HttpJob.Builder operation(String origin) {
        return HttpJob.at(origin + "/operations")
                .cancel("DELETE", origin + "/operations/{job.id}")
                .every(Duration.ofMillis(10));
    }

    @Override
    protected Outside outside(Path home) throws Exception {
        return new Jobs(new JobApi(takesKeys), new ArrayList<>());
    }

    /** A backend as a server has it that has just started. */
    HttpBackend backend() throws Exception {
        return HttpBackend.create();
    }

    class Jobs implements Outside {
        final JobApi api;
        private final List<HttpBackend> backends;

        Jobs(JobApi api, List<HttpBackend> backends) {
            this.api = api;
            this.backends = backends;
        }

        @Override
        public Backend newBackend() throws Exception {
            var backend = backend();
            backends.add(backend);
            var builder = job.apply(api.origin());
            return backend.running(
                    (takesKeys ? builder.idempotencyKey("Idempotency-Key") : builder).build(), JSON, TEXT);
        }

        @Override
        public void endJobs() throws Exception {
            api.endJobs();
        }

        @Override
        public void deleteJobs() throws Exception {
            api.deleteJobs();
        }

        @Override
        public int begun() {
            return api.begun();
        }

        @Override
        public void awaitBegun(int jobs) throws InterruptedException {
            api.awaitBegun(jobs);
        }

        @Override
        public boolean isBegun(Payload handle) {
            return handle.text().contains("\"job\":");
        }

        @Override
        public int running() {
            return api.running();
        }

        @Override
        public boolean findsLostStarts() {
            return takesKeys;
        }

        @Override
        public boolean canHide() {
            return true;
        }

        @Override
        public void hide(boolean hidden) throws Exception {
            api.hide(hidden);
        }

        @Override
        public void awaitLook() throws InterruptedException {
            api.awaitLook();
        }

        @Override
        public void holdAnswersOfStarts() {
            api.holdAnswersOfStarts();
        }

        @Override
        public void answerStarts() {
            api.answerStarts();
        }

        @Override
        public void close() throws Exception {
            backends.forEach(HttpBackend::close);
            api.close();
        }
    }
}
