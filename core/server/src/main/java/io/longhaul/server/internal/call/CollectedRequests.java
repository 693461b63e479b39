// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.CreateMessageResult;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.ElicitResult;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.InputRequests;
import io.longhaul.server.Root;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests that a handler collects, and then sends together. */
final class CollectedRequests implements InputRequests {

    private final CallContext call;
    private final List<Ask<?>> asks = new ArrayList<>();
    private List<JsonNode> answers = List.of();

    CollectedRequests(CallContext call) {
        this.call = call;
    }

    @Override
    public InputResponse<ElicitResult<JsonNode>> elicit(ElicitRequest question) {
        return add(Ask.form(question));
    }

    @Override
    public InputResponse<ElicitResult.Action> elicitUrl(ElicitUrlRequest question) {
        return add(Ask.url(question));
    }

    @Override
    public InputResponse<CreateMessageResult> sample(@Nullable String key, CreateMessageRequest question) {
        return add(Ask.sampling(key, question));
    }

    @Override
    public InputResponse<List<Root>> listRoots(@Nullable String key) {
        return add(Ask.roots(key));
    }

    @Override
    public void send() throws InterruptedException {
        answers = call.ask(asks);
    }

    private <T> InputResponse<T> add(Ask<T> ask) {
        int at = asks.size();
        asks.add(ask);
        return () -> {
            if (at >= answers.size()) {
                throw new IllegalStateException("call send() of the InputRequests first");
            }
            return ask.reader().apply(answers.get(at));
        };
    }
}
