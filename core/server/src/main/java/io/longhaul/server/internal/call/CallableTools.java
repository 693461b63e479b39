// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.feature.Catalog;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.server.ToolCalls;
import io.longhaul.server.internal.schema.Values;
import org.jspecify.annotations.Nullable;

/** The tools of a server that handlers can call. A handler itself must check what its caller may call in this way. */
public record CallableTools(Catalog<ServedTool> tools, TaskLimits limits) implements ToolCalls {

    @Override
    public Run.Call call(TaskSpec caller, String tool, Payload arguments) {
        return call(Origin.of(caller), tool, Values.tree(arguments));
    }

    /**
     * The call of a tool for a task.
     *
     * @throws IllegalArgumentException where the tool does not accept the arguments, or is not long-running
     */
    Run.Call call(Origin caller, String name, @Nullable Object arguments) {
        var tool = tools.find(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no tool '" + name + "' to call"));
        if (!(tool.kind() instanceof Kind.LongRunning longRunning)) {
            throw new IllegalArgumentException("tool '" + name
                    + "' cannot be called as a task, since it is not long-running: call its code, or add"
                    + " longRunning()");
        }
        Json given = Values.json(arguments);
        tool.problem(given).ifPresent(problem -> {
            throw new IllegalArgumentException("tool '" + name + "' cannot be called with that: " + problem);
        });
        var keep = longRunning.keep();
        return new Run.Call(
                name,
                Payload.of(given.bytes()),
                caller.ofChild().toPayload(),
                keep == null ? limits.defaultRetention() : keep);
    }
}
