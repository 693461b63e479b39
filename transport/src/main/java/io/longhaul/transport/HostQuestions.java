// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Questions of servers that a host has not answered. A question of a task stands when its server dies, since the next
 * server puts it under the same id; a question of a quick call dies with the server. For one thread at a time.
 */
final class HostQuestions {

    private final Set<RequestId> open = new HashSet<>();

    /** Open questions that an earlier server put, and the present one has not. */
    private final Set<RequestId> fromEarlier = new HashSet<>();

    /** Whether a question that the server puts goes to the host, rather than be in front of it from before. */
    boolean put(RequestId id) {
        open.add(id);
        return !fromEarlier.remove(id);
    }

    /** The host has answered the question, or the server does not want an answer any more. */
    void settled(RequestId id) {
        open.remove(id);
        fromEarlier.remove(id);
    }

    /** The server is gone. Gives the questions that went with it. */
    List<RequestId> lost() {
        var gone = open.stream().filter(id -> !QuestionRanges.isOfTask(id)).toList();
        gone.forEach(open::remove);
        fromEarlier.addAll(open);
        return gone;
    }
}
