// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.ChildFailedException;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.McpException;
import io.longhaul.server.TaskContext;
import io.longhaul.server.ToolException;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.ToolResult;
import io.longhaul.server.internal.call.CallableTools;
import io.longhaul.server.internal.call.Interceptors;
import io.longhaul.server.internal.call.RunContext;
import io.longhaul.server.internal.call.UrlGate;
import io.longhaul.server.internal.codec.ErrorCodec;
import java.util.List;

/** Runs the handler of a long-running tool. */
record HandlerBackend(
        ToolSpec tool,
        ToolHandler<Object, TaskContext, ?> handler,
        List<ElicitRequest> first,
        ToolQuestions questions,
        CallableTools tools,
        Interceptors interceptors)
        implements Backend {

    @Override
    public Outcome run(Run run) throws Exception {
        var context = new RunContext(run, questions, tools);
        try {
            return result(interceptors.around(
                    new HandledCall("tools/call", tool.name(), context), () -> handle(context), HandlerTool::ended));
        } catch (ToolException e) {
            return result(ErrorCodec.result(e));
        } catch (McpException e) {
            return TaskViews.error(ErrorCodec.error(e));
        } catch (ChildFailedException e) {
            return outcome(e);
        }
    }

    private ToolResult handle(RunContext context) throws Exception {
        context.elicitFirst(first);
        Object arguments = tool.input().bound(context.arguments());
        return tool.results().result(UrlGate.run(handler, arguments, context));
    }

    private Outcome result(ToolResult result) {
        return new Outcome.Result(Payload.of(tool.results().of(result).bytes()), result.isError());
    }

    /** The outcome of a handler that does not catch the failure of a tool that it has called. */
    private static Outcome outcome(ChildFailedException e) {
        return switch (e.outcome()) {
            case Outcome.Result result -> result;
            case Outcome.Error error -> error;
            case Outcome.Cancelled cancelled -> internal(e);
            case Outcome.Failed failed -> internal(e);
        };
    }

    private static Outcome internal(Exception e) {
        return new Outcome.Error(RpcError.INTERNAL_ERROR, String.valueOf(e.getMessage()), null);
    }
}
