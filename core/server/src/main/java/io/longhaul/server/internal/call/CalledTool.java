// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.server.ChildFailedException;
import io.longhaul.server.ChildTask;
import io.longhaul.server.internal.codec.Binding;
import io.longhaul.server.internal.schema.Values;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** The task of a called tool, for the handler that has called the tool. */
record CalledTool(Run.Child child) implements ChildTask {

    @Override
    public String id() {
        return child.id().value();
    }

    @Override
    public <T> T await(Class<T> type) throws InterruptedException {
        JsonNode result = await();
        JsonNode structured = result.path("structuredContent");
        if (type == String.class && !structured.isString()) {
            return type.cast(text(result));
        }
        try {
            T value = structured.isMissingNode() ? ofText(text(result), type) : Values.bind(structured, type);
            if (value != null) {
                return value;
            }
        } catch (JacksonException e) {
            throw unusable(type, Binding.problem(e, Values.type(type)), e);
        }
        throw unusable(type, "there is none", null);
    }

    /** A text that is JSON as that value, and any other text as itself. */
    private static <T> @Nullable T ofText(String text, Class<T> type) {
        try {
            return Values.bind(Values.parse(text), type);
        } catch (JacksonException e) {
            return Values.bind(StringNode.valueOf(text), type);
        }
    }

    private static IllegalArgumentException unusable(Class<?> type, String why, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "The result of the called tool cannot be read as " + type.getSimpleName() + ": " + why
                        + ". Take it as a String, or whole by await().",
                cause);
    }

    private static String text(JsonNode result) {
        return result.path("content")
                .valueStream()
                .filter(item -> item.path("type").asString("").equals("text"))
                .map(item -> item.path("text").asString(""))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public JsonNode await() throws InterruptedException {
        var ended = child.await();
        var outcome = Objects.requireNonNull(ended.ending()).outcome();
        if (outcome instanceof Outcome.Result(var body, boolean isError) && !isError) {
            return Values.tree(body);
        }
        throw new ChildFailedException(message(ended, outcome), id(), outcome);
    }

    private static String message(Task child, Outcome outcome) {
        return "The tool '" + child.spec().work() + "', which was called as task " + child.id() + ", "
                + switch (outcome) {
                    case Outcome.Result result -> "has said that it failed.";
                    case Outcome.Error error -> "ended with an error: " + error.message();
                    case Outcome.Cancelled cancelled -> "was cancelled.";
                    case Outcome.Failed failed -> "came to no end of its own: " + failed.message();
                };
    }

    @Override
    public void cancel() {
        child.cancel();
    }
}
