// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import io.longhaul.store.jdbc.sql.Closing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the files of an open database still exist under their names, and are complete. An operating system
 * accepts writes to removed files, and beyond the end of shortened files; such writes are lost when the process ends.
 * Thread-safe.
 *
 * <p>The check of a commit does not read the attributes of the write-ahead log: where a program has read the times of a
 * file, Linux gives the next write a new time, and the sync of that write stores the time too, which takes half as long
 * again. The time of the folder says whether the name of the log may have changed, and the last byte of the log whether
 * the log was cut short.
 */
final class Presence implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

    /** Two changes of the folder have different times where more than this lies between them. */
    private static final Duration TICK = Duration.ofSeconds(1);

    /** @param key null where the file system has no file keys; then only the existence of the file is checked */
    private record Seen(@Nullable Object key, long size) {

        static Seen of(Path path) throws IOException {
            var attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Seen(attributes.fileKey(), attributes.size());
        }
    }

    private final Path file;
    private final Path log;
    private final Path folder;
    private final Path mark;
    private final FileChannel logBytes;
    private final @Nullable Object logKey;
    private Seen data;
    private long logSize;
    private @Nullable Instant folderTime;

    private Presence(Path file, Path log, FileChannel logBytes) throws IOException {
        this.file = file;
        this.log = log;
        this.logBytes = logBytes;
        folder = Objects.requireNonNull(log.toAbsolutePath().getParent());
        mark = CommitMark.path(file);
        data = Seen.of(file);
        logKey = Seen.of(log).key();
        logSize = logBytes.size();
    }

    /** The presence of an open database and of its write-ahead log. */
    static Presence of(Path file) throws IOException {
        var log = file.resolveSibling(file.getFileName() + "-wal");
        // SQLite locks the data file and never the log, so that the end of this channel takes no lock of SQLite away.
        var bytes = FileChannel.open(log);
        try {
            return new Presence(file, log, bytes);
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    /** Throws where one of the files was removed or replaced. */
    synchronized void check() {
        look();
    }

    /**
     * Throws as {@link #check} does, and where one of the files was cut short. The writer calls this method before a
     * commit; it holds the lock of the database.
     */
    synchronized void refuseCut() {
        var now = look();
        if (now.size() < data.size()) {
            refuseUnsound(file);
        }
        data = now;
        if (logSize > 0 && !hasByte(logSize - 1)) {
            refuseUnsound(log);
            logSize = size();
        }
    }

    /** Throws as {@link #check} does. The writer calls this method after a commit, which may make the files longer. */
    synchronized void committed() {
        var now = look();
        if (now.size() > data.size()) {
            data = now;
        }
        if (hasByte(logSize)) {
            logSize = size();
        }
    }

    /** The data file. Only checkpoints write that file, so that reading its attributes makes no commit slower. */
    private Seen look() {
        var now = seen(file, data.key());
        if (mayNamesHaveChanged()) {
            seen(log, logKey);
        }
        return now;
    }

    /**
     * Whether a name in the folder may have changed since the last look. A time of the folder is only trusted where the
     * last commit came a tick later: until then, a change could leave the same time.
     */
    private boolean mayNamesHaveChanged() {
        try {
            var time = changed(folder);
            if (time.equals(folderTime)) {
                return false;
            }
            folderTime = time.isBefore(changed(mark).minus(TICK)) ? time : null;
        } catch (IOException e) {
            LOG.debug("The time of {} cannot be read", folder, e);
        }
        return true;
    }

    private static Instant changed(Path path) throws IOException {
        return Files.getLastModifiedTime(path).toInstant();
    }

    private boolean hasByte(long at) {
        try {
            return logBytes.read(ByteBuffer.allocate(1), at) == 1;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private long size() {
        try {
            return logBytes.size();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private void refuseUnsound(Path path) {
        if (!isSound()) {
            throw lost(path, "cut short");
        }
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

    private Seen seen(Path path, @Nullable Object key) {
        try {
            var now = Seen.of(path);
            if (Objects.equals(now.key(), key)) {
                return now;
            }
        } catch (IOException e) {
            LOG.debug("{} is not found", path, e);
        }
        throw lost(path, "removed or replaced");
    }

    private StoreException lost(Path path, String how) {
        return new StoreException("task store " + file + ": " + path + " was " + how
                + " while the store was open, so that nothing is kept any more: stop the server, and restore the file");
    }

    private StoreException unreadable(IOException why) {
        return new StoreException("task store " + file + ": " + log + " cannot be read: " + why.getMessage(), why);
    }

    @Override
    public void close() {
        Closing.quietly(logBytes, "The channel of " + log);
    }
}
