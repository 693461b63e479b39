// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.internal.schema.Values;

/** Runs the handler of a long-running tool. */
record HandlerBackend(
        Tool tool,
        ToolQuestions questions,
        ToolHandler<Object, TaskContext, ?> handler,
        ResultForm form,
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
            return result(e.result());
        } catch (McpException e) {
            return error(e);
        } catch (ClientException e) {
            return TaskViews.error(e.error());
        } catch (ChildFailedException e) {
            return e.ofParent();
        }
    }

    private ToolResult handle(RunContext context) throws Exception {
        context.elicitFirst(tool.first());
        Object arguments = tool.bound(context.arguments());
        return form.result(UrlGate.run(handler, arguments, context));
    }

    static Outcome error(McpException e) {
        return new Outcome.Error(
                e.code(), String.valueOf(e.getMessage()), e.data() == null ? null : Values.payload(e.data()));
    }

    private Outcome result(ToolResult result) {
        return new Outcome.Result(Payload.of(form.of(result).bytes()), result.isError());
    }
}
