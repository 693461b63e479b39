// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;
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
public interface InputRequests {

    /** The answer to one request, after {@link #send}. */
    interface InputResponse<T> {

        /**
         * The answer.
         *
         * @throws IllegalStateException before the requests are sent
         */
        T get();
    }

    /** See {@link RequestContext#elicit(ElicitRequest)}. */
    InputResponse<ElicitResult<JsonNode>> elicit(ElicitRequest question);

    /** See {@link RequestContext#elicitUrl}. */
    InputResponse<ElicitResult.Action> elicitUrl(ElicitUrlRequest question);

    /**
     * See {@link RequestContext#sample}.
     *
     * @param key the key of the question, unique in the call; null to have one chosen
     */
    InputResponse<CreateMessageResult> sample(@Nullable String key, CreateMessageRequest question);

    /**
     * See {@link RequestContext#listRoots}.
     *
     * @param key the key of the question, unique in the call; null to have one chosen
     */
    InputResponse<List<Root>> listRoots(@Nullable String key);

    /**
     * Sends the requests, and blocks until all answers have come.
     *
     * @throws ClientException where the client answers a request with an error, or did not declare that it supports the
     *                         request
     */
    void send() throws InterruptedException;
}
