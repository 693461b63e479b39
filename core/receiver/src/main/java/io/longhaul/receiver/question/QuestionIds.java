// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Instant;
import java.util.Optional;

/**
 * Ids of the requests of a server to its clients: integers that every JSON library reads exactly, since some clients
 * read no strings. The id of a question of a task derives from task and key, so that it is the same each time the
 * question is put. The question of each id is stored while an answer is needed, so that an answer finds its task after
 * a restart. All other ids are random, from a range of their own: see {@link QuestionRanges}.
 */
public record QuestionIds(RowStore rows) {

    private static final String SPACE = "question";

    /** Stores the question of an id, before the question is put. */
    public void keep(QuestionKey question, Instant deadline) {
        String number = Long.toString(question.requestId().value());
        rows.put(new StoredRow(SPACE, number, Payload.ofText(question.text()), deadline));
    }

    public Optional<QuestionKey> find(RequestId id, Instant now) {
        return id instanceof RequestId.Number number && QuestionRanges.isOfTask(id)
                ? rows.get(SPACE, Long.toString(number.value()), now)
                        .map(row -> QuestionKey.ofText(row.value().text()))
                : Optional.empty();
    }
}
