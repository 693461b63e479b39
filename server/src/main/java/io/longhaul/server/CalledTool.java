// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.server.internal.schema.Values;
import java.util.Objects;
import java.util.stream.Collectors;
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
        JsonNode structured = result.get("structuredContent");
        return Values.bind(structured == null ? text(result) : structured, type);
    }

    private static JsonNode text(JsonNode result) {
        return StringNode.valueOf(result.path("content")
                .valueStream()
                .filter(item -> item.path("type").asString("").equals("text"))
                .map(item -> item.path("text").asString(""))
                .collect(Collectors.joining("\n")));
    }

    @Override
    public JsonNode await() throws InterruptedException {
        var ended = child.await();
        var outcome = Objects.requireNonNull(ended.ending()).outcome();
        if (outcome instanceof Outcome.Result(var body, boolean isError) && !isError) {
            return Values.tree(body);
        }
        throw new ChildFailedException(ended, outcome);
    }

    @Override
    public void cancel() {
        child.cancel();
    }
}
