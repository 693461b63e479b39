// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.call.ClientProfile.Capabilities;

/** Why a call was refused; each dialect has its own code and words for it. */
public sealed interface Refusal {

    /** Unknown, expired, or of another owner: never told apart. */
    record UnknownTask(String taskId) implements Refusal {}

    /** Only a task that has ended can be deleted, and this one has not, or its work is still being stopped. */
    record TaskStillLive(TaskView task) implements Refusal {}

    record UnknownTool(String tool) implements Refusal {}

    record UnknownResource(String uri) implements Refusal {}

    record UnknownPrompt(String prompt) implements Refusal {}

    /** The params are not what the method takes; {@code problem} is one sentence for the peer. */
    record InvalidParams(String problem) implements Refusal {}

    /**
     * The arguments of a tool are not what its schema says: a result for the model in the generations that want it so
     * ({@code isError}), else an error.
     */
    record InvalidArguments(String tool, String problem) implements Refusal {}

    record InvalidCursor() implements Refusal {}

    /** The tool can only be called as a task, and the caller did not ask for one (or cannot). */
    record TaskRequired(String tool) implements Refusal {}

    /** The tool cannot be called as a task. */
    record TaskNotSupported(String tool) implements Refusal {}

    /** The call needs what the client did not declare on it; only the missing ones are true in {@code missing}. */
    record CapabilityMissing(Capabilities missing) implements Refusal {}

    /** The creation key was used before for another call. */
    record CreationKeyReused() implements Refusal {}

    /** As many of {@code what} as allowed exist already; {@code limit} of them. */
    record LimitReached(String what, int limit) implements Refusal {}

    /** There is no room to store what the call needs stored; what is there can be read. */
    record StorageFull() implements Refusal {}

    /** What the call needs stored could not be stored, or nobody knows whether it was; the log knows more. */
    record StorageFailed() implements Refusal {}

    /** The method does not exist here. */
    record NoSuchMethod(String method) implements Refusal {}

    /** Something broke on our side; the log knows more. */
    record Internal() implements Refusal {}
}
