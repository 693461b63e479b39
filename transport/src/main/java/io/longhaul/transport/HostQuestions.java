package io.longhaul.transport;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.rpc.RequestId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Questions that servers put to a host, each once, and the answers of the host. The id of a task's question names the
 * task, so that its answer is good for any later server; a question of a quick call dies with the server that put it.
 * For one thread at a time.
 */
final class HostQuestions {

    /** What is to be done with a question of a server. */
    sealed interface Put {
        /** The host has not seen it. */
        record ToHost() implements Put {}

        /** The host is still at it. */
        record Known() implements Put {}

        /** The host has answered it to a server that died since. */
        record Answered(byte[] line) implements Put {}
    }

    private static final int ANSWERS = 256;

    private final Set<RequestId> open = new HashSet<>();
    private final Map<RequestId, byte[]> answers = BoundedMap.byInsertion(ANSWERS);
    private final Map<RequestId, byte[]> earlier = BoundedMap.byInsertion(ANSWERS);

    Put put(RequestId id) {
        byte[] answer = earlier.remove(id);
        if (answer != null) {
            answers.put(id, answer);
            return new Put.Answered(answer);
        }
        return open.add(id) ? new Put.ToHost() : new Put.Known();
    }

    /** Takes an answer of the host; false where it answers nothing that was asked through here. */
    boolean answer(@Nullable RequestId id, byte[] line) {
        if (id == null || !open.remove(id)) {
            return false;
        }
        if (isOfTask(id)) {
            answers.put(id, line);
        }
        return true;
    }

    /** The server is gone. Gives the questions that went with it. */
    List<RequestId> lost() {
        var gone = open.stream().filter(id -> !isOfTask(id)).toList();
        gone.forEach(open::remove);
        return gone;
    }

    /** Answers that a server may have died over; one that took them already ignores them. */
    List<byte[]> answersForNextServer() {
        earlier.putAll(answers);
        answers.clear();
        return new ArrayList<>(earlier.values());
    }

    private static boolean isOfTask(RequestId id) {
        return id instanceof RequestId.Text text && text.value().indexOf('/') > 0;
    }
}
