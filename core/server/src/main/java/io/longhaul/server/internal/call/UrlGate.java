// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.question.Asking;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.McpException;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.UrlElicitationRequiredException;
import io.longhaul.server.internal.codec.ErrorCodec;
import io.longhaul.server.internal.schema.Values;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs a handler again until it throws no {@link UrlElicitationRequiredException} any more. */
public final class UrlGate {

    private static final int ROUNDS = 10;

    private UrlGate() {}

    public static <I, C extends CallContext, O> @Nullable O run(
            ToolHandler<I, ? super C, O> handler, I arguments, C context) throws Exception {
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
        var asks = questions.stream().map(Ask::url).toList();
        Asking asking = context.asking();
        asking.check(asks.stream().map(Ask::question).toList(), ErrorCodec::ofClient);
        if (asking.byRequest()) {
            throw new McpException(
                    RpcError.URL_ELICITATION_REQUIRED,
                    "Something has to be done at an address first",
                    Map.of(
                            "elicitations",
                            asks.stream().map(Ask::params).map(Values::tree).toList()));
        }
        for (var answer : context.ask(asks)) {
            if (!Ask.elicited(answer).accepted()) {
                throw new McpException(
                        RpcError.INTERNAL_ERROR, "The user did not agree to what has to be done at an address");
            }
        }
    }
}
