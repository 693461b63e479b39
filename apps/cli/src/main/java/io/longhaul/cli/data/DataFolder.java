// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.data;

import io.longhaul.cli.command.Patience;
import io.longhaul.cli.command.ThisProgram;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.store.StoreUnreachableException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.jdbc.DataLock;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.store.postgres.PostgresTaskStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder with the tasks of a file, their jobs, and the socket of their server.
 *
 * @param keys     seal the contents of the store
 * @param database keeps the tasks; empty for a file in the folder
 */
public record DataFolder(Path path, DataKeys keys, Optional<Database> database) {
    /** The file of the tasks in each data folder. */
    public static final String STORE = "tasks.db";

    /** What to do where a data folder is to be named. */
    public static final String WHICH = "Write the folder that serve names as the place where tasks are kept.";

    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    private static final String NODE = "node";
    private static final int NODE_DIGITS = 8;

    /**
     * A database of PostgreSQL.
     *
     * @param password empty where there is none; never shown
     * @param node     the name of this server among the nodes of the database; empty for a name that the folder keeps
     * @param role     of this server among them
     * @param patience how long a database that cannot be reached is waited for
     */
    public record Database(
            String url,
            Optional<String> user,
            Optional<String> password,
            Optional<String> node,
            NodeRole role,
            Duration patience) {
        @Override
        public String toString() {
            return "Database[" + url + "]";
        }
    }

    /** A folder that also holds the tasks. */
    public DataFolder(Path path, DataKeys keys) {
        this(path, keys, Optional.empty());
    }

    /** The mistake of a user who names a folder that no server has used. */
    public static UsageException none(String folder) {
        return new UsageException(
                "--data \"" + folder + "\" is no data folder of a server: there is no " + STORE + ". " + WHICH);
    }

    /** The default folder for a file: one for each file, below the state folder of this user. */
    public static Path standard(Path file, Map<String, String> env) {
        var name = file.getFileName().toString().replaceFirst("\\.ya?ml$", "").replaceAll("[^A-Za-z0-9_.-]", "-");
        return ThisProgram.state(env)
                .resolve(name + "-" + mark(file.toAbsolutePath().normalize().toString()));
    }

    /** A short mark of a text, which tells files of one name in different folders apart. */
    public static String mark(String text) {
        var sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    /** The place of the tasks, in words. The store must be open. */
    public String announcement() {
        if (database.isEmpty()) {
            return "tasks are kept in " + path;
        }
        try {
            return "tasks are kept in " + database.get().url().replaceFirst("\\?.*", "") + ", where this is node "
                    + node().orElseThrow() + ", and the output of commands in " + path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates the folder for this user only. An existing folder is accepted where no other user can write it.
     *
     * @throws IOException with words for the user where the folder cannot be used
     */
    public void create() throws IOException {
        if (Files.isDirectory(path)) {
            try {
                PrivateFiles.refuseLoose(path);
            } catch (IOException e) {
                throw new IOException("the data folder cannot be used: " + e.getMessage(), e);
            }
            return;
        }
        if (Files.exists(path)) {
            throw new IOException("the data folder " + path + " is a file: name a folder with --data");
        }
        try {
            PrivateFiles.createFolder(path);
        } catch (IOException e) {
            throw new IOException(
                    "the data folder " + path + " cannot be created (" + reason(e)
                            + "): name another one with --data, or let this user write there",
                    e);
        }
    }

    public boolean isSealed() {
        return !keys.equals(DataKeys.NONE);
    }

    /**
     * Opens the store; the folder must exist. One process at a time has the folder, even with a database: the jobs are
     * in the folder.
     *
     * @throws io.longhaul.engine.store.StoreInUseException where another process has the folder
     */
    public TaskStore openStore() {
        return database.<TaskStore>map(this::open).orElseGet(() -> SqliteTaskStore.at(path.resolve(STORE), keys));
    }

    private TaskStore open(Database named) {
        var lock = DataLock.on(path.resolve(STORE), "data folder " + path);
        try {
            var store = Patience.of(named.patience())
                    .open(
                            () -> opened(named),
                            StoreUnreachableException.class,
                            e -> LOG.warn(
                                    "{}; the server waits for it up to {} s",
                                    e.getMessage(),
                                    named.patience().toSeconds()));
            return new LockedStore(store, lock);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private PostgresTaskStore opened(Database named) {
        var store = PostgresTaskStore.at(
                named.url(), named.user().orElse(null), named.password().orElse(null), keys);
        store.role(named.role());
        return store;
    }

    private static final class LockedStore extends ForwardingStore {
        private final DataLock lock;

        LockedStore(TaskStore store, DataLock lock) {
            super(store);
            this.lock = lock;
        }

        @Override
        public void close() {
            super.close();
            lock.close();
        }
    }

    /**
     * The name of this server among the nodes of its database. By default the folder keeps the name, so that a
     * restarted server takes its tasks up at once. Empty where the tasks are in the folder. The store must be open.
     */
    public Optional<String> node() throws IOException {
        if (database.isEmpty()) {
            return Optional.empty();
        }
        return database.get().node().isPresent() ? database.get().node() : Optional.of(keptNode());
    }

    private String keptNode() throws IOException {
        var file = path.resolve(NODE);
        if (Files.exists(file)) {
            var kept = Files.readString(file).strip();
            if (!kept.isEmpty()) {
                return kept;
            }
        }
        var made = DataLock.host() + "-" + UUID.randomUUID().toString().substring(0, NODE_DIGITS);
        PrivateFiles.createFile(file);
        Files.writeString(file, made + "\n");
        return made;
    }

    /** The socket at which other processes find the server of this folder. */
    public Path socket() {
        return path.resolve("longhaul.sock");
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException missing -> "not possible there";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> e.getClass().getSimpleName();
        };
    }
}
