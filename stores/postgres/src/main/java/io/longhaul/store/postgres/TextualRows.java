// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.RowStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A row store for spaces and keys that PostgreSQL can store. Clients choose parts of keys: a write with a key that
 * cannot be stored is refused, and a read with such a key finds nothing.
 */
record TextualRows(RowStore rows, Wakes wakes, PostgresFailures failures) implements RowStore {

    @Override
    public void put(StoredRow row) {
        if (!Texts.canBeStored(row.space(), row.key())) {
            throw failures.unfit("the key of a row");
        }
        rows.put(row);
    }

    @Override
    public Optional<StoredRow> change(String space, String key, Instant now, UnaryOperator<StoredRow> change) {
        return Texts.canBeStored(space, key) ? rows.change(space, key, now, change) : Optional.empty();
    }

    @Override
    public boolean isShared() {
        return rows.isShared();
    }

    @Override
    public Optional<StoredRow> get(String space, String key, Instant now) {
        return Texts.canBeStored(space, key) ? rows.get(space, key, now) : Optional.empty();
    }

    @Override
    public List<StoredRow> list(String space, @Nullable String after, int limit, Instant now) {
        return Texts.canBeStored(space, after) ? rows.list(space, after, limit, now) : List.of();
    }

    @Override
    public void remove(String space, String key) {
        if (Texts.canBeStored(space, key)) {
            rows.remove(space, key);
        }
    }

    @Override
    public Listening listen(String name, Runnable woken) {
        return wakes.add(List.of(name), woken);
    }

    @Override
    public void wake(String name) {
        wakes.wake(name);
    }

    @Override
    public int sweep(Instant now, int limit) {
        return rows.sweep(now, limit);
    }
}
