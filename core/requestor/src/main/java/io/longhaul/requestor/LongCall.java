// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

/** What a long call of a tool becomes in a generation of the protocol. */
public enum LongCall {
    /** The call is answered at its end. */
    AWAITED,
    /** The server decides for each call whether it becomes a task, and says so of no tool. */
    TASK_BY_SERVER,
    /** The client decides whether the call becomes a task. */
    TASK,
    /** The call becomes a task, which each session of the client joins. */
    JOINED_TASK,
    /** The call becomes a task by an id of the client, and is answered at its end. */
    NAMED_TASK,
    /** The call is answered part by part. */
    PARTS
}
