// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.server.CallInterceptor.Ended;
import io.longhaul.server.CallInterceptor.HandledCall;

/** A backend behind the interceptors of its server. */
final class InterceptedBackend extends PassingBackend {

    private final String tool;
    private final ToolQuestions questions;
    private final CallableTools tools;
    private final Interceptors interceptors;

    InterceptedBackend(
            String tool, ToolQuestions questions, Backend backend, CallableTools tools, Interceptors interceptors) {
        super(backend);
        this.tool = tool;
        this.questions = questions;
        this.tools = tools;
        this.interceptors = interceptors;
    }

    @Override
    public Outcome run(Run run) throws Exception {
        if (interceptors.isEmpty()) {
            return backend.run(run);
        }
        try {
            var call = new HandledCall("tools/call", tool, new RunContext(run, questions, tools));
            return interceptors.around(call, () -> backend.run(run), InterceptedBackend::ended);
        } catch (ToolException e) {
            var result = ResultForm.written(e.result());
            return new Outcome.Result(Payload.of(result.bytes()), true);
        } catch (McpException e) {
            return HandlerBackend.error(e);
        }
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
