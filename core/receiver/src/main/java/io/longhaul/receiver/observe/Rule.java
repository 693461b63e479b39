// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.rpc.RpcError;

/** Why a message was refused. An unknown id and an id of another owner give the same rule. */
public enum Rule {
    /** A task, session or other id that does not exist for the caller. */
    UNKNOWN_ID,
    UNKNOWN_TOOL,
    /** A resource or prompt that does not exist. */
    UNKNOWN_NAME,
    /** Params or arguments that the method or tool does not take, or answers that do not fit. */
    BAD_PARAMS,
    /** The text is no message, or the message does not belong where it came. */
    BAD_MESSAGE,
    UNKNOWN_METHOD,
    /** A tool that is called only as a task was called without one, or a tool without tasks was called as a task. */
    TASK_OR_NOT,
    KEY_REUSED,
    /** The state of the task does not allow the request. */
    WRONG_STATE,
    MISSING_CAPABILITY,
    /** An interceptor of the server refuses this caller's call. */
    NOT_ADMITTED,
    /** A limit on the number of things at once is reached. */
    LIMIT,
    /** Too many messages in too little time. */
    RATE,
    STORAGE_FULL,
    STORAGE_FAILED,
    /** An internal error of the server. */
    INTERNAL;

    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final String OF_TASKS = "longhaul://tasks/";

    public static Rule of(Refusal why) {
        return switch (why) {
            case Refusal.UnknownTask task -> UNKNOWN_ID;
            case Refusal.UnknownTool tool -> UNKNOWN_TOOL;
            case Refusal.UnknownResource resource -> resource.uri().startsWith(OF_TASKS) ? UNKNOWN_ID : UNKNOWN_NAME;
            case Refusal.UnknownPrompt prompt -> UNKNOWN_NAME;
            case Refusal.InvalidParams params -> BAD_PARAMS;
            case Refusal.InvalidArguments arguments -> BAD_PARAMS;
            case Refusal.InvalidCursor cursor -> BAD_PARAMS;
            case Refusal.TaskRequired required -> TASK_OR_NOT;
            case Refusal.TaskNotSupported not -> TASK_OR_NOT;
            case Refusal.CapabilityMissing missing -> MISSING_CAPABILITY;
            case Refusal.CreationKeyReused reused -> KEY_REUSED;
            case Refusal.TaskStillLive live -> WRONG_STATE;
            case Refusal.LimitReached limit -> LIMIT;
            case Refusal.StorageFull full -> STORAGE_FULL;
            case Refusal.StorageFailed failed -> STORAGE_FAILED;
            case Refusal.NoSuchMethod method -> UNKNOWN_METHOD;
            case Refusal.NotForAnonymous method -> UNKNOWN_METHOD;
            case Refusal.Internal internal -> INTERNAL;
        };
    }

    /** @param status the HTTP status with which the message was refused */
    public static Rule of(RpcError error, int status) {
        if (status == NOT_FOUND && error.code() == RpcError.INVALID_REQUEST) {
            return UNKNOWN_ID;
        }
        if (status == TOO_MANY_REQUESTS) {
            return RATE;
        }
        return switch (error.code()) {
            case RpcError.METHOD_NOT_FOUND -> UNKNOWN_METHOD;
            case RpcError.INVALID_PARAMS, RpcError.HEADER_MISMATCH -> BAD_PARAMS;
            case RpcError.MISSING_CLIENT_CAPABILITY -> MISSING_CAPABILITY;
            case RpcError.INTERNAL_ERROR -> INTERNAL;
            default -> BAD_MESSAGE;
        };
    }
}
