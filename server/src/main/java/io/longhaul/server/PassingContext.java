// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is passed on to another server has a caller, who can be asked and told things in the words of the protocol. */
public interface PassingContext extends RequestContext {

    /**
     * Puts a question of the other server, and blocks until the answer is there.
     *
     * @param method such as {@code elicitation/create}
     * @return the result, which fits the question
     * @throws ClientException where the caller answers with an error, or did not declare that it can be asked this
     */
    Json ask(String method, Json params) throws InterruptedException;

    /** Puts questions of the other server at the same time, by their keys, as {@link #ask} puts one. */
    Map<String, Json> askAll(Map<String, Answer.Question> questions) throws InterruptedException;

    /** What the caller can be asked, in the words of the protocol. */
    Capabilities askable();

    /** Sends a log line of the other server; {@code logger} is the part of that server that wrote it, or null. */
    void log(String level, @Nullable String logger, Json data);
}
