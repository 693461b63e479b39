// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the files of an open database still exist under their names, and are complete. An operating system
 * accepts writes to removed files, and beyond the end of shortened files; such writes are lost when the process ends.
 * Thread-safe.
 */
final class Presence {

    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

    /** @param key null where the file system has no file keys; then only the existence of the file is checked */
    private record Seen(@Nullable Object key, long size) {

        static Seen of(Path path) throws IOException {
            var attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Seen(attributes.fileKey(), attributes.size());
        }
    }

    private final Path file;
    private final Map<Path, Seen> files = new LinkedHashMap<>();

    private Presence(Path file) {
        this.file = file;
    }

    /** The presence of an open database and of its write-ahead log. */
    static Presence of(Path file) throws IOException {
        var presence = new Presence(file);
        for (var path : new Path[] {file, file.resolveSibling(file.getFileName() + "-wal")}) {
            presence.files.put(path, Seen.of(path));
        }
        return presence;
    }

    /** Throws where one of the files was removed or replaced. */
    void check() {
        look(false);
    }

    /**
     * Throws as {@link #check} does, and where one of the files was cut short. The writer holds the lock of the
     * database.
     */
    void refuseCut() {
        look(true);
    }

    private synchronized void look(boolean isForSize) {
        files.replaceAll((path, before) -> {
            var now = seen(path);
            if (now == null || !Objects.equals(before.key(), now.key())) {
                throw lost(path, "removed or replaced");
            }
            if (now.size() >= before.size()) {
                return now;
            }
            if (isForSize && !isSound()) {
                throw lost(path, "cut short");
            }
            return isForSize ? now : before;
        });
    }

    /**
     * Whether the database is undamaged: another program may shorten a file without damage, for example by a VACUUM or
     * a checkpoint.
     */
    private boolean isSound() {
        try (var reader = DataFile.openReader(file)) {
            return FileCheck.problems(reader).isEmpty();
        } catch (SQLException e) {
            LOG.debug("A file that was cut short could not be read", e);
            return false;
        }
    }

    private StoreException lost(Path path, String how) {
        return new StoreException("task store " + file + ": " + path + " was " + how
                + " while the store was open, so that nothing is kept any more: stop the server, and restore the file");
    }

    private static @Nullable Seen seen(Path path) {
        try {
            return Seen.of(path);
        } catch (IOException e) {
            return null;
        }
    }
}
