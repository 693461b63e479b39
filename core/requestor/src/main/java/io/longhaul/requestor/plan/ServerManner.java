// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.plan;

import io.longhaul.protocol.call.Call;

/**
 * How a client deals with one server in one session. {@link ClientPlanner#manner} decides all of it.
 *
 * @param inSession  whether requests belong to a session that a handshake opens, in which the server may ask by
 *     requests, and tells unasked of what changes
 * @param resumes    whether a stream that broke is resumed, rather than its request sent again
 * @param namesTasks whether the client chooses the ids of its tasks
 * @param readsTools whether a call depends on the definition of its tool
 * @param follow     how a task is followed
 * @param cancel     how a task is cancelled
 */
public record ServerManner(
        boolean inSession,
        boolean resumes,
        boolean namesTasks,
        boolean readsTools,
        FollowPlan follow,
        CancelPlan cancel) {

    /** Whether the end of a response's stream, over HTTP, cancels the request. */
    public boolean closingCancels() {
        return !inSession;
    }

    /** A call that every server answers. */
    public Call ping() {
        return inSession ? new Call.Ping() : new Call.Discover();
    }
}
