// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.tasks;

import io.longhaul.client.HandleStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps handles in a SQLite file: each handle is on the disk when {@link #put} returns. Only one process can open the
 * file at a time. Any number of clients may share one store. All methods throw
 * {@link io.longhaul.engine.store.StoreException} where the disk fails. Thread-safe.
 */
public final class SqliteHandleStore implements HandleStore, AutoCloseable {

    private static final String SPACE = "call";
    private static final int PAGE = 1_000;

    private final SqliteTaskStore file;
    private final RowStore rows;
    private final InstantSource clock;

    private SqliteHandleStore(SqliteTaskStore file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
        rows = file.rows();
    }

    /**
     * Opens the store in {@code file}, and creates the file where there is none. Only the current user can read the
     * file.
     *
     * @throws io.longhaul.engine.store.StoreInUseException if another process has the file open
     * @throws io.longhaul.engine.store.StoreException if the file cannot be used; the message says what to do
     */
    public static SqliteHandleStore at(Path file) {
        return at(file, InstantSource.system());
    }

    /** @param clock by which handles expire */
    static SqliteHandleStore at(Path file, InstantSource clock) {
        return new SqliteHandleStore(SqliteTaskStore.at(file), clock);
    }

    @Override
    public void put(String id, Json handle, @Nullable Instant expiresAt) {
        rows.put(new StoredRow(SPACE, id, Payload.of(handle.bytes()), expiresAt));
        if (expiresAt != null) {
            rows.sweep(clock.instant(), PAGE);
        }
    }

    @Override
    public Map<String, Json> all() {
        var all = new TreeMap<String, Json>();
        List<StoredRow> page = rows.list(SPACE, null, PAGE, clock.instant());
        while (!page.isEmpty()) {
            page.forEach(row -> all.put(row.key(), Json.raw(row.value().bytes())));
            page = rows.list(SPACE, page.getLast().key(), PAGE, clock.instant());
        }
        return all;
    }

    @Override
    public void remove(String id) {
        rows.remove(SPACE, id);
    }

    @Override
    public void close() {
        file.close();
    }
}
