// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.store.StoreException;
import io.longhaul.store.jdbc.sql.Closing;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers the commits of a data file: the database stores the number of each commit, and the file {@code NAME.mark} has
 * the number of the last durable commit. A database that is behind its mark has lost acknowledged commits. The mark is
 * written without a sync, and only after the sync of its commit: after a crash it may be behind the database, but never
 * ahead.
 */
final class CommitMark implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommitMark.class);

    private static final String SPACE = "store";
    private static final String KEY = "commits";
    private static final String READ = "SELECT value FROM handle WHERE space = ? AND key = ?";
    private static final String WRITE = """
        INSERT INTO handle (space, key, value) VALUES (?, ?, ?)
        ON CONFLICT (space, key) DO UPDATE SET value = excluded.value
        """;

    /** The line has the number twice, so that a partly written line is recognized. */
    private static final Pattern LINE = Pattern.compile("(\\d{1,19}) \\1\n.*", Pattern.DOTALL);

    private static final int LONGEST = 100;

    private final Path file;
    private final Path path;
    private final FileChannel channel;
    private final long marked;
    private long durable;

    private CommitMark(Path file, Path path, FileChannel channel, long marked) {
        this.file = file;
        this.path = path;
        this.channel = channel;
        this.marked = marked;
    }

    /** The file of the mark, which is written with each commit. */
    static Path path(Path file) {
        return file.resolveSibling(file.getFileName() + ".mark");
    }

    /** The mark of a data file, which may not exist yet. The caller holds the lock of the data file. */
    static CommitMark of(Path file) {
        var path = path(file);
        try {
            PrivateFiles.createFile(path);
            var channel = FileChannel.open(
                    path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
            return new CommitMark(file, path, channel, read(path, channel));
        } catch (IOException e) {
            throw new StoreException("task store " + file + ": its mark cannot be opened: " + e.getMessage(), e);
        }
    }

    /** The number in the mark of a data file, or 0 where there is no mark. For callers that do not hold the lock. */
    static long marked(Path file) {
        var path = path(file);
        try (var channel = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return read(path, channel);
        } catch (IOException e) {
            return 0;
        }
    }

    /** The commits that a database lacks, in words; the mark was read before the database. */
    static Optional<String> missing(SqlSession session, long marked) throws SQLException {
        long durable = durable(session);
        return durable < marked
                ? Optional.of("commits that were acknowledged are missing: the last " + (marked - durable))
                : Optional.empty();
    }

    private static long durable(SqlSession session) throws SQLException {
        return session.queryOne(row -> row.getLong(1), READ, SPACE, KEY).orElse(0L);
    }

    private static long read(Path path, FileChannel channel) throws IOException {
        var buffer = ByteBuffer.allocate(LONGEST);
        channel.read(buffer, 0);
        var text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
        var line = LINE.matcher(text);
        if (line.matches()) {
            return Long.parseLong(line.group(1));
        }
        if (!text.isEmpty()) {
            LOG.warn("The mark {} cannot be read: it is not known whether commits are missing", path);
        }
        return 0;
    }

    /**
     * Refuses a missing or empty database where its mark or its write-ahead log shows that it held data. SQLite would
     * treat the file as a new database, and delete the log.
     */
    void refuseEmpty() throws IOException {
        var log = file.resolveSibling(file.getFileName() + "-wal");
        if ((!Files.exists(file) || Files.size(file) == 0)
                && (marked > 0 || Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS) && Files.size(log) > 0)) {
            throw new StoreException("task store " + file + ": it is empty or gone, and held tasks before: restore it"
                    + " with its -wal file, or remove " + path + " and the -wal file to begin anew");
        }
    }

    /** Refuses a database that lacks acknowledged commits. */
    void refuseLoss(SqlSession session) throws SQLException {
        durable = durable(session);
        if (durable < marked) {
            throw new StoreException("task store " + file + ": the last " + (marked - durable)
                    + " commits that were acknowledged are missing, because the file or its -wal file was cut short,"
                    + " removed or replaced by an older one: restore both, or remove " + path
                    + " to go on without those commits");
        }
    }

    /** Writes the number of the next commit into its transaction. */
    void number(SqlSession session) throws SQLException {
        session.update(WRITE, SPACE, KEY, durable + 1);
    }

    /** Writes the mark: the commit that was numbered last is durable. */
    void advance() {
        durable++;
        try {
            channel.write(ByteBuffer.wrap((durable + " " + durable + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
        } catch (IOException e) {
            LOG.debug("The mark {} could not be written: a loss of this commit would not be found", path, e);
        }
    }

    @Override
    public void close() {
        Closing.quietly(channel, "The mark " + path);
    }
}
