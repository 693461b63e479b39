// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.job;

import io.longhaul.engine.task.Payload;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The handle of a task's job, saved before the job is started and again when the job is known to have begun.
 *
 * @param arguments the arguments of the start; they include answers of the caller, which only the run knows
 * @param mayRun    whether the job may have begun, because a start is about to be sent or was sent
 * @param job       null until the API has named the job
 * @param output    how far the output of the job was read
 */
public record ApiJobHandle(
        ObjectNode arguments, boolean mayRun, @Nullable StartedJob job, Emitted output) {

    /**
     * The piece of output that was about to be emitted when the handle was saved.
     *
     * @param from   the position where the piece begins
     * @param pieces the number of pieces of the task with this piece
     * @param to     the position behind the piece
     */
    public record Emitted(long from, int pieces, long to) {
        static final Emitted NOTHING = new Emitted(0, 0, 0);

        /** The position of the next piece of a task that has so many pieces. */
        public long next(int count) {
            return count >= pieces ? to : from;
        }
    }

    private static final JsonMapper JSON = JsonMapper.shared();

    /** The handle before any start, or after a start that has begun no job. */
    public static ApiJobHandle notBegun(ObjectNode arguments) {
        return new ApiJobHandle(arguments, false, null, Emitted.NOTHING);
    }

    public ApiJobHandle starting() {
        return new ApiJobHandle(arguments, true, null, Emitted.NOTHING);
    }

    public ApiJobHandle begun(StartedJob started) {
        return new ApiJobHandle(arguments, true, started, Emitted.NOTHING);
    }

    public ApiJobHandle emitting(Emitted piece) {
        return new ApiJobHandle(arguments, mayRun, job, piece);
    }

    public static ApiJobHandle of(Payload saved) {
        var node = JSON.readTree(saved.bytes());
        var job = node.path("job");
        var started = job.isObject()
                ? new StartedJob(job.path("id").asString(null), uri(job, "operation"), uri(job, "target"))
                : null;
        var output = node.path("output");
        return new ApiJobHandle(
                (ObjectNode) node.path("arguments"),
                node.path("mayRun").asBoolean(),
                started,
                new Emitted(
                        output.path("from").asLong(0),
                        output.path("pieces").asInt(0),
                        output.path("to").asLong(0)));
    }

    private static @Nullable URI uri(JsonNode job, String field) {
        var text = job.path(field).asString(null);
        return text == null ? null : URI.create(text);
    }

    public Payload saved() {
        var node = JSON.createObjectNode().put("mayRun", mayRun);
        node.set("arguments", arguments);
        if (job != null) {
            var fields = node.putObject("job");
            Optional.ofNullable(job.id()).ifPresent(id -> fields.put("id", id));
            Optional.ofNullable(job.operation()).ifPresent(uri -> fields.put("operation", uri.toString()));
            Optional.ofNullable(job.target()).ifPresent(uri -> fields.put("target", uri.toString()));
        }
        if (!output.equals(Emitted.NOTHING)) {
            node.putObject("output")
                    .put("from", output.from())
                    .put("pieces", output.pieces())
                    .put("to", output.to());
        }
        return Payload.of(JSON.writeValueAsBytes(node));
    }
}
