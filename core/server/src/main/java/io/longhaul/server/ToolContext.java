// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import tools.jackson.databind.JsonNode;

/** The context of a call of a tool; for a long-running tool, a {@link TaskContext}. Thread-safe. */
public interface ToolContext extends RequestContext {

    /** The arguments as the caller sent them. */
    JsonNode arguments();

    /**
     * Asks a person for consent, yes or no, and blocks until the answer comes. Returns only after a yes: work that
     * needs consent stands behind this call.
     *
     * @throws DeclinedException where the person declines or dismisses the question; unless the handler catches it, the
     *                           call ends with a text for the model, and its task is listed as declined
     * @throws ClientException   where the client answers with an error, or did not declare that it supports this
     *                           question
     */
    default void approve(String message) throws InterruptedException {
        var answer = elicit(Form.of(message).request());
        if (!answer.accepted()) {
            throw DeclinedException.of(message, answer.action());
        }
    }
}
