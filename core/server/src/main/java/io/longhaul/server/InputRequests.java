// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.CallContext.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Requests of any kinds that go to the client together: add requests, {@link #send} them, and take each answer from its
 * {@link InputResponse}. Not thread-safe.
 *
 * <pre>{@code
 * var inputs = task.inputRequests();
 * var name = inputs.elicit(ElicitRequest.of("name", "Who are you?", Name.class));
 * var roots = inputs.listRoots("roots");
 * inputs.send();
 * return name.get().accepted() + " in " + roots.get();
 * }</pre>
 */
public final class InputRequests {

    /** The answer to one request, after {@link #send}. */
    public static final class InputResponse<T> {
        private final Function<JsonNode, T> reader;
        private @Nullable JsonNode answer;

        private InputResponse(Function<JsonNode, T> reader) {
            this.reader = reader;
        }

        /**
         * The answer.
         *
         * @throws IllegalStateException before the requests are sent
         */
        public T get() {
            if (answer == null) {
                throw new IllegalStateException("call send() of the InputRequests first");
            }
            return reader.apply(answer);
        }
    }

    private final CallContext call;
    private final List<Ask> asks = new ArrayList<>();
    private final List<InputResponse<?>> replies = new ArrayList<>();

    InputRequests(CallContext call) {
        this.call = call;
    }

    /** See {@link RequestContext#elicit(ElicitRequest)}. */
    public InputResponse<ElicitResult<JsonNode>> elicit(ElicitRequest question) {
        return add(Ask.of(question), CallContext::elicited);
    }

    /** See {@link RequestContext#elicitUrl}. */
    public InputResponse<ElicitResult.Action> elicitUrl(ElicitUrlRequest question) {
        return add(Ask.of(question), answer -> CallContext.elicited(answer).action());
    }

    /**
     * See {@link RequestContext#sample}.
     *
     * @param key the key of the question, unique in the call; null to have one chosen
     */
    public InputResponse<CreateMessageResult> sample(@Nullable String key, CreateMessageRequest question) {
        return add(Ask.of(key, question), CreateMessageResult::of);
    }

    /**
     * See {@link RequestContext#listRoots}.
     *
     * @param key the key of the question, unique in the call; null to have one chosen
     */
    public InputResponse<List<Root>> listRoots(@Nullable String key) {
        return add(Ask.roots(key), CallContext::listRoots);
    }

    /**
     * Sends the requests, and blocks until all answers have come.
     *
     * @throws ClientException where the client answers a request with an error, or did not declare that it supports the
     *                         request
     */
    public void send() throws InterruptedException {
        List<JsonNode> answers = call.ask(List.copyOf(asks));
        for (int i = 0; i < answers.size(); i++) {
            replies.get(i).answer = answers.get(i);
        }
    }

    private <T> InputResponse<T> add(Ask ask, Function<JsonNode, T> reader) {
        var reply = new InputResponse<>(reader);
        asks.add(ask);
        replies.add(reply);
        return reply;
    }
}
