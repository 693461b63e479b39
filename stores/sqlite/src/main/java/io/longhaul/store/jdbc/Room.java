// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Whether the disk of a database has room for something new. SQLite writes into pages that it has: without this look it
 * would take tasks on a full disk, whose work then finds no room. Thread-safe.
 */
final class Room {
    /** What a task and the files of its work may need at least. */
    private static final long LEAST = 256 << 10;

    private static final long FRESH = Duration.ofMillis(100).toNanos();

    private final BooleanSupplier isThere;
    private final LongSupplier nanoTime;
    private volatile long lookedAt;
    private volatile boolean found;

    /**
     * @param isThere  looks
     * @param nanoTime says how old the latest look is
     */
    Room(BooleanSupplier isThere, LongSupplier nanoTime) {
        this.isThere = isThere;
        this.nanoTime = nanoTime;
        lookedAt = nanoTime.getAsLong() - FRESH;
    }

    static Room of(Path database) {
        var file = database.toFile();
        return new Room(() -> isThere(file), System::nanoTime);
    }

    private static boolean isThere(File file) {
        // A disk that does not know its size says 0 for both.
        return file.getUsableSpace() >= LEAST || file.getTotalSpace() == 0;
    }

    /** As of the latest look, which is at most 100 ms old. */
    boolean isThere() {
        long now = nanoTime.getAsLong();
        if (now - lookedAt >= FRESH) {
            found = isThere.getAsBoolean();
            lookedAt = now;
        }
        return found;
    }
}
