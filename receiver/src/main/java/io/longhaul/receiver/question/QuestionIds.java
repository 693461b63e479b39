package io.longhaul.receiver.question;

import io.longhaul.engine.store.HandleStore;
import io.longhaul.engine.store.HandleStore.Handle;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Ids of the requests of a server to its clients: integers that every JSON library reads exactly, since some clients
 * read no strings. The id of a question of a task derives from task and key, so that it is the same whenever the
 * question is put; what it stands for is stored until the question need not be answered any more, so that an answer
 * finds its task after a restart. All other ids are random, from a range of their own.
 */
public record QuestionIds(HandleStore rows) {

    private static final String SPACE = "question";

    /** The id of a question of a task: 53 bits. */
    static RequestId.Number of(QuestionKey question) {
        byte[] digest = JsonDigest.sha256(JsonWriter.quote(question.text()));
        return QuestionRanges.ofTask(ByteBuffer.wrap(digest).getLong());
    }

    /** The id of a question that no task asks; never one of a task, and never given before. */
    public static RequestId.Number ofCall(RandomGenerator random) {
        return QuestionRanges.ofCall(random);
    }

    /** Keeps what the id of a question stands for, before the question is put. */
    public void keep(QuestionKey question, Instant deadline) {
        String number = Long.toString(of(question).value());
        rows.put(new Handle(SPACE, number, Payload.ofText(question.text()), deadline));
    }

    public Optional<QuestionKey> find(RequestId id, Instant now) {
        return id instanceof RequestId.Number number && QuestionRanges.isOfTask(id)
                ? rows.get(SPACE, Long.toString(number.value()), now)
                        .map(row -> QuestionKey.ofText(row.value().text()))
                : Optional.empty();
    }
}
