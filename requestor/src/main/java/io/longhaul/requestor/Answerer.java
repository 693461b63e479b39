package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;

/**
 * Who answers the questions of a server. Called on threads of its own, which are interrupted when a question has
 * become pointless.
 */
public interface Answerer {

    /** What it can be asked: all that is declared to the server. */
    Capabilities capabilities();

    /** Answers one question; may take as long as a person takes. */
    Given answer(Answer.Question question) throws InterruptedException;

    /** What became of a question. */
    sealed interface Given {
        /** The result of the request that the question stands for. */
        record Result(Json result) implements Given {}

        /** It cannot be answered here. */
        record Cannot(RpcError why) implements Given {}
    }
}
