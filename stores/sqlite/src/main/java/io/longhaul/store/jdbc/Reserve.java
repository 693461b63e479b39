// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserves room on the disk in the file {@code NAME.reserve}, so that a database can be opened, and its finished tasks
 * read, while the disk is full: SQLite needs some room for its shared-memory file.
 */
final class Reserve {
    static final int BYTES = 256 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Reserve.class);

    private final Path path;

    Reserve(Path file) {
        path = file.resolveSibling(file.getFileName() + ".reserve");
    }

    /** Reserves the room, or as much of it as the disk has. */
    void keep() {
        try {
            PrivateFiles.createFile(path);
            if (Files.size(path) >= BYTES) {
                return;
            }
            try (var channel = FileChannel.open(path, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
                channel.write(filler(), 0);
            }
        } catch (IOException e) {
            LOG.debug("Not all of the reserve {} could be set aside", path, e);
        }
    }

    /** Gives the room back to the disk; false where no room was reserved. */
    boolean release() {
        try {
            var some = Files.size(path) > 0;
            Files.delete(path);
            return some;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            LOG.warn("The reserve {} cannot be given back to the disk", path, e);
            return false;
        }
    }

    /** Pseudo-random bytes, because a file system may allocate no room for zeros. */
    private static ByteBuffer filler() {
        var bytes = new byte[BYTES];
        var state = 1;
        for (var i = 0; i < BYTES; i++) {
            state = state * 1_103_515_245 + 12_345;
            bytes[i] = (byte) (state >>> 16);
        }
        return ByteBuffer.wrap(bytes);
    }
}
