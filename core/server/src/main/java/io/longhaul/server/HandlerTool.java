// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.tool.QuickCall;
import io.longhaul.receiver.tool.QuickHandler;
import io.longhaul.server.CallInterceptor.Ended;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.internal.schema.Values;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the handler of a quick tool. */
record HandlerTool(Tool tool, ToolHandler<Object, ToolContext, ?> handler, ResultForm form, Interceptors interceptors) {

    private static final Logger LOG = LoggerFactory.getLogger(HandlerTool.class);

    QuickHandler handler(Json arguments) {
        return call -> new Answer.ToolResult(call(arguments, call));
    }

    private Json call(Json arguments, QuickCall call) throws Exception {
        var context = new QuickContext(Values.tree(arguments), call);
        try {
            return interceptors.isEmpty()
                    ? run(context).json()
                    : intercepted(context).json();
        } catch (ToolException e) {
            LOG.debug("tool {} says that it failed", tool.name(), e);
            return form.of(e.result());
        } catch (McpException e) {
            throw FeatureWiring.rpc(e);
        } catch (ClientException e) {
            throw e.asEnd();
        }
    }

    private Written run(QuickContext context) throws Exception {
        Object bound = tool.bound(context.arguments());
        var returned = UrlGate.run(handler, bound, context);
        var passed = Passed.in(returned);
        return passed == null ? written(form.result(returned)) : Written.of(passed);
    }

    private Written written(ToolResult result) {
        return new Written(form.of(result), ended(result));
    }

    private Written intercepted(QuickContext context) throws Exception {
        var handled = new HandledCall("tools/call", tool.name(), context);
        return interceptors.around(handled, () -> run(context), Written::ended);
    }

    /** A whole result, and how the call ended. */
    private record Written(Json json, Ended ended) {
        static Written of(Json passed) {
            boolean isError = Values.tree(passed).path("isError").asBoolean(false);
            return new Written(passed, isError ? Ended.TOOL_ERROR : Ended.RESULT);
        }
    }

    static Ended ended(ToolResult result) {
        return result.isError() ? Ended.TOOL_ERROR : Ended.RESULT;
    }
}
