// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.plan;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.json.Json;

/**
 * How a tool is called.
 *
 * @param wish         what the server is told of tasks
 * @param way          what may come of the request
 * @param isRepeatable whether the request is sent again where it may have reached the server
 * @param isNamed      whether the request has the id of its task, which is refused the second time
 * @param ignoresTtl   whether the caller named a time for which the server cannot be asked to keep the task
 */
public record CallPlan(TaskWish wish, Way way, boolean isRepeatable, boolean isNamed, boolean ignoresTtl) {

    /** What may come of a request. */
    public enum Way {
        /** A result at the end of the work. */
        RESULT,
        /** The result, or the task. */
        TASK,
        /** The result, while a notification may tell before of a task. */
        RACE,
        /** The part of the result that follows the one whose token the request has. */
        PART
    }

    /**
     * The plan for the part that follows a token, wherever the token came from: "The tokens are very tolerant of
     * disconnections", and a token that was used gives the same part again.
     */
    public static CallPlan after(PartToken part) {
        return new CallPlan(new TaskWish.NextPart(part.token(), part.inMeta()), Way.PART, true, false, false);
    }

    /** Whether a task may come of the request. */
    public boolean mayBeTask() {
        return way == Way.TASK || way == Way.RACE;
    }

    /** Whether the call may reach the server twice. */
    public boolean mayComeTwice() {
        return isRepeatable || isNamed;
    }

    public boolean isPart() {
        return way == Way.PART;
    }

    /** The call of a tool. */
    public Call.CallTool call(String tool, Json arguments, Json progressToken, String key, Call.Round round) {
        var extras = new Call.CallExtras(progressToken, isPart() ? null : key, null);
        return new Call.CallTool(tool, arguments, wish, extras, round);
    }
}
