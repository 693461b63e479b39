// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Answers the questions of a server, on threads that are interrupted when the answer is not needed any more.
 * Thread-safe.
 */
public interface Answerer {

    /** What the answerer can be asked: all that is declared to the server. */
    Capabilities capabilities();

    /** Answers one question; the answer may take as long as a person takes. */
    Given answer(Answer.Question question) throws InterruptedException;

    /**
     * Answers one question that a task shows.
     *
     * @param key of the question, which no other question of that task has
     */
    default Given answer(String key, Answer.Question question) throws InterruptedException {
        return answer(question);
    }

    /** Whether the questions that a task shows at once are to be answered at once. A person is asked one at a time. */
    default boolean takesSeveral() {
        return false;
    }

    /**
     * Answers questions that are asked together, by their keys: one after the other, unless an answerer can put them at
     * once.
     */
    default Map<String, Given> answerAll(Map<String, Answer.Question> questions) throws InterruptedException {
        var all = new LinkedHashMap<String, Given>();
        for (var question : questions.entrySet()) {
            all.put(question.getKey(), answer(question.getValue()));
        }
        return all;
    }

    /** Where the questions are kept that are answered as tasks of the client. */
    default HostedRows rows() {
        return HostedRows.NONE;
    }

    /** What became of a question. */
    sealed interface Given {
        /** The result of the request that the question stands for. */
        record Result(Json result) implements Given {}

        /** The question cannot be answered here. */
        record Cannot(RpcError why) implements Given {}
    }
}
