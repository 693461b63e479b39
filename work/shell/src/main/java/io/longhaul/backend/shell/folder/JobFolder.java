// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.folder;

import io.longhaul.backend.shell.process.Claim;
import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.task.TaskId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The folder of one job, readable by the server's user only. Files appear only complete: a file is written under
 * another name, and then moved or linked to its own name.
 *
 * @param task    the task of the job
 * @param root    the path of the folder
 * @param attempt the attempt at the command, counted from 1; later attempts have folders of their own below that of the
 *                first
 */
public record JobFolder(TaskId task, Path root, int attempt) {

    private static final String CLAIM = "claim";
    private static final String EXIT = "exit";
    private static final String SECRETS = "secrets";
    private static final String INPUT = "input";
    private static final String WORK = "work";
    private static final String TASK = "task";
    private static final String FOLLOWED = "followed";
    private static final String LOGGED = "logged";
    private static final String MOVED = "moved";
    private static final String ENDED = "remove-after";
    private static final String ERRORS = "errors";

    public static JobFolder of(Path jobs, TaskId task, int attempt) {
        return new JobFolder(task, jobs.resolve(task.value()), attempt);
    }

    public JobFolder ofAttempt(int other) {
        return new JobFolder(task, root, other);
    }

    public Path path() {
        return attempt == 1 ? root : root.resolve(Integer.toString(attempt));
    }

    public boolean exists() {
        return Files.isDirectory(path());
    }

    public void create() throws IOException {
        PrivateFiles.createFolder(path());
    }

    /** The folder in which a command runs that has one of its own. */
    public Path work() {
        return path().resolve(WORK).toAbsolutePath();
    }

    /** The folder by which the command and its task speak, of all attempts. */
    public Path said() {
        return root.resolve(TASK).toAbsolutePath();
    }

    public void createWork() throws IOException {
        PrivateFiles.createFolder(work());
    }

    /** Writes the standard input of the command; job.sh removes the file before the command begins. */
    public void saveInput(String text) throws IOException {
        var input = path().resolve(INPUT);
        PrivateFiles.createFile(input);
        Files.writeString(input, text);
    }

    /** Notes that the command knows secrets, which only its tool can mask. */
    public void saveHasSecrets() throws IOException {
        PrivateFiles.createFile(path().resolve(SECRETS));
    }

    public boolean hasSecrets() {
        return Files.exists(path().resolve(SECRETS));
    }

    public Optional<Claim> claim() throws IOException {
        return read(CLAIM).flatMap(Claim::parse);
    }

    /** When the command has begun. */
    public Instant begun() throws IOException {
        return Files.getLastModifiedTime(path().resolve(CLAIM)).toInstant();
    }

    /** Claims the job with {@link Claim#NOBODY} unless the job is claimed already. Returns the valid claim. */
    public Claim claimForNobody() throws IOException {
        var whole = path().resolve(CLAIM + "." + UUID.randomUUID());
        Files.writeString(whole, Claim.NOBODY + "\n");
        try {
            Files.createLink(path().resolve(CLAIM), whole);
        } catch (FileAlreadyExistsException somebodyWasFirst) {
            Files.delete(whole);
        }
        return claim().orElseThrow(() -> new IOException("unreadable claim in " + path()));
    }

    /** The claims of all attempts at the command. */
    List<Claim> claims() throws IOException {
        var claims = new ArrayList<Claim>();
        for (var each = ofAttempt(1); each.exists(); each = ofAttempt(each.attempt + 1)) {
            each.claim().ifPresent(claims::add);
        }
        return claims;
    }

    /**
     * The exit code; empty until the command has ended, and also later when the command was killed together with its
     * shell.
     */
    public Optional<Integer> exitCode() throws IOException {
        return read(EXIT)
                .map(String::strip)
                .filter(text -> text.matches("\\d{1,3}"))
                .map(Integer::valueOf);
    }

    /** The saved position in the output; see {@code OutputFollower}. */
    public Optional<String> followed() throws IOException {
        return read(FOLLOWED);
    }

    public void saveFollowed(String text) throws IOException {
        replace(FOLLOWED, text);
    }

    /** The position up to which standard error was logged. */
    public long logged() throws IOException {
        return read(LOGGED).map(text -> Long.parseLong(text.strip())).orElse(0L);
    }

    public void saveLogged(long position) throws IOException {
        replace(LOGGED, Long.toString(position));
    }

    /** The saved position in what the command says by its output; see {@code SaidOutput}. */
    public Optional<String> moved() throws IOException {
        return read(MOVED);
    }

    public void saveMoved(String text) throws IOException {
        replace(MOVED, text);
    }

    /** When the folder may be removed; empty while its job has not been reported. */
    Optional<Instant> removableAt() throws IOException {
        return ofAttempt(1)
                .read(ENDED)
                .map(String::strip)
                .filter(text -> text.matches("\\d{1,18}"))
                .map(text -> Instant.ofEpochMilli(Long.parseLong(text)));
    }

    void saveRemovableAt(Instant when) throws IOException {
        ofAttempt(1).replace(ENDED, Long.toString(when.toEpochMilli()));
    }

    /** The file to which the shell of the job writes its own errors. */
    public Path errors() {
        return path().resolve(ERRORS);
    }

    /** Removes the folder with its contents, where it exists. */
    public void remove() throws IOException {
        remove(file -> true);
    }

    /** Removes what the attempt has left; what the command has said, and what it was answered, stays. */
    public void clear() throws IOException {
        remove(file -> !said().startsWith(file.toAbsolutePath())
                && !file.toAbsolutePath().startsWith(said()));
    }

    private void remove(Predicate<Path> which) throws IOException {
        if (!exists()) {
            return;
        }
        try (var all = Files.walk(path())) {
            for (var each : all.filter(which).sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Optional<String> read(String name) throws IOException {
        try {
            return Optional.of(Files.readString(path().resolve(name))).filter(text -> !text.isBlank());
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }

    private void replace(String name, String text) throws IOException {
        var whole = path().resolve(name + ".new");
        Files.writeString(whole, text);
        Files.move(whole, path().resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
