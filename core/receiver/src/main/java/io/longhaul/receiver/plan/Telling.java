// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

/**
 * Where a client is told of its tasks, and asked for them, beside the request that waits for a task.
 *
 * @param inSession   whether the streams of the session tell of the task
 * @param onCall      whether the stream of the answered call goes on, for a client that resumes it
 * @param asksAfterPoll whether a client sees that it is asked by a poll, and then opens a request that waits
 * @param asksOnLooks whether the stream of a status request takes a question that no other stream takes
 */
public record Telling(boolean inSession, boolean onCall, boolean asksAfterPoll, boolean asksOnLooks) {}
