// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import java.time.Instant;
import java.util.List;

/**
 * Keeps the tasks that a client runs for one server, so that the tasks outlive the client. The client logs exceptions
 * of an implementation, and then keeps the task only in memory. Blocking, thread-safe.
 */
public interface AnswerTaskRows {

    /** Keeps nothing. */
    AnswerTaskRows NONE = new AnswerTaskRows() {
        @Override
        public void put(Generation generation, String taskId, Json row, Instant expiresAt) {}

        @Override
        public List<Json> take(Generation generation) {
            return List.of();
        }

        @Override
        public void remove(String taskId) {}
    };

    /**
     * Keeps a task in place of any row with the same id. The row is durable when this method returns.
     *
     * @param row       opaque
     * @param expiresAt when the row may be removed
     */
    void put(Generation generation, String taskId, Json row, Instant expiresAt);

    /** The rows that earlier clients have left in a generation; each row is given once. */
    List<Json> take(Generation generation);

    /** Removes a row; nothing happens where there is none. */
    void remove(String taskId);
}
