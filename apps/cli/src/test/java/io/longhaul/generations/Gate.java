// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Two pipes with names, by which commands say that they have begun, and wait until they may go on. They are open here
 * for reading and writing, so that nobody waits for another one to open them.
 */
final class Gate implements AutoCloseable {

    private static final int ALL = 100;

    private final RandomAccessFile begun;
    private final RandomAccessFile go;
    private final BufferedReader lines;

    private Gate(RandomAccessFile begun, RandomAccessFile go) throws IOException {
        this.begun = begun;
        this.go = go;
        lines = new BufferedReader(new InputStreamReader(new FileInputStream(begun.getFD()), StandardCharsets.UTF_8));
    }

    static Gate in(Path folder) throws Exception {
        return new Gate(pipe(folder.resolve("begun")), pipe(folder.resolve("go")));
    }

    private static RandomAccessFile pipe(Path path) throws Exception {
        new ProcessBuilder("mkfifo", path.toString()).start().waitFor();
        return new RandomAccessFile(path.toFile(), "rw");
    }

    /** The script of a command that waits at the gate of a folder. */
    Path script(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("wait.sh"),
                "echo $$ > '%s'\nread line < '%s'\necho done\n"
                        .formatted(folder.resolve("begun"), folder.resolve("go")));
    }

    /** Statements of Java that wait at the gate of a folder. */
    static String statements(Path folder) {
        return """
                java.nio.file.Files.writeString(java.nio.file.Path.of("%s"), ProcessHandle.current().pid() + "\\n");
                try (var go = new java.io.FileInputStream("%s")) {
                    go.read();
                }
                """.formatted(folder.resolve("begun"), folder.resolve("go"));
    }

    /** Waits for the next command that has begun. */
    ProcessHandle begun() {
        try {
            return ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether no command has begun that nobody waited for. */
    boolean isQuiet() throws IOException {
        return !lines.ready();
    }

    /** Lets all go on that wait, or will. */
    void open() throws IOException {
        go.write("\n".repeat(ALL).getBytes(StandardCharsets.UTF_8));
    }

    /** Lets those go that wait still, so that none outlives its test. */
    @Override
    public void close() throws IOException {
        open();
        begun.close();
        go.close();
    }
}
