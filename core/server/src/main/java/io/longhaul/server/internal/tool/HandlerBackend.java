// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.ChildFailedException;
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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the handler of a long-running tool. */
record HandlerBackend(
        ToolSpec tool,
        ToolHandler<Object, TaskContext, ?> handler,
        TaskOptions options,
        ToolQuestions questions,
        CallableTools tools,
        Interceptors interceptors)
        implements Backend {

    private static final Logger LOG = LoggerFactory.getLogger(HandlerBackend.class);

    @Override
    public Outcome run(Run run) throws Exception {
        var context = new RunContext(run, questions, tools);
        try {
            return result(interceptors.around(
                    new HandledCall("tools/call", tool.name(), context), () -> handle(context), HandlerTool::ended));
        } catch (Exception e) {
            if (isFailure(run, e)
                    && options.running().retries().on().test(e)
                    && run.retry(told(e).map(why -> "failed: " + why).orElse("failed"))) {
                LOG.warn(
                        "attempt {} of task {} of {} failed, and is repeated", run.attempt(), run.id(), tool.name(), e);
            }
            return switch (e) {
                case ToolException failure -> result(ErrorCodec.result(failure));
                case McpException failure -> TaskViews.error(ErrorCodec.error(failure));
                case ChildFailedException failure -> outcome(failure);
                default -> throw e;
            };
        }
    }

    /** Whether the handler has failed by itself, and is not stopped or ended by the engine. */
    private static boolean isFailure(Run run, Exception e) {
        return !run.isStopping()
                && !(e instanceof InterruptedException
                        || e instanceof RunException
                        || e instanceof StaleRunException
                        || e instanceof StoreException);
    }

    /** The text of an exception that is for the caller; the text of any other goes to the log only. */
    private static Optional<String> told(Exception e) {
        return e instanceof ToolException || e instanceof McpException || e instanceof ChildFailedException
                ? Optional.ofNullable(e.getMessage())
                : Optional.empty();
    }

    private ToolResult handle(RunContext context) throws Exception {
        context.elicitFirst(options.questions().first());
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
