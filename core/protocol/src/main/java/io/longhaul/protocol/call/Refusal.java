// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.call.ClientProfile.Capabilities;

/** The reason why a call was refused. Each dialect has its own codes and texts for the reasons. */
public sealed interface Refusal {

    /** The task is unknown, expired, or of another owner. The server never tells these cases apart. */
    record UnknownTask(String taskId) implements Refusal {}

    /**
     * The task cannot be deleted: it has not ended, its work or that of a child has not stopped yet, or a live parent
     * keeps it.
     */
    record TaskStillLive(TaskView task) implements Refusal {}

    record UnknownTool(String tool) implements Refusal {}

    record UnknownResource(String uri) implements Refusal {}

    record UnknownPrompt(String prompt) implements Refusal {}

    /** The params do not fit the method; {@code problem} is one sentence for the peer. */
    record InvalidParams(String problem) implements Refusal {}

    /**
     * The arguments of a tool do not fit its schema. Some generations require a result for the model ({@code isError}),
     * the others an error.
     */
    record InvalidArguments(String tool, String problem) implements Refusal {}

    record InvalidCursor() implements Refusal {}

    /** The tool can only be called as a task, and the caller did not or cannot ask for a task. */
    record TaskRequired(String tool) implements Refusal {}

    /** The tool cannot be called as a task. */
    record TaskNotSupported(String tool) implements Refusal {}

    /** The call needs capabilities that the client did not declare; {@code missing} has only these. */
    record CapabilityMissing(Capabilities missing) implements Refusal {}

    /** The creation key was used before for another call. */
    record CreationKeyReused() implements Refusal {}

    /** The limit is reached: {@code limit} of {@code what} exist already. */
    record LimitReached(String what, int limit) implements Refusal {}

    /** The disk has no room for the write that the call needs. Reads still work. */
    record StorageFull() implements Refusal {}

    /** The write that the call needs has failed, or its outcome is unknown. The log has the details. */
    record StorageFailed() implements Refusal {}

    /** The method does not exist here. */
    record NoSuchMethod(String method) implements Refusal {}

    /** The method is not for anonymous callers: the ids of their tasks are the only keys to them. */
    record NotForAnonymous(String method) implements Refusal {}

    /** An internal error of the server; the log has the details. */
    record Internal() implements Refusal {}
}
