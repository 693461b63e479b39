// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.rpc.RequestId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a host that no response answers: notifications, and answers to questions. Each is kept until the
 * server has told that it is done with the message, and is given to the next server otherwise. The server names a
 * message by its number on the connection, so that every line to the server is counted. For one thread at a time.
 */
final class Untaken {

    /**
     * What is kept together.
     *
     * @param question what the lines answer, or null
     * @param lines    the server has to be done with each of them; a line is the same only as the same object
     */
    private record Kept(@Nullable RequestId question, List<byte[]> lines) {}

    private final List<Kept> kept = new ArrayList<>();

    /** All lines that the present server has not told to be done with, by their number. */
    private final Map<Long, byte[]> underWay = new HashMap<>();

    /** Answers that the present server was given first of all. */
    private final Map<RequestId, byte[]> earlier = new HashMap<>();

    private long sent;

    boolean isEmpty() {
        return kept.isEmpty();
    }

    void keep(byte[]... lines) {
        kept.add(new Kept(null, List.of(lines)));
    }

    /** Keeps an answer in the place of what the host has answered to the same question before. */
    void keepAnswer(RequestId question, byte[] line) {
        earlier.remove(question);
        kept.removeIf(one -> question.equals(one.question()));
        kept.add(new Kept(question, List.of(line)));
    }

    /** Takes note of all that goes to the server, in its order. */
    void sent(List<byte[]> lines) {
        lines.forEach(line -> underWay.put(++sent, line));
    }

    /** The server is done with the line of this number. */
    void taken(long number) {
        byte[] line = underWay.remove(number);
        if (line != null) {
            kept.removeIf(
                    one -> one.lines().contains(line) && one.lines().stream().noneMatch(underWay::containsValue));
        }
    }

    /** What a new server is given, which has had nothing yet. */
    List<byte[]> forNextServer() {
        sent = 0;
        underWay.clear();
        earlier.clear();
        var lines = new ArrayList<byte[]>();
        for (var one : kept) {
            lines.addAll(one.lines());
            if (one.question() != null) {
                earlier.put(one.question(), one.lines().getFirst());
            }
        }
        return lines;
    }

    /**
     * The answer to a question that the server puts though it was given the answer first of all, also where the server
     * has told in between that the answer was taken; null where there is none, or where the server has asked a second
     * time, since then the answer was no good.
     */
    byte @Nullable [] again(RequestId question) {
        return earlier.remove(question);
    }
}
