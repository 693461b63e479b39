// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreInUseException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exclusive lock of a data file, or of the folder of such files: a lock of the operating system on the file
 * {@code NAME.lock} beside it, which also names the holder. The system releases the lock when the process of the holder
 * ends, in any way.
 */
public final class DataLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataLock.class);
    private static final int LONGEST_HOLDER = 1_000;

    // A file lock of the system belongs to the whole process: closing a second channel on the file would release the
    // lock of the first channel.
    private static final Map<Path, String> HELD_HERE = new ConcurrentHashMap<>();

    private final Path path;
    private final FileChannel channel;

    private DataLock(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @param file the file to lock, which need not exist
     * @param what the name of the locked item, such as {@code data folder /var/lib/tasks}, for messages
     * @throws StoreInUseException if another holder has the lock; the message names the holder
     */
    public static DataLock on(Path file, String what) {
        var path = file.resolveSibling(file.getFileName() + ".lock");
        var holder = describeThisProcess();
        var other = HELD_HERE.putIfAbsent(path, holder);
        if (other != null) {
            throw heldBy(what, other + " (this process)");
        }
        try {
            return lock(what, path, holder);
        } catch (StoreException e) {
            HELD_HERE.remove(path);
            throw e;
        }
    }

    private static DataLock lock(String what, Path path, String holder) {
        FileChannel channel;
        try {
            PrivateFiles.createFile(path);
            channel = FileChannel.open(
                    path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException e) {
            throw new StoreException(what + ": its lock file cannot be written: " + e.getMessage(), e);
        }
        try {
            if (channel.tryLock() == null) {
                throw heldBy(what, read(channel));
            }
            writeHolder(channel, holder);
            return new DataLock(path, channel);
        } catch (IOException e) {
            closeAfter(e, channel);
            throw new StoreException(what + ": it cannot be locked (" + e + ")", e);
        } catch (StoreException e) {
            closeAfter(e, channel);
            throw e;
        }
    }

    /**
     * Overwrites the name of the last holder, which needs no room on a full disk. The lock also holds without the name.
     */
    private static void writeHolder(FileChannel channel, String holder) {
        try {
            channel.truncate(channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0));
        } catch (IOException e) {
            LOG.debug("The holder of a lock could not be written down", e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new StoreException("the lock " + path + " was not freed cleanly", e);
        } finally {
            HELD_HERE.remove(path);
        }
    }

    private static void closeAfter(Exception failure, FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static StoreInUseException heldBy(String what, String holder) {
        return new StoreInUseException(what + " is in use by " + holder
                + ": one process at a time can have it; stop that process, or use another file or folder");
    }

    private static String read(FileChannel channel) throws IOException {
        var buffer = ByteBuffer.allocate(LONGEST_HOLDER);
        channel.read(buffer, 0);
        var text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? "another process" : text;
    }

    private static String describeThisProcess() {
        var process = ProcessHandle.current();
        return "process " + process.pid() + " on " + host()
                + process.info()
                        .startInstant()
                        .map(Instant::toString)
                        .map(since -> ", running since " + since)
                        .orElse("");
    }

    /** The name of this machine, from its operating system: a lookup in the network could take seconds. */
    public static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            var name = System.getenv("COMPUTERNAME");
            return name == null ? "this host" : name;
        }
    }
}
