// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import io.longhaul.engine.run.Backend;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.Content;
import io.longhaul.server.TaskContext;
import io.longhaul.server.ToolCalls;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.internal.codec.ResultCodec;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A tool as its author has defined it. Immutable.
 *
 * @param definition the tool as lists contain it, an object
 * @param scopes     that its callers need
 */
public record ToolSpec(
        String name, Json definition, Set<String> scopes, ToolInput input, ResultCodec results, Calls calls) {

    /** How calls are answered. */
    public sealed interface Calls {}

    /** Each call at once. */
    public record Quick(ToolHandler<Object, ToolContext, ?> handler) implements Calls {}

    /**
     * Calls by durable tasks.
     *
     * @param immediate computes the immediate response from the arguments; null for none, or for a constant one
     * @param sometimes which calls are no tasks; null where each call is a task
     */
    public record Lasting(
            Worker worker,
            TaskOptions options,
            @Nullable Function<Object, @Nullable List<Content>> immediate,
            @Nullable Sometimes sometimes)
            implements Calls {}

    /** Who does the work of a task. */
    public sealed interface Worker {

        record Code(ToolHandler<Object, TaskContext, ?> handler) implements Worker {}

        record External(Function<ToolCalls, Backend> backend) implements Worker {}
    }

    /**
     * The option to answer some calls at once.
     *
     * @param isLong    whether a call with such arguments is a task; the arguments have their defaults
     * @param otherwise answers the other calls
     */
    public record Sometimes(Predicate<JsonNode> isLong, ToolHandler<Object, ToolContext, ?> otherwise) {}

    public boolean isLongRunning() {
        return calls instanceof Lasting;
    }
}
