// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.question.StoredAnswer;
import io.longhaul.receiver.task.Origin;
import java.util.List;
import java.util.function.Function;

/** Has the questions of workflows answered by the requestor of the task. */
final class WorkflowCaller {

    private WorkflowCaller() {}

    /**
     * Gives the answer of the caller.
     *
     * @throws RunException with the reason, where the caller cannot be asked or answers with an error: no user has then
     *     closed the form, and the workflow is not told so
     */
    static Payload ask(Run run, Run.Question question) throws InterruptedException {
        if (run instanceof QuickJob) {
            throw unanswered(new RpcError(RpcError.INVALID_PARAMS, "A quick call asks nobody: make the tool long"));
        }
        return ask(run, question, WorkflowCaller::unanswered);
    }

    /** Gives the answer of the caller; {@code ended} makes the end where there is none. */
    static Payload ask(Run run, Run.Question question, Function<RpcError, RunException> ended)
            throws InterruptedException {
        var asked = new CallResponse.Question(
                question.method(), Json.raw(question.params().bytes()));
        Origin.of(run.spec()).asking().check(List.of(asked), ended);
        var answer = run.ask(question.key(), question.method(), question.params(), null);
        var error = StoredAnswer.error(answer);
        if (error.isPresent()) {
            throw ended.apply(error.get());
        }
        return answer;
    }

    private static RunException unanswered(RpcError why) {
        return new RunException(new Outcome.Error(why.code(), why.message(), null));
    }
}
