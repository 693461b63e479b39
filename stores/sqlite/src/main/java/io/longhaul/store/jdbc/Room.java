// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import java.io.File;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * Whether the disk of a database has room for something new. SQLite writes into pages that it has: without this look it
 * would take tasks on a full disk, whose work then finds no room. Thread-safe.
 */
final class Room {
    /** What a task and the files of its work may need at least. */
    private static final long LEAST = 256 << 10;

    private static final long FRESH_MILLIS = 100;

    private final BooleanSupplier look;
    private volatile long lookedAt = Long.MIN_VALUE / 2;
    private volatile boolean found;

    Room(BooleanSupplier look) {
        this.look = look;
    }

    static Room of(Path database) {
        var file = database.toFile();
        return new Room(() -> isIn(file));
    }

    private static boolean isIn(File file) {
        // A disk that does not know its size says 0 for both.
        return file.getUsableSpace() >= LEAST || file.getTotalSpace() == 0;
    }

    boolean isThere() {
        return look.getAsBoolean();
    }

    /** As of a look that is at most 100 ms older than {@code now}: a look takes a fiftieth of a creation. */
    boolean isThere(Instant now) {
        long millis = now.toEpochMilli();
        if (Math.abs(millis - lookedAt) >= FRESH_MILLIS) {
            found = isThere();
            lookedAt = millis;
        }
        return found;
    }
}
