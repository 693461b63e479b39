// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.receiver.tool.RpcException;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.server.CallInterceptor;
import io.longhaul.server.CallInterceptor.Action;
import io.longhaul.server.CallInterceptor.Ended;
import io.longhaul.server.CallInterceptor.HandledCall;
import io.longhaul.server.CallInterceptor.Part;
import io.longhaul.server.McpException;
import io.longhaul.server.internal.codec.ErrorCodec;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The interceptors of a server, in the order in which a call passes them. */
public final class Interceptors {

    private final List<CallInterceptor> all = new CopyOnWriteArrayList<>();

    public void add(CallInterceptor one) {
        all.add(one);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** The conditions for a message that calls a tool: without interceptors, only the scopes of the tool count. */
    public ServedTool.Admission admission(String tool, Set<String> scopes) {
        return new ServedTool.Admission(scopes, all.isEmpty() ? null : caller -> admit(caller, tool));
    }

    private void admit(CallerInfo caller, String tool) {
        try {
            all.forEach(one -> one.admit(caller, tool));
        } catch (McpException e) {
            throw new RpcException(ErrorCodec.error(e));
        }
    }

    /** Runs a handler behind all interceptors. */
    public <T> T around(HandledCall call, Callable<T> handler, Function<T, Ended> ended) throws Exception {
        if (call.context() instanceof CallContext context) {
            context.pass(new Parts(all, call));
        }
        var passage = new Passage<>(call, handler, ended);
        passage.go(0);
        return passage.result();
    }

    /** Runs the parts of one handler inside the interceptors. */
    record Parts(List<CallInterceptor> all, HandledCall call) {

        <T, X extends Exception> T around(Part part, Action<T, X> action) throws X {
            return go(0, part, action);
        }

        private <T, X extends Exception> T go(int position, Part part, Action<T, X> action) throws X {
            return position == all.size()
                    ? action.run()
                    : all.get(position).<T, X>during(call, part, () -> go(position + 1, part, action));
        }
    }

    /** One run of a handler through the chain of interceptors. */
    private final class Passage<T> {

        private final HandledCall call;
        private final Callable<T> handler;
        private final Function<T, Ended> ended;
        private @Nullable T result;

        private Passage(HandledCall call, Callable<T> handler, Function<T, Ended> ended) {
            this.call = call;
            this.handler = handler;
            this.ended = ended;
        }

        private Ended go(int position) throws Exception {
            if (position < all.size()) {
                all.get(position).around(call, () -> go(position + 1));
                return ended.apply(result());
            }
            if (result != null) {
                throw new IllegalStateException("an interceptor called next.proceed() twice");
            }
            T given = handler.call();
            result = given;
            return ended.apply(given);
        }

        private T result() {
            T given = result;
            if (given == null) {
                throw new IllegalStateException("an interceptor returned without next.proceed(): throw an McpException"
                        + " or a ToolException to refuse a call");
            }
            return given;
        }
    }
}
