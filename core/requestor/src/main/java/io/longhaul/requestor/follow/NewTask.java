// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Backoff;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.follow.TaskFollower.Events;
import java.util.Optional;

/**
 * What a server says of a task that it has made just now. Another process of the server may learn of the task later:
 * until the server has shown the task once, "not found" means nothing for some seconds. For one thread.
 */
final class NewTask {

    private final Backoff backoff;
    private final Events events;
    private final Optional<TaskView> made;
    private final Creation creation;
    private boolean known;

    /** @param made the task that the server has made just now; empty for any other task */
    NewTask(RequestorSettings settings, Events events, Optional<TaskView> made, Creation creation) {
        this.backoff = new Backoff(settings.time(), Creation.TO_APPEAR);
        this.events = events;
        this.made = made;
        this.creation = creation;
        this.known = made.isEmpty();
    }

    /** A request about the task. */
    interface Request {
        CallResult end() throws InterruptedException;
    }

    /** The task as the server has made it; empty where the server has shown it since, or for any other task. */
    Optional<TaskView> made() {
        return known ? Optional.empty() : made;
    }

    /** Makes a request, and repeats it while the server may not know the task yet. */
    CallResult awaited(Request request) throws InterruptedException {
        while (true) {
            var end = request.end();
            if (known || !(end instanceof CallResult.Refused(var error)) || error.code() != RpcError.INVALID_PARAMS) {
                known = known || end instanceof CallResult.Answered;
                return end;
            }
            if (creation.isCancelled().getAsBoolean() || !backoff.pause()) {
                return end;
            }
            events.trouble("The server does not know yet the task that it has made: " + error.message());
        }
    }
}
