package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.follow.TaskFollower.End;

/** What the end of a call about a task means for the task's follower. */
final class FollowEnds {

    private FollowEnds() {}

    /** The end of a task whose outcome was asked for: an error is the task's own. */
    static End outcome(CallEnd end) throws InterruptedException {
        return switch (end) {
            case CallEnd.Answered(Answer.ToolResult(var result)) -> {
                boolean isError = JsonTree.read(result).path("isError").asBoolean(false);
                yield new End.Ended(new TaskView.End.Result(result, isError));
            }
            case CallEnd.Refused(var error) -> new End.Ended(new TaskView.End.Failure(error));
            default -> stopped(end, "the task's result");
        };
    }

    /**
     * The end of a follower whose call did not show what it was to show.
     *
     * @throws InterruptedException where the call was cancelled
     */
    static End stopped(CallEnd end, String expected) throws InterruptedException {
        return switch (end) {
            case CallEnd.Answered other -> new End.Lost("The server answered something else than " + expected + ".");
            case CallEnd.Refused(var error) -> new End.Refused(error);
            case CallEnd.Failed failed -> new End.Lost(failed.reason());
            case CallEnd.Cancelled cancelled -> throw new InterruptedException();
        };
    }
}
