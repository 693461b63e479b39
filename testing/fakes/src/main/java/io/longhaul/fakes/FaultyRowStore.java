// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.engine.store.RowStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The rows of a {@link FaultyTaskStore}; their calls fail as those of the store do. */
record FaultyRowStore(RowStore real, Runnable beforeRead, Runnable beforeWrite) implements RowStore {

    @Override
    public void put(StoredRow row) {
        beforeWrite.run();
        real.put(row);
    }

    @Override
    public Optional<StoredRow> change(String space, String key, Instant now, UnaryOperator<StoredRow> change) {
        beforeWrite.run();
        return real.change(space, key, now, change);
    }

    @Override
    public boolean isShared() {
        return real.isShared();
    }

    @Override
    public Optional<StoredRow> get(String space, String key, Instant now) {
        beforeRead.run();
        return real.get(space, key, now);
    }

    @Override
    public List<StoredRow> list(String space, @Nullable String after, int limit, Instant now) {
        beforeRead.run();
        return real.list(space, after, limit, now);
    }

    @Override
    public void remove(String space, String key) {
        beforeWrite.run();
        real.remove(space, key);
    }

    @Override
    public Listening listen(String name, Runnable woken) {
        return real.listen(name, woken);
    }

    @Override
    public void wake(String name) {
        real.wake(name);
    }

    @Override
    public int sweep(Instant now, int limit) {
        beforeWrite.run();
        return real.sweep(now, limit);
    }
}
