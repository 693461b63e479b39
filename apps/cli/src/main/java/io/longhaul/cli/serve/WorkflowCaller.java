// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.question.StoredAnswer;
import io.longhaul.receiver.task.Origin;
import java.util.List;

/** Has the questions of workflows answered by the requestor of the task. */
final class WorkflowCaller {
    /** The answer for a workflow whose caller cannot be asked: the same as for a caller that closed the form. */
    private static final Payload CLOSED = Payload.ofText("{\"action\":\"cancel\"}");

    private WorkflowCaller() {}

    static Payload ask(Run run, Run.Question question) throws InterruptedException {
        if (!canBeAsked(run, question)) {
            return CLOSED;
        }
        var answer = run.ask(question.key(), question.method(), question.params(), null);
        return StoredAnswer.error(answer).isPresent() ? CLOSED : answer;
    }

    private static boolean canBeAsked(Run run, Run.Question question) {
        if (run instanceof QuickJob) {
            return false;
        }
        try {
            var asked = new Answer.Question(
                    question.method(), Json.raw(question.params().bytes()));
            Origin.of(run.spec())
                    .asking()
                    .check(List.of(asked), why -> new RunException(new Outcome.Error(why.code(), why.message(), null)));
            return true;
        } catch (RunException e) {
            return false;
        }
    }
}
