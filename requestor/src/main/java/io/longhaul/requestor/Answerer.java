// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;

/**
 * Answers the questions of a server, on threads that are interrupted when the answer is not needed any more.
 * Thread-safe.
 */
public interface Answerer {

    /** What the answerer can be asked: all that is declared to the server. */
    Capabilities capabilities();

    /** Answers one question; the answer may take as long as a person takes. */
    Given answer(Answer.Question question) throws InterruptedException;

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
