// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import io.longhaul.protocol.rpc.RequestId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a host that get no response: notifications, and answers to questions. Each message is kept until the
 * server has confirmed that it handled the message; otherwise the next server gets the message. The server names a
 * message by its number on the connection, so that every line to the server is counted. For one thread at a time.
 */
final class UnconfirmedMessages {

    /**
     * Lines that are kept together.
     *
     * @param question the question that the lines answer, or null
     * @param lines    lines that the server must all have handled; lines are compared by identity
     */
    private record Kept(@Nullable RequestId question, List<byte[]> lines) {}

    private final List<Kept> kept = new ArrayList<>();

    /** All lines that the present server has not confirmed, by their number. */
    private final Map<Long, byte[]> underWay = new HashMap<>();

    /** Answers from before the present server, which it was given first. */
    private final Map<RequestId, byte[]> earlier = new HashMap<>();

    private long sent;

    boolean isEmpty() {
        return kept.isEmpty();
    }

    void keep(byte[]... lines) {
        kept.add(new Kept(null, List.of(lines)));
    }

    /** Keeps an answer, in place of an earlier answer to the same question. */
    void keepAnswer(RequestId question, byte[] line) {
        earlier.remove(question);
        kept.removeIf(one -> question.equals(one.question()));
        kept.add(new Kept(question, List.of(line)));
    }

    /** Counts the lines that go to the server, in order. */
    void sent(List<byte[]> lines) {
        lines.forEach(line -> underWay.put(++sent, line));
    }

    /** Notes that the server has handled the line of this number. */
    void taken(long number) {
        byte[] line = underWay.remove(number);
        if (line != null) {
            kept.removeIf(
                    one -> one.lines().contains(line) && one.lines().stream().noneMatch(underWay::containsValue));
        }
    }

    /** The lines for a new server. */
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
     * The earlier answer to a question that the server asks although it was given the answer, even if it has confirmed
     * the answer since. Null where there is no such answer. Null also where the server asks a second time, since the
     * answer was then not accepted.
     */
    byte @Nullable [] again(RequestId question) {
        return earlier.remove(question);
    }
}
