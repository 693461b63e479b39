package io.longhaul.testkit;

import io.longhaul.engine.store.HandleStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Handles in memory, ordered by key. Thread-safe. */
final class MemoryHandleStore implements HandleStore {
    private final Map<String, TreeMap<String, Handle>> spaces = new TreeMap<>();
    private final Runnable checkOpen;

    /** Runs {@code checkOpen} before each call; it throws where the store is closed. */
    MemoryHandleStore(Runnable checkOpen) {
        this.checkOpen = checkOpen;
    }

    private MemoryHandleStore(Runnable checkOpen, MemoryHandleStore from) {
        this(checkOpen);
        synchronized (from) {
            from.spaces.forEach((space, rows) -> spaces.put(space, new TreeMap<>(rows)));
        }
    }

    /** The same rows in a store of their own. */
    MemoryHandleStore copy(Runnable check) {
        return new MemoryHandleStore(check, this);
    }

    @Override
    public synchronized void put(Handle handle) {
        checkOpen.run();
        spaces.computeIfAbsent(handle.space(), space -> new TreeMap<>()).put(handle.key(), handle);
    }

    @Override
    public synchronized Optional<Handle> get(String space, String key, Instant now) {
        checkOpen.run();
        return Optional.ofNullable(rows(space).get(key)).filter(handle -> !hasExpired(handle, now));
    }

    @Override
    public synchronized List<Handle> list(String space, @Nullable String after, int limit, Instant now) {
        checkOpen.run();
        var rows = after == null ? rows(space) : rows(space).tailMap(after, false);
        return rows.values().stream()
                .filter(handle -> !hasExpired(handle, now))
                .limit(Math.max(0, limit))
                .toList();
    }

    @Override
    public synchronized void remove(String space, String key) {
        checkOpen.run();
        rows(space).remove(key);
    }

    @Override
    public synchronized int sweep(Instant now, int limit) {
        checkOpen.run();
        var expired = spaces.values().stream()
                .flatMap(rows -> rows.values().stream())
                .filter(handle -> hasExpired(handle, now))
                .limit(Math.max(0, limit))
                .toList();
        expired.forEach(handle -> rows(handle.space()).remove(handle.key()));
        return expired.size();
    }

    private TreeMap<String, Handle> rows(String space) {
        return spaces.getOrDefault(space, new TreeMap<>());
    }

    private static boolean hasExpired(Handle handle, Instant now) {
        return handle.expiresAt() != null && !handle.expiresAt().isAfter(now);
    }
}
