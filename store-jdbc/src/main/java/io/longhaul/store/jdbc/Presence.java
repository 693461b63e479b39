package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether the files of an open database are still found under their names. A system writes on into files that were
 * removed, and all of it is gone with the process.
 */
final class Presence {

    private final Path file;
    private final Map<Path, @Nullable Object> keys = new LinkedHashMap<>();

    private Presence(Path file) {
        this.file = file;
    }

    /** Of a database that is open, with its write-ahead log. */
    static Presence of(Path file) throws IOException {
        var presence = new Presence(file);
        for (var path : new Path[] {file, file.resolveSibling(file.getFileName() + "-wal")}) {
            presence.keys.put(path, key(path));
        }
        return presence;
    }

    /** Refuses to go on where one of the files was removed or replaced. */
    void check() {
        for (var known : keys.entrySet()) {
            if (!isThere(known.getKey(), known.getValue())) {
                throw new StoreException("task store " + file + ": " + known.getKey()
                        + " was removed or replaced while the store was open, so that nothing is kept any more:"
                        + " stop the server, and restore the file");
            }
        }
    }

    private static boolean isThere(Path path, @Nullable Object key) {
        try {
            return Objects.equals(key, key(path));
        } catch (IOException e) {
            return false;
        }
    }

    /** Null where the file system has no keys; then it is enough that there is a file. */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }
}
