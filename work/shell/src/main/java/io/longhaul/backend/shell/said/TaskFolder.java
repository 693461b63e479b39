// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.said;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.said.Said.Reply;
import io.longhaul.engine.store.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder by which a command and its task speak, whatever attempts run. The command may do there what it wants: a
 * link is not followed, and what is no regular file is not read.
 */
public record TaskFolder(Path path) {

    private static final String HEARD = ".heard";
    private static final String END = ".end";
    private static final String OPEN = ".open";

    /** A line that was read, and is written again with the longest forms of its characters, is no larger. */
    private static final long LARGEST = 6L * SaidLines.LONGEST;

    public static TaskFolder of(JobFolder job) {
        return new TaskFolder(job.said());
    }

    /** The file to which the command appends its lines. */
    public Path say() {
        return path.resolve("say");
    }

    /** Makes the folder ready for a start: what an earlier start has said stays, but not how that one ended. */
    public void prepare(byte[] arguments) throws IOException {
        PrivateFiles.createFolder(path);
        if (!Files.exists(say(), LinkOption.NOFOLLOW_LINKS)) {
            PrivateFiles.createFile(say());
        }
        Files.deleteIfExists(path.resolve(END));
        replace(path, "arguments.json", arguments);
    }

    public boolean has(Reply reply) {
        return Files.exists(file(reply), LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether the line of a question or a call is kept. */
    public boolean isOpen(Reply reply) {
        return Files.exists(open(reply), LinkOption.NOFOLLOW_LINKS);
    }

    /** The names of all that is answered, in their order. */
    public List<String> names(Reply.Kind kind) {
        var files = path.resolve(folder(kind)).toFile().list((folder, name) -> name.endsWith(".json"));
        return files == null
                ? List.of()
                : Stream.of(files)
                        .map(name -> name.substring(0, name.length() - ".json".length()))
                        .sorted()
                        .toList();
    }

    /** Whether a question was answered after this time. */
    public boolean isAnsweredSince(Instant when) throws IOException {
        try (var answers = Files.newDirectoryStream(path.resolve(folder(Reply.Kind.ANSWERS)))) {
            for (var answer : answers) {
                if (Files.getLastModifiedTime(answer, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .isAfter(when)) {
                    return true;
                }
            }
            return false;
        } catch (NoSuchFileException removed) {
            return false;
        }
    }

    /** Writes an answer, and forgets the line that waits for it. */
    public void answer(Reply reply, byte[] content) throws IOException {
        var file = file(reply);
        replace(file.getParent(), file.getFileName().toString(), content);
        Files.deleteIfExists(open(reply));
    }

    /** Keeps the line of a question or a call until it is answered. */
    public void saveOpen(Reply reply, byte[] line) throws IOException {
        replace(path.resolve(OPEN), open(reply).getFileName().toString(), line);
    }

    /** The lines that are not answered. */
    public List<byte[]> open() throws IOException {
        var lines = new ArrayList<byte[]>();
        try (var files = Files.newDirectoryStream(path.resolve(OPEN))) {
            for (var file : files) {
                read(file).ifPresent(lines::add);
            }
        } catch (NoSuchFileException removed) {
            return List.of();
        }
        return lines;
    }

    /** The line that says how the command ended. */
    public Optional<byte[]> end() throws IOException {
        return read(path.resolve(END));
    }

    public void saveEnd(byte[] line) throws IOException {
        replace(path, END, line);
    }

    /** The saved position in what the command says. */
    public Optional<String> heard() throws IOException {
        return read(path.resolve(HEARD)).map(text -> new String(text, UTF_8));
    }

    public void saveHeard(String text) throws IOException {
        replace(path, HEARD, text.getBytes(UTF_8));
    }

    private Path open(Reply reply) {
        return path.resolve(OPEN).resolve(folder(reply.kind()) + "." + reply.name());
    }

    private Path file(Reply reply) {
        return path.resolve(folder(reply.kind())).resolve(reply.name() + ".json");
    }

    private static String folder(Reply.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Whether the folder is one, and no link to another. */
    boolean isThere() {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    private Optional<byte[]> read(Path file) throws IOException {
        return isThere() && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) <= LARGEST
                ? Optional.of(Files.readAllBytes(file))
                : Optional.empty();
    }

    private void replace(Path folder, String name, byte[] content) throws IOException {
        if (!isThere()) {
            throw new IOException("the command has replaced " + path);
        }
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            PrivateFiles.createFolder(folder);
        } else if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("the command has replaced " + folder);
        }
        var whole = folder.resolve(name + ".new");
        Files.deleteIfExists(whole);
        Files.write(whole, content);
        Files.move(whole, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
