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
            return form.of(interceptors.isEmpty() ? run(context) : intercepted(context));
        } catch (ToolException e) {
            LOG.debug("tool {} says that it failed", tool.name(), e);
            return form.of(ToolResult.error(String.valueOf(e.getMessage())));
        } catch (McpException e) {
            throw FeatureWiring.rpc(e);
        } catch (ClientException e) {
            throw e.asEnd();
        }
    }

    private ToolResult run(QuickContext context) throws Exception {
        Object bound = tool.bound(context.arguments());
        return ResultForm.result(UrlGate.run(handler, bound, context));
    }

    private ToolResult intercepted(QuickContext context) throws Exception {
        var handled = new HandledCall("tools/call", tool.name(), context);
        return interceptors.around(handled, () -> run(context), HandlerTool::ended);
    }

    static Ended ended(ToolResult result) {
        return result.isError() ? Ended.TOOL_ERROR : Ended.RESULT;
    }
}
