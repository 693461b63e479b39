// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Answers the questions of a server. The client calls an answerer on threads that it interrupts when the answer is no
 * longer needed. Thread-safe.
 */
public interface Answerer {

    /** What the answerer can be asked. The client declares exactly these capabilities to the server. */
    Capabilities capabilities();

    /** Answers one question; the answer may take as long as a person takes. */
    Given answer(CallResponse.Question question) throws InterruptedException;

    /**
     * Answers one question that a task shows.
     *
     * @param key of the question, unique within the task
     */
    default Given answer(String key, CallResponse.Question question) throws InterruptedException {
        return answer(question);
    }

    /** Whether this answerer takes several questions of a task concurrently. A person is asked one at a time. */
    default boolean takesSeveral() {
        return false;
    }

    /**
     * Answers questions that are asked together, by their keys: one after the other, unless the implementation can ask
     * them all at once.
     */
    default Map<String, Given> answerAll(Map<String, CallResponse.Question> questions) throws InterruptedException {
        var all = new LinkedHashMap<String, Given>();
        for (var question : questions.entrySet()) {
            all.put(question.getKey(), answer(question.getValue()));
        }
        return all;
    }

    /** The store of the questions that the client answers as tasks of its own. */
    default AnswerTaskRows rows() {
        return AnswerTaskRows.NONE;
    }

    /** The answer to a question. */
    sealed interface Given {
        /** The result of the request that carried the question. */
        record Result(Json result) implements Given {}

        /** The question cannot be answered here. */
        record Cannot(RpcError why) implements Given {}

        /**
         * Nobody answers here now. The question of a task stays open for another client; any other question gets this
         * as an error.
         *
         * @param why one sentence
         */
        record LeftOpen(String why) implements Given {
            public RpcError error() {
                return new RpcError(RpcError.INTERNAL_ERROR, why);
            }
        }
    }
}
