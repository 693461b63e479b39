// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks1686;

import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Splice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * "All requests, notifications, and responses related to a task MUST include the
 * `modelcontextprotocol.io/related-task` key in their `_meta`, with the value set to an object with a `taskId`
 * matching the associated task ID."
 */
final class Related {

    /** The key that names the task of a message. */
    static final String TASK = "modelcontextprotocol.io/related-task";

    /** The key that asks to run a request as a task. */
    static final String AUGMENTED = "modelcontextprotocol.io/task";

    private Related() {}

    /** The {@code _meta} of a message of the task. */
    static Map<String, Json> meta(String taskId) {
        return Map.of(TASK, MessageWriter.object("taskId", taskId));
    }

    /** Params or a result that name the task. */
    static Json to(@Nullable String taskId, Json object) {
        return taskId == null ? object : Splice.into(object, Map.of(), meta(taskId));
    }

    /** A result that names no task. */
    static Json without(Json result) {
        return Splice.without(result, Set.of(), Set.of(TASK));
    }

    /** A response that names the task. An error has no {@code _meta}: only its id relates it to the task. */
    static JsonRpcMessage to(String taskId, JsonRpcMessage response) {
        return response instanceof JsonRpcMessage.Result result
                ? new JsonRpcMessage.Result(result.id(), to(taskId, result.result()))
                : response;
    }

    /** The task that params or a result name. */
    static Optional<String> task(Json object) {
        return MessageWriter.text(object, Meta.META, TASK, "taskId");
    }
}
