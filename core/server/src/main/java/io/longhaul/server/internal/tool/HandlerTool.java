// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.tool;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.tool.QuickCall;
import io.longhaul.receiver.tool.QuickHandler;
import io.longhaul.receiver.tool.RpcException;
import io.longhaul.server.CallInterceptor.Ended;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.McpException;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolException;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.ToolResult;
import io.longhaul.server.internal.call.Forwarded;
import io.longhaul.server.internal.call.Interceptors;
import io.longhaul.server.internal.call.QuickContext;
import io.longhaul.server.internal.call.UrlGate;
import io.longhaul.server.internal.codec.ErrorCodec;
import io.longhaul.server.internal.schema.Values;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the handler of a quick tool. */
record HandlerTool(ToolSpec tool, ToolHandler<Object, ToolContext, ?> handler, Interceptors interceptors) {

    private static final Logger LOG = LoggerFactory.getLogger(HandlerTool.class);

    QuickHandler handler(Json arguments) {
        return call -> new CallResponse.ToolResult(call(arguments, call));
    }

    private Json call(Json arguments, QuickCall call) throws Exception {
        var context = new QuickContext(Values.tree(arguments), call);
        try {
            return interceptors.isEmpty()
                    ? run(context).json()
                    : intercepted(context).json();
        } catch (ToolException e) {
            LOG.debug("tool {} says that it failed", tool.name(), e);
            return tool.results().of(ErrorCodec.result(e));
        } catch (McpException e) {
            throw new RpcException(ErrorCodec.error(e));
        }
    }

    private Written run(QuickContext context) throws Exception {
        Object bound = tool.input().bound(context.arguments());
        var returned = UrlGate.run(handler, bound, context);
        var passed = Forwarded.in(returned);
        return passed == null ? written(tool.results().result(returned)) : Written.of(passed);
    }

    private Written intercepted(QuickContext context) throws Exception {
        var handled = new HandledCall("tools/call", tool.name(), context);
        return interceptors.around(handled, () -> run(context), Written::ended);
    }

    private Written written(ToolResult result) {
        return new Written(tool.results().of(result), ended(result));
    }

    /** A whole result, and how the call ended. */
    private record Written(Json json, Ended ended) {
        static Written of(Json passed) {
            boolean isError = new CallResponse.ToolResult(passed).isError();
            return new Written(passed, isError ? Ended.TOOL_ERROR : Ended.RESULT);
        }
    }

    static Ended ended(ToolResult result) {
        return result.isError() ? Ended.TOOL_ERROR : Ended.RESULT;
    }
}
