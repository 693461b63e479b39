// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps secrets as one JSON object in a file. Each write replaces the whole file, so that a reader never sees a partial
 * file. Writers of all processes lock a second file beside it.
 */
final class FileTokenStore implements TokenStore {

    private static final Logger log = LoggerFactory.getLogger(FileTokenStore.class);

    /** How long another process is waited for: longer than it takes to renew a login, unless the process is stopped. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(20);

    /** The locks by their files, which order the threads of this process: a file lock belongs to the process. */
    private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

    private static final Set<PosixFilePermission> USER_ALONE =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final Path file;
    private final Duration patience;

    FileTokenStore(Path file) {
        this(file, PATIENCE);
    }

    FileTokenStore(Path file, Duration patience) {
        this.file = file.toAbsolutePath();
        this.patience = patience;
    }

    @Override
    public Optional<String> load(String name) {
        try {
            return Optional.ofNullable(read().get(name));
        } catch (IOException e) {
            throw unusable("read", e);
        }
    }

    @Override
    public void save(String name, String secret) {
        change(secrets -> secrets.put(name, secret));
    }

    @Override
    public void remove(String name) {
        change(secrets -> secrets.remove(name));
    }

    private void change(Consumer<Map<String, String>> change) {
        try (var held = locked(".lock")) {
            var secrets = read();
            change.accept(secrets);
            write(secrets);
        } catch (IOException e) {
            throw unusable("written", e);
        }
    }

    /** Each name has a lock file of its own: the authorization server of one name may be slow. */
    @Override
    public Hold hold(String name) {
        try {
            return locked("." + Integer.toHexString(name.hashCode()) + ".lock");
        } catch (IOException e) {
            throw unusable("locked", e);
        }
    }

    private Hold locked(String suffix) throws IOException {
        Files.createDirectories(file.getParent(), attributes("rwx------"));
        var path = file.getParent().toRealPath().resolve(file.getFileName() + suffix);
        var threads = LOCKS.computeIfAbsent(path, any -> new ReentrantLock());
        threads.lock();
        try {
            var channel = locked(path);
            return () -> release(channel, threads);
        } catch (IOException | RuntimeException e) {
            threads.unlock();
            throw e;
        }
    }

    private FileChannel locked(Path path) throws IOException {
        var channel = FileChannel.open(
                path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), attributes("rw-------"));
        try {
            long tries = patience.dividedBy(BETWEEN_TRIES);
            while (!isLocked(channel)) {
                if (tries-- == 0) {
                    log.warn("another process does not unlock {}, and is waited for no longer", path);
                    break;
                }
                Thread.sleep(BETWEEN_TRIES);
            }
            return channel;
        } catch (InterruptedException e) {
            channel.close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the wait for another process was interrupted");
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Another copy of this class in this process, as of another application in one container.
            return false;
        }
    }

    /** Closing the file ends the lock of the process. */
    private static void release(FileChannel channel, ReentrantLock threads) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            threads.unlock();
        }
    }

    private Map<String, String> read() throws IOException {
        var secrets = new TreeMap<String, String>();
        try {
            if (Files.exists(file) && isPosix() && !USER_ALONE.containsAll(Files.getPosixFilePermissions(file))) {
                throw new IOException("others can read it: chmod 600 " + file);
            }
            JsonTree.read(Files.readAllBytes(file))
                    .properties()
                    .forEach(entry ->
                            secrets.put(entry.getKey(), entry.getValue().asString("")));
        } catch (NoSuchFileException e) {
            return secrets;
        } catch (IllegalArgumentException e) {
            throw new IOException("it is no JSON: remove it, and log in again", e);
        }
        return secrets;
    }

    private void write(Map<String, String> secrets) throws IOException {
        var all = JsonTree.object();
        secrets.forEach(all::put);
        var next =
                Files.createTempFile(file.getParent(), file.getFileName().toString(), ".new", attributes("rw-------"));
        try {
            Files.write(next, JsonTree.write(all).bytes());
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private static boolean isPosix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] attributes(String permissions) {
        return isPosix()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private UncheckedIOException unusable(String what, IOException e) {
        return new UncheckedIOException(
                "The tokens in " + file + " cannot be " + what + ": " + e.getMessage() + ".", e);
    }
}
