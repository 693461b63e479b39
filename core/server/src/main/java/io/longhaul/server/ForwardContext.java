// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The context of a request that is passed on to another server: asks and notifies the caller in the form of the
 * protocol.
 */
public interface ForwardContext extends RequestContext {

    /**
     * Asks a question of the other server, and blocks until the answer comes.
     *
     * @param method the method of the question, such as {@code elicitation/create}
     * @return the result, which fits the question
     * @throws ClientException where the caller answers with an error, or did not declare that it supports this question
     */
    Json ask(String method, Json params) throws InterruptedException;

    /** Asks several questions of the other server at once, by their keys, as {@link #ask} does. */
    Map<String, Json> askAll(Map<String, CallResponse.Question> questions) throws InterruptedException;

    /** The questions that the caller supports, as capabilities of the protocol. */
    Capabilities askable();

    /** Sends a log line of the other server; {@code logger} is the part of that server that wrote it, or null. */
    void log(String level, @Nullable String logger, Json data);
}
