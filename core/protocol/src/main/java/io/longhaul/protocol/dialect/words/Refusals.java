// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RpcError;

/** Writes refusals with the codes that all revisions share. */
public final class Refusals {

    private static final Capabilities TASKS = new Capabilities(false, false, false, false, true);

    private Refusals() {}

    /** The error for a refusal, where a revision has no code of its own for it. */
    public static RpcError error(Refusal why) {
        return switch (why) {
            case Refusal.UnknownTask unknown -> params("Task not found: it does not exist, or its retention is over");
            case Refusal.TaskStillLive live -> params("Cannot delete the task: it has not ended, cancel it first");
            case Refusal.UnknownResource unknown ->
                FeatureCodec.unknownResource(RpcError.RESOURCE_NOT_FOUND, unknown.uri());
            case Refusal.UnknownPrompt unknown -> params("Unknown prompt: " + unknown.prompt());
            case Refusal.UnknownTool unknown -> params("Unknown tool: " + unknown.tool());
            case Refusal.InvalidParams invalid -> params(invalid.problem());
            case Refusal.InvalidArguments invalid -> params(sentence(invalid));
            case Refusal.InvalidCursor invalid -> params("params.cursor is none that this server gave");
            case Refusal.CreationKeyReused reused ->
                params("params._meta[\"" + Meta.CREATION_KEY + "\"] was used before for another call");
            case Refusal.TaskRequired required ->
                method("Tool " + required.tool() + " can only be called as a task: add params.task");
            case Refusal.TaskNotSupported not ->
                method("Tool " + not.tool() + " cannot be called as a task: leave params.task out");
            case Refusal.NoSuchMethod no -> method("Unknown method: " + no.method());
            case Refusal.NotForAnonymous not ->
                new RpcError(
                        RpcError.METHOD_NOT_FOUND,
                        "Unknown method: " + not.method()
                                + " for anonymous callers, which have only the ids of their tasks",
                        JsonWriter.object().member(Meta.ANONYMOUS, true).end());
            case Refusal.CapabilityMissing missing ->
                new RpcError(RpcError.INVALID_REQUEST, "The client lacks a capability: " + names(missing.missing()));
            case Refusal.LimitReached limit ->
                new RpcError(
                        RpcError.INTERNAL_ERROR,
                        "The limit of " + limit.limit() + " " + limit.what()
                                + " is reached: try again when some ended");
            case Refusal.StorageFull full ->
                new RpcError(
                        RpcError.INTERNAL_ERROR,
                        "The server's disk is full, and nothing new can be kept: what is there can still be read;"
                                + " try again later");
            case Refusal.StorageFailed failed ->
                new RpcError(
                        RpcError.INTERNAL_ERROR,
                        "The server's storage failed, and nothing is known to be kept of this: try again later");
            case Refusal.Internal internal -> new RpcError(RpcError.INTERNAL_ERROR, "Internal error");
        };
    }

    /** Whether an error is that of a method which is not for anonymous callers. */
    public static boolean isForAnonymous(RpcError error) {
        return error.data() != null
                && JsonTree.read(error.data()).path(Meta.ANONYMOUS).asBoolean(false);
    }

    /** The reason why a call that asked for a task gets none, as a sentence. */
    public static String sentence(Refusal why) {
        return why instanceof Refusal.TaskNotSupported not
                ? "Tool " + not.tool() + " cannot be called as a task: use tools/call"
                : error(why).message();
    }

    /** Bad arguments as a result, so that a model can correct itself. */
    public static Json result(Refusal.InvalidArguments why) {
        return MessageWriter.errorResult(sentence(why));
    }

    /** The error of the stateless revision for capabilities that a request did not declare. */
    public static RpcError capabilityMissing(Capabilities missing) {
        var data = JsonWriter.object()
                .member("requiredCapabilities", ProfileCodec.required(missing))
                .end();
        return new RpcError(
                RpcError.MISSING_CLIENT_CAPABILITY,
                "The request does not declare a client capability: " + names(missing),
                data);
    }

    /** "Long-running operation called by an outdated client: -32600 (Invalid request)" (SEP-1391). */
    public static RpcError outdated(String tool) {
        return new RpcError(
                RpcError.INVALID_REQUEST,
                "Tool " + tool
                        + " runs for long and has no result at once: this version of the protocol cannot call it");
    }

    /** The error of the stateless revision for a request that did not declare the tasks extension. */
    public static RpcError tasksMissing() {
        return capabilityMissing(TASKS);
    }

    /** The error for a task that ended without a result. */
    public static RpcError ended(End end) {
        return switch (end) {
            case End.Failure failure -> failure.error();
            case End.Cancelled cancelled ->
                new RpcError(RpcError.INTERNAL_ERROR, cancelled.below("Task was cancelled"));
            case End.Broken broken -> new RpcError(RpcError.INTERNAL_ERROR, broken.reason());
            case End.Result result -> throw new IllegalArgumentException("a result is no error");
        };
    }

    private static String sentence(Refusal.InvalidArguments why) {
        return "Invalid arguments for tool " + why.tool() + ": " + why.problem();
    }

    private static RpcError params(String message) {
        return new RpcError(RpcError.INVALID_PARAMS, message);
    }

    private static RpcError method(String message) {
        return new RpcError(RpcError.METHOD_NOT_FOUND, message);
    }

    private static String names(Capabilities missing) {
        return String.join(
                ", ", JsonReader.members(ProfileCodec.required(missing)).names());
    }
}
