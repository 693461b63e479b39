// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rows in memory, ordered by key. Thread-safe. */
public final class MemoryRowStore implements RowStore {
    private final Map<String, TreeMap<String, StoredRow>> spaces = new TreeMap<>();
    private final Runnable checkOpen;
    private final boolean isShared;

    /** Rows that run {@code checkOpen}, which throws once the store is closed, before each call. */
    public MemoryRowStore(Runnable checkOpen, boolean isShared) {
        this.checkOpen = checkOpen;
        this.isShared = isShared;
    }

    private MemoryRowStore(Runnable checkOpen, MemoryRowStore from) {
        this(checkOpen, from.isShared);
        synchronized (from) {
            from.spaces.forEach((space, rows) -> spaces.put(space, new TreeMap<>(rows)));
        }
    }

    /** A copy of the rows, independent of this store. */
    public MemoryRowStore copy(Runnable check) {
        return new MemoryRowStore(check, this);
    }

    @Override
    public synchronized void put(StoredRow row) {
        checkOpen.run();
        spaces.computeIfAbsent(row.space(), space -> new TreeMap<>()).put(row.key(), row);
    }

    @Override
    public synchronized Optional<StoredRow> change(
            String space, String key, Instant now, UnaryOperator<StoredRow> change) {
        var changed = get(space, key, now).map(change);
        changed.ifPresent(this::put);
        return changed;
    }

    @Override
    public boolean isShared() {
        return isShared;
    }

    @Override
    public synchronized Optional<StoredRow> get(String space, String key, Instant now) {
        checkOpen.run();
        return Optional.ofNullable(rows(space).get(key)).filter(row -> !hasExpired(row, now));
    }

    @Override
    public synchronized List<StoredRow> list(String space, @Nullable String after, int limit, Instant now) {
        checkOpen.run();
        var rows = after == null ? rows(space) : rows(space).tailMap(after, false);
        return rows.values().stream()
                .filter(row -> !hasExpired(row, now))
                .limit(Math.max(0, limit))
                .toList();
    }

    @Override
    public synchronized void remove(String space, String key) {
        checkOpen.run();
        rows(space).remove(key);
    }

    /** Removes the rows of a space. */
    public synchronized void removeAll(String space) {
        spaces.remove(space);
    }

    @Override
    public synchronized int sweep(Instant now, int limit) {
        checkOpen.run();
        var expired = spaces.values().stream()
                .flatMap(rows -> rows.values().stream())
                .filter(row -> hasExpired(row, now))
                .limit(Math.max(0, limit))
                .toList();
        expired.forEach(row -> rows(row.space()).remove(row.key()));
        return expired.size();
    }

    private TreeMap<String, StoredRow> rows(String space) {
        return spaces.getOrDefault(space, new TreeMap<>());
    }

    private static boolean hasExpired(StoredRow row, Instant now) {
        return row.expiresAt() != null && !row.expiresAt().isAfter(now);
    }
}
