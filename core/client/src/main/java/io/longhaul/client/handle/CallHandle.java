// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.handle;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOptions.TaskUse;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.TaskReference;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All that a later process needs to go on with a call. Immutable.
 *
 * @param origin    where the call was made
 * @param called    with the creation key, which is the id of the handle
 * @param startedAt when the call was made, by the clock of the host
 * @param taskId    of the task that the server made of the call, or null
 * @param outcome   how the call ended, or null while the call is open
 */
public record CallHandle(
        Origin origin,
        Called called,
        Instant startedAt,
        @Nullable String taskId,
        @Nullable CallOutcome outcome) {

    private static final int FORMAT = 1;

    /**
     * Where a call was made.
     *
     * @param server  as a {@link TaskReference} prints it
     * @param session the id of the session, or empty where there was none
     */
    public record Origin(String server, Generation generation, Optional<String> session) {}

    /** The tool, the arguments and the options of the call. */
    public record Called(String tool, Json arguments, CallOptions options) {}

    public String id() {
        return Objects.requireNonNull(called.options().creationKey());
    }

    /** @param session in which the server has made the task */
    CallHandle withTask(String id, Optional<String> session) {
        var made = new Origin(origin.server(), origin.generation(), session);
        return new CallHandle(made, called, startedAt, id, outcome);
    }

    CallHandle withOutcome(CallOutcome how) {
        return new CallHandle(origin, called, startedAt, taskId, how);
    }

    /** The options of a call that goes on now: its timeout counts from when the call was made. */
    public CallOptions optionsAt(Instant now) {
        var options = called.options();
        var timeout = options.timeout();
        if (timeout == null) {
            return options;
        }
        var left = timeout.minus(Duration.between(startedAt, now));
        return options.withTimeout(left.isNegative() ? Duration.ZERO : left);
    }

    public Json toJson() {
        var options = called.options();
        var json = JsonTree.object()
                .put("format", FORMAT)
                .put("server", origin.server())
                .put("generation", origin.generation().label())
                .put("tool", called.tool())
                .put("key", options.creationKey())
                .put("taskUse", options.task().name())
                .put("startedAt", startedAt.toString());
        json.set("arguments", JsonTree.read(called.arguments()));
        if (options.ttl() != null) {
            json.put("ttl", options.ttl().toString());
        }
        if (options.timeout() != null) {
            json.put("timeout", options.timeout().toString());
        }
        origin.session().ifPresent(id -> json.put("session", id));
        if (taskId != null) {
            json.put("task", taskId);
        }
        if (outcome != null) {
            json.set("outcome", CallOutcomeCodec.write(outcome));
        }
        return JsonTree.write(json);
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException where the text is no handle of this format
     */
    public static CallHandle parse(Json text) {
        var json = JsonTree.read(text);
        if (json.path("format").asInt(0) != FORMAT) {
            throw new IllegalArgumentException("This is no handle of a call that this version of Longhaul reads.");
        }
        var options = new CallOptions(
                duration(json.path("ttl")),
                json.path("key").stringValue(),
                TaskUse.valueOf(json.path("taskUse").stringValue()),
                duration(json.path("timeout")));
        var outcome = json.path("outcome");
        var origin = new Origin(
                json.path("server").stringValue(),
                Generation.named(json.path("generation").stringValue()).orElseThrow(IllegalArgumentException::new),
                json.path("session").stringValueOpt());
        return new CallHandle(
                origin,
                new Called(json.path("tool").stringValue(), JsonTree.write(json.path("arguments")), options),
                Instant.parse(json.path("startedAt").stringValue()),
                json.path("task").asString(null),
                outcome.isMissingNode() ? null : CallOutcomeCodec.read(outcome));
    }

    private static @Nullable Duration duration(JsonNode text) {
        return text.isString() ? Duration.parse(text.stringValue()) : null;
    }
}
