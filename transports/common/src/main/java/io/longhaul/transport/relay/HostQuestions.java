// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The questions of servers that a host has not answered. A question of a task stays open when its server dies, since
 * the next server asks it under the same id. A question of a quick call ends with the server. For one thread at a time.
 */
final class HostQuestions {

    private final Set<RequestId> open = new HashSet<>();

    /** Open questions that an earlier server has asked, and the present server has not. */
    private final Set<RequestId> fromEarlier = new HashSet<>();

    /**
     * Notes a question of the server. Returns whether the question goes to the host: false where the host already has
     * it from an earlier server.
     */
    boolean put(RequestId id) {
        open.add(id);
        return !fromEarlier.remove(id);
    }

    /** Notes that the host has answered the question, or that the server has withdrawn it. */
    void settled(RequestId id) {
        open.remove(id);
        fromEarlier.remove(id);
    }

    /** Notes that the server is gone, and returns the questions that ended with it. */
    List<RequestId> lost() {
        var gone = open.stream().filter(id -> !QuestionRanges.isOfTask(id)).toList();
        gone.forEach(open::remove);
        fromEarlier.addAll(open);
        return gone;
    }
}
