// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.backend.temporal.request.WorkflowCalls;
import io.longhaul.backend.temporal.request.WorkflowReports;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks the caller of a task the questions of its workflow, and sends the answers to the workflow. A question and its
 * answer are stored in the task before the workflow gets the answer, so that the next server can send the answer again.
 * The workflow uses only the first answer to each question.
 */
final class WorkflowAsker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkflowAsker.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String METHOD = "elicitation/create";

    private final WorkflowJobs jobs;
    private final Run run;
    private final KeptHandle kept;
    private final WorkflowCalls calls;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    WorkflowAsker(WorkflowJobs jobs, Run run, KeptHandle kept, WorkflowCalls calls) {
        this.jobs = jobs;
        this.run = run;
        this.kept = kept;
        this.calls = calls;
    }

    /** Continues the unanswered questions of an earlier attempt, also while no worker runs. */
    void resume() {
        kept.get().questions().forEach((key, asked) -> {
            if (!asked.answered()) {
                begin(key, asked);
            }
        });
    }

    /** Asks the questions that are new. */
    void ask(List<WorkflowReports.Question> questions) {
        for (var question : questions) {
            var key = kept.get().key(question.id());
            if (!kept.get().questions().containsKey(key)) {
                var asked = new WorkflowHandle.Asked(
                        question.id(), kept.get().known(), question.params().orElse(""), false);
                kept.change(handle -> handle.with(key, asked));
                begin(key, asked);
            }
        }
    }

    private void begin(String key, WorkflowHandle.Asked asked) {
        threads.add(Thread.ofVirtual().name("workflow-ask-" + run.id()).start(() -> {
            try {
                var pace = PollPace.of(null);
                while (!isAnswered(key, asked)) {
                    pace = pace.troubled();
                    jobs.pause(pace);
                }
            } catch (InterruptedException | StaleRunException e) {
                LOG.debug("the question {} of task {} is over", key, run.id(), e);
            } catch (RuntimeException e) {
                LOG.error("the question {} of task {} waits for the next start of the server", key, run.id(), e);
            }
        }));
    }

    /** Carries a question through; false where the store failed, and the same can be done again later. */
    private boolean isAnswered(String key, WorkflowHandle.Asked asked) throws InterruptedException {
        try {
            tell(asked, answer(key, asked));
            kept.change(handle ->
                    handle.with(key, new WorkflowHandle.Asked(asked.id(), asked.run(), asked.params(), true)));
            return true;
        } catch (StoreException e) {
            LOG.warn("the question {} of task {} is put again soon: {}", key, run.id(), e.getMessage());
            return false;
        }
    }

    private JsonNode answer(String key, WorkflowHandle.Asked asked) throws InterruptedException {
        if (asked.params().isEmpty()) {
            return error(asked, "The question has no schema in JSON.");
        }
        try {
            var answer = jobs.questions().ask(run, new Run.Question(key, METHOD, Payload.ofText(asked.params())));
            return JSON.createObjectNode().put("id", asked.id()).set("answer", JSON.readTree(answer.bytes()));
        } catch (RunException e) {
            return error(asked, e.outcome() instanceof Outcome.Error error ? error.message() : "It cannot be asked.");
        }
    }

    private static ObjectNode error(WorkflowHandle.Asked asked, String why) {
        return JSON.createObjectNode().put("id", asked.id()).put("error", why);
    }

    private void tell(WorkflowHandle.Asked asked, JsonNode answer) throws InterruptedException {
        var pace = PollPace.of(null);
        while (!calls.signal(asked.run(), answer)) {
            pace = pace.troubled();
            jobs.pause(pace);
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
