// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.backend.http.HttpBackend;
import io.longhaul.backend.http.HttpJob;
import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.backend.shell.ShellCommand;
import io.longhaul.backend.temporal.TemporalBackend;
import io.longhaul.backend.temporal.WorkflowJob;
import io.longhaul.engine.run.Backend;
import io.longhaul.file.value.CallValues;
import java.util.Optional;

/** The job that a tool runs between its questions. Thread-safe. */
sealed interface ToolJob {

    JobResults results();

    /** Why a call with these values is refused. Arguments whose values are still missing are not checked. */
    default Optional<String> refusal(CallValues values) {
        return Optional.empty();
    }

    Backend with(CallValues values);

    record OfCommand(ShellBackend jobs, ShellCommand command, JobResults results) implements ToolJob {
        @Override
        public Optional<String> refusal(CallValues values) {
            return command.refusal(values.texts());
        }

        @Override
        public Backend with(CallValues values) {
            var texts = values.texts();
            return jobs.running(command, request -> texts, results);
        }
    }

    /** A job of an API, which refuses values when it makes a request of them. */
    record OfApi(HttpBackend jobs, HttpJob job, JobResults results) implements ToolJob {
        public OfApi {
            jobs.admit(job);
        }

        @Override
        public Backend with(CallValues values) {
            return jobs.running(job, request -> values.json(), results);
        }
    }

    /** A workflow, which is started with the values as they are. */
    record OfWorkflow(TemporalBackend workflows, WorkflowJob job, JobResults results) implements ToolJob {
        @Override
        public Backend with(CallValues values) {
            return workflows.running(job, request -> values.json(), results, WorkflowCaller::ask);
        }
    }
}
