// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.server.Served;
import tools.jackson.databind.JsonNode;

/** How a client with a session calls the tool, and what its generation is told where. */
enum ModelWay {
    /** The tasks of 2025-11-25. */
    TASKS("2025-11-25"),
    /** A call that is answered in the end. */
    PLAIN("2025-06-18"),
    /** A task that its requestor has named, of SEP-1686. */
    NAMED("2025-06-18"),
    /** An operation of SEP-1391. */
    OPERATION("next"),
    /** A call of the draft {@code tools/async}. */
    ASYNC("2025-06-18");

    final String version;

    ModelWay(String version) {
        this.version = version;
    }

    String method() {
        return this == ASYNC ? "tools/async/call" : "tools/call";
    }

    /** The parameters of a call. */
    String call(ModelWork work, String token) {
        String call = Served.call(work.tool(), "{\"name\":\"" + work.name + "\"}");
        String progress = "\"progressToken\":\"" + token + "\"";
        String key = progress + ",\"io.longhaul/creation-key\":\"" + work.name + "\"";
        return switch (this) {
            case TASKS -> Served.and(call, "\"task\":{},\"_meta\":{" + key + "}");
            case PLAIN, ASYNC -> Served.and(call, "\"_meta\":{" + key + "}");
            case NAMED ->
                Served.and(
                        call,
                        "\"_meta\":{" + progress + ",\"modelcontextprotocol.io/task\":{\"taskId\":\"" + work.name
                                + "\"}}");
            case OPERATION ->
                Served.and(call, "\"operation\":{\"token\":\"" + work.name + "\"},\"_meta\":{" + progress + "}");
        };
    }

    /** The name of the task in the result of the call. */
    String named(JsonNode result) {
        return switch (this) {
            case TASKS -> result.path("task").path("taskId").asString();
            case ASYNC -> result.path("token").asString();
            case OPERATION -> result.path("operation").path("token").asString();
            case PLAIN, NAMED -> "";
        };
    }

    /** The parameters of a request about a task. */
    String about(ModelWork work) {
        return "{\"" + (this == TASKS ? "taskId" : "token") + "\":\"" + work.id + "\"}";
    }

    /** Whether a call is answered with its task, in a body of its own. */
    boolean isAnsweredAtOnce() {
        return this == TASKS || this == ASYNC;
    }

    /** Whether the stream of a call ends with the outcome of the task, and has all that was before. */
    boolean isAnsweredInTheEnd() {
        return this == PLAIN || this == NAMED;
    }

    /** Whether GET streams tell of tasks. */
    boolean isToldInSession() {
        return this != PLAIN;
    }

    /** The method by which requests wait for the outcome of a task, or empty. */
    String waits() {
        return this == TASKS ? "tasks/result" : this == ASYNC ? "tools/async/get" : "";
    }

    /** Whether a request that asks how a task stands brings its questions. */
    boolean hasLooks() {
        return this == OPERATION;
    }

    /** Whether GET streams tell the end of this task. */
    boolean isEndToldInSession(ModelWork work) {
        return this == TASKS || this == ASYNC && work.cancelled;
    }

    /** Whether questions wait for a poll before they go on a GET stream. */
    boolean holdsQuestions() {
        return this == TASKS;
    }
}
