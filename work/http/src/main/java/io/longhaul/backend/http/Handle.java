// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.run.Sha256;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
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
record Handle(
        ObjectNode arguments, boolean mayRun, @Nullable StartedJob job, Emitted output) {

    /**
     * The piece of output that was about to be emitted when the handle was saved.
     *
     * @param from   the position where the piece begins
     * @param pieces the number of pieces of the task with this piece
     * @param to     the position behind the piece
     */
    record Emitted(long from, int pieces, long to) {
        static final Emitted NOTHING = new Emitted(0, 0, 0);

        /** The position of the next piece of a task that has so many pieces. */
        long next(int count) {
            return count >= pieces ? to : from;
        }
    }

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final long VERSION = 0x8000L;
    private static final long VERSION_BITS = 0xF000L;
    private static final long VARIANT = 1L << 63;
    private static final long VARIANT_BITS = 3L << 62;

    /** The handle before any start, or after a start that has begun no job. */
    static Handle notBegun(ObjectNode arguments) {
        return new Handle(arguments, false, null, Emitted.NOTHING);
    }

    Handle starting() {
        return new Handle(arguments, true, null, Emitted.NOTHING);
    }

    Handle begun(StartedJob started) {
        return new Handle(arguments, true, started, Emitted.NOTHING);
    }

    Handle emitting(Emitted piece) {
        return new Handle(arguments, mayRun, job, piece);
    }

    static Handle of(Payload saved) {
        var node = JSON.readTree(saved.bytes());
        var job = node.path("job");
        var started = job.isObject()
                ? new StartedJob(job.path("id").asString(null), uri(job, "operation"), uri(job, "target"))
                : null;
        var output = node.path("output");
        return new Handle(
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

    Payload saved() {
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

    /**
     * The idempotency key of a task: always the same for a task, in the form of a UUID, which all APIs accept. The key
     * is a digest, because the id may be the only protection of a task, and an API must not learn it.
     */
    static String key(TaskId task) {
        var bits = ByteBuffer.wrap(Sha256.of("longhaul-job-" + task));
        return new UUID(bits.getLong() & ~VERSION_BITS | VERSION, bits.getLong() & ~VARIANT_BITS | VARIANT).toString();
    }
}
