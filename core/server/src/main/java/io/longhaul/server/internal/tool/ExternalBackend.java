// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.ForwardingRun;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.server.CallInterceptor.Ended;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.McpException;
import io.longhaul.server.ToolException;
import io.longhaul.server.internal.call.CallableTools;
import io.longhaul.server.internal.call.Interceptors;
import io.longhaul.server.internal.call.RunContext;
import io.longhaul.server.internal.codec.ErrorCodec;
import io.longhaul.server.internal.schema.Values;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs the external work of a long-running tool, behind the interceptors of the server. The work gets the arguments as
 * handlers do: with their defaults, and without nulls that stand for absence. Its good results are checked against the
 * output schema, like those of handlers.
 */
record ExternalBackend(
        ToolSpec tool, ToolQuestions questions, Backend backend, CallableTools tools, Interceptors interceptors)
        implements Backend {

    private static final String STRUCTURED = "structuredContent";

    @Override
    public Outcome run(Run run) throws Exception {
        if (interceptors.isEmpty()) {
            return work(run);
        }
        try {
            var call = new HandledCall("tools/call", tool.name(), new RunContext(run, questions, tools));
            return interceptors.around(call, () -> work(run), ExternalBackend::ended);
        } catch (ToolException e) {
            var result = tool.results().of(ErrorCodec.result(e));
            return new Outcome.Result(Payload.of(result.bytes()), true);
        } catch (McpException e) {
            return TaskViews.error(ErrorCodec.error(e));
        }
    }

    private Outcome work(Run run) throws Exception {
        var outcome = backend.run(filled(run));
        return tool.results().hasSchema() && outcome instanceof Outcome.Result result && !result.isError()
                ? checked(result)
                : outcome;
    }

    private Outcome checked(Outcome.Result result) {
        try {
            var body = Values.tree(result.body());
            var given = body.get(STRUCTURED);
            var checked = tool.results().checked(given);
            return Objects.equals(checked, given)
                    ? result
                    : new Outcome.Result(Values.payload(((ObjectNode) body).set(STRUCTURED, checked)), false);
        } catch (McpException e) {
            return TaskViews.error(ErrorCodec.error(e));
        }
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        backend.stop(filled(run));
    }

    @Override
    public Outcome timedOut(Run run, Outcome.Failed end) {
        return backend.timedOut(filled(run), end);
    }

    @Override
    public @Nullable String cancelled(Run run, @Nullable String reason) {
        return backend.cancelled(filled(run), reason);
    }

    @Override
    public boolean isBoundToNode() {
        return backend.isBoundToNode();
    }

    private Run filled(Run run) {
        if (tool.input().isListed()) {
            return run;
        }
        var spec = run.spec();
        var given = Values.tree(spec.request());
        var filled = tool.input().filled(given);
        if (filled.equals(given)) {
            return run;
        }
        var changed = new TaskSpec(
                spec.owner(), spec.work(), Values.payload(filled), spec.source(), spec.creationKey(), spec.createdAt());
        return new ForwardingRun(run) {
            @Override
            public TaskSpec spec() {
                return changed;
            }
        };
    }

    private static Ended ended(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result result -> result.isError() ? Ended.TOOL_ERROR : Ended.RESULT;
            case Outcome.Error error -> Ended.ERROR;
            case Outcome.Failed failed -> Ended.ERROR;
            case Outcome.Cancelled cancelled -> Ended.ERROR;
        };
    }
}
