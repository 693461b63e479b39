// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file to which processes append lines until they are killed: a complete line is in the file when {@link #write}
 * returns. The file is not synced, because only processes die here, not the machine. Thread-safe.
 */
final class Lines implements AutoCloseable {

    /** A stream and no channel, because a thread that is interrupted in a write closes it for all threads. */
    private final FileOutputStream file;

    Lines(Path path) throws IOException {
        file = new FileOutputStream(path.toFile(), true);
    }

    /** Appends the words of one line; a word has no line breaks. */
    synchronized void write(String... words) {
        var line = String.join(" ", words).replace('\n', ' ') + "\n";
        try {
            file.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines so far; none where the file does not exist yet. */
    static List<String> read(Path path) throws IOException {
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    /** The number of lines that begin with {@code beginning}, while others may write. */
    static long count(Path path, String beginning) throws IOException {
        try (var lines = Files.lines(path)) {
            return lines.filter(line -> line.startsWith(beginning)).count();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
