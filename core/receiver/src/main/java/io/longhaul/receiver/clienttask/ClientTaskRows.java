// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.clienttask;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.receiver.question.QuestionKey;
import java.time.Instant;
import java.util.Optional;

/**
 * Stores the ids of the tasks that clients have made of questions of tasks, until the questions need no answer. After a
 * restart of the server, and in a new session of the client, the server looks at the client's task before it puts the
 * question again.
 */
public record ClientTaskRows(RowStore rows) {

    private static final String SPACE = "client-task";

    public void keep(QuestionKey question, String clientTask, Instant deadline) {
        rows.put(new StoredRow(SPACE, question.text(), Payload.ofText(clientTask), deadline));
    }

    Optional<String> find(QuestionKey question, Instant now) {
        return rows.get(SPACE, question.text(), now).map(row -> row.value().text());
    }
}
