// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.engine.run.Sha256;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The handle of a task's workflow, saved before the workflow is started: a task without a handle has started no
 * workflow. Immutable.
 *
 * @param workflow  the id of the workflow
 * @param run       the id of the present run, or null until Temporal has given it
 * @param earlier   the number of earlier runs
 * @param parts     the number of pieces of output of the earlier runs
 * @param logs      the number of log lines taken over from the present run
 * @param questions the questions taken over, by the keys under which they are asked
 */
record WorkflowHandle(
        String workflow, @Nullable String run, int earlier, int parts, int logs, Map<String, Asked> questions) {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int DIGEST = 16;

    /**
     * A question of a workflow. Its params are stored, because a worker may write the same question with another order
     * of members next time, which would count as another question.
     *
     * @param id       the id, unique in the run of the workflow
     * @param run      the run that asks
     * @param answered whether the run has got the answer
     */
    record Asked(String id, String run, String params, boolean answered) {}

    WorkflowHandle {
        // In the order of asking.
        questions = new LinkedHashMap<>(questions);
    }

    /**
     * The handle of a workflow that is about to be started.
     *
     * @param parts the number of pieces of output that the task has already
     */
    static WorkflowHandle of(String workflow, int parts) {
        return new WorkflowHandle(workflow, null, 0, parts, 0, Map.of());
    }

    /** A digest of the id of a task: the id may be the only protection of a task, and Temporal must not learn it. */
    static String digest(TaskId task) {
        return HexFormat.of().formatHex(Sha256.of("longhaul-workflow-" + task), 0, DIGEST);
    }

    /** The id of the present run. */
    String known() {
        if (run == null) {
            throw new IllegalStateException("the run of the workflow " + workflow + " is not known yet");
        }
        return run;
    }

    WorkflowHandle begun(String id) {
        return new WorkflowHandle(workflow, id, earlier, parts, logs, questions);
    }

    /** @param partsSoFar the number of pieces of output of the task */
    WorkflowHandle continued(String id, int partsSoFar) {
        return new WorkflowHandle(workflow, id, earlier + 1, partsSoFar, 0, questions);
    }

    WorkflowHandle logged(int lines) {
        return new WorkflowHandle(workflow, run, earlier, parts, lines, questions);
    }

    WorkflowHandle with(String key, Asked question) {
        var more = new LinkedHashMap<>(questions);
        more.put(key, question);
        return new WorkflowHandle(workflow, run, earlier, parts, logs, more);
    }

    /**
     * The key under which a question of the present run is asked: the ids of questions are unique only within a run.
     */
    String key(String question) {
        return earlier == 0 ? question : question + "-run-" + (earlier + 1);
    }

    static WorkflowHandle of(Payload saved) {
        var node = JSON.readTree(saved.bytes());
        var questions = new LinkedHashMap<String, Asked>();
        node.path("questions")
                .properties()
                .forEach(question -> questions.put(
                        question.getKey(),
                        new Asked(
                                question.getValue().path("id").asString(),
                                question.getValue().path("run").asString(),
                                question.getValue().path("params").asString(),
                                question.getValue().path("answered").asBoolean())));
        return new WorkflowHandle(
                node.path("workflow").asString(),
                node.path("run").asString(null),
                node.path("earlier").asInt(),
                node.path("parts").asInt(),
                node.path("logs").asInt(),
                questions);
    }

    Payload saved() {
        var node = JSON.createObjectNode().put("workflow", workflow);
        Optional.ofNullable(run).ifPresent(id -> node.put("run", id));
        node.put("earlier", earlier).put("parts", parts).put("logs", logs);
        var fields = node.putObject("questions");
        questions.forEach((key, question) -> fields.putObject(key)
                .put("id", question.id())
                .put("run", question.run())
                .put("params", question.params())
                .put("answered", question.answered()));
        return Payload.of(JSON.writeValueAsBytes(node));
    }
}
