package io.longhaul.cli.serve;

import io.longhaul.engine.store.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.CRC32;

/** Where the tasks of a file are kept. */
public final class DataFolder {
    /** The file of the tasks in each data folder. */
    public static final String STORE = "tasks.db";

    private DataFolder() {}

    /** The folder for a file where the user names none: one for each file, below the state of this user. */
    public static Path standard(Path file, Map<String, String> env) {
        var state = env.getOrDefault("XDG_STATE_HOME", "");
        var base = state.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "state") : Path.of(state);
        var name = file.getFileName().toString().replaceFirst("\\.ya?ml$", "").replaceAll("[^A-Za-z0-9_.-]", "-");
        return base.resolve("longhaul").resolve(name + "-" + mark(file));
    }

    /** Tells files of one name in several folders apart. */
    private static String mark(Path file) {
        var sum = new CRC32();
        sum.update(file.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", sum.getValue());
    }

    /**
     * Creates it for this user alone, unless it is there and no other user can write it.
     *
     * @throws IOException with words for the user where that cannot be
     */
    static void create(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            refuseLoose(folder);
            return;
        }
        if (Files.exists(folder)) {
            throw new IOException("the data folder " + folder + " is a file: name a folder with --data");
        }
        try {
            PrivateFiles.createFolder(folder);
        } catch (IOException e) {
            throw new IOException(
                    "the data folder " + folder + " cannot be created (" + reason(e)
                            + "): name another one with --data, or let this user write there",
                    e);
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException missing -> "not possible there";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> e.getClass().getSimpleName();
        };
    }

    private static void refuseLoose(Path folder) throws IOException {
        try {
            PrivateFiles.refuseLoose(folder);
        } catch (IOException e) {
            throw new IOException("the data folder cannot be used: " + e.getMessage(), e);
        }
    }
}
