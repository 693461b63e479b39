// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.operate;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import java.time.Instant;

/**
 * The schedules and triggers that an operator has paused: rows of the store of the tasks, so that a pause outlives the
 * servers, and each of them sees it. Thread-safe.
 *
 * @param rows of the store
 */
public record Pauses(RowStore rows) {
    private static final String SPACE = "paused";

    /** What can be paused. */
    public enum Kind {
        SCHEDULE,
        TRIGGER
    }

    public boolean has(Kind kind, String name, Instant now) {
        return rows.get(SPACE, key(kind, name), now).isPresent();
    }

    public void begin(Kind kind, String name, Instant now) {
        rows.put(new StoredRow(SPACE, key(kind, name), Payload.ofText(now.toString()), null));
    }

    public void end(Kind kind, String name) {
        rows.remove(SPACE, key(kind, name));
    }

    private static String key(Kind kind, String name) {
        return kind + " " + name;
    }
}
