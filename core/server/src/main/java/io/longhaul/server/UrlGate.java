// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.question.Asking;
import io.longhaul.server.CallContext.Ask;
import io.longhaul.server.internal.schema.Values;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs a handler again until it throws no {@link UrlElicitationRequiredException} any more. */
final class UrlGate {

    private static final int ROUNDS = 10;

    private UrlGate() {}

    static <I, C extends CallContext, O> @Nullable O run(ToolHandler<I, ? super C, O> handler, I arguments, C context)
            throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            try {
                return handler.handle(arguments, context);
            } catch (UrlElicitationRequiredException e) {
                settle(context, e.requests());
            }
        }
        throw new McpException(RpcError.INTERNAL_ERROR, "What has to be done at an address is still not done");
    }

    private static void settle(CallContext context, List<ElicitUrlRequest> questions) throws InterruptedException {
        List<Ask> asks = questions.stream().map(Ask::of).toList();
        Asking asking = context.asking();
        asking.check(asks.stream().map(Ask::question).toList(), ClientException::new);
        if (asking.byRequest()) {
            var named = asks.stream().map(ask -> Values.tree(ask.params())).toList();
            throw new McpException(
                    RpcError.URL_ELICITATION_REQUIRED,
                    "Something has to be done at an address first",
                    Map.of("elicitations", named));
        }
        for (var answer : context.ask(asks)) {
            if (!CallContext.elicited(answer).action().equals(ElicitResult.Action.ACCEPT)) {
                throw new McpException(
                        RpcError.INTERNAL_ERROR, "The user did not agree to what has to be done at an address");
            }
        }
    }
}
