// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.said;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the lines of a growing file, and keeps the position behind those that are done with. A piece of partial output
 * is emitted once: before that, its position and the resulting number of pieces are saved. Not thread-safe.
 */
final class SaidLines {

    /** A longer line is cut, and so cannot be read. */
    static final int LONGEST = 1 << 20;

    private static final int CHUNK = 64 * 1024;
    private static final int CHUNKS_AT_ONCE = 16;
    private static final Pattern HEARD = Pattern.compile("(\\d{1,18}) (\\d{1,9}) (\\d{1,18})");

    /** @param end the position behind the line */
    record Line(byte[] bytes, long end) {}

    private final TaskFolder folder;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private long done;
    private int pieces;
    private long read;

    /** @param emitted the number of pieces of partial output that the task has */
    SaidLines(TaskFolder folder, int emitted) throws IOException {
        this.folder = folder;
        pieces = emitted;
        var heard = folder.heard().map(String::strip).map(HEARD::matcher).filter(found -> found.matches());
        done = heard.map(found ->
                        Long.parseLong(emitted >= Integer.parseInt(found.group(2)) ? found.group(3) : found.group(1)))
                .orElse(0L);
        read = done;
    }

    long done() {
        return done;
    }

    /** The next whole lines, or some of them where there are very many; empty where there is none yet. */
    List<Line> next() throws IOException {
        var lines = new ArrayList<Line>();
        if (!folder.isThere()
                || !Files.isRegularFile(folder.say(), LinkOption.NOFOLLOW_LINKS)
                || Files.size(folder.say()) == read) {
            return lines;
        }
        try (var file =
                Files.newByteChannel(folder.say(), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            if (file.size() < read) {
                // The command has begun the file anew, as with > in place of >>.
                begun.reset();
                read = 0;
            }
            file.position(read);
            int chunks = 0;
            while (add(file, lines) && (lines.isEmpty() || chunks < CHUNKS_AT_ONCE)) {
                chunks++;
            }
        }
        return lines;
    }

    private boolean add(SeekableByteChannel file, List<Line> lines) throws IOException {
        var chunk = ByteBuffer.allocate(CHUNK);
        int size = file.read(chunk);
        for (int at = 0; at < size; at++) {
            byte b = chunk.get(at);
            read++;
            if (b == '\n') {
                take().ifPresent(lines::add);
            } else if (begun.size() < LONGEST) {
                begun.write(b);
            }
        }
        return size == CHUNK;
    }

    private Optional<Line> take() {
        var line = new Line(begun.toByteArray(), read);
        begun.reset();
        return line.bytes().length == 0 ? Optional.empty() : Optional.of(line);
    }

    /** A line without a line feed at the end of the file. */
    Optional<Line> last() {
        return take();
    }

    /** Has the lines come again that are not done with. */
    void readAgain() {
        begun.reset();
        read = done;
    }

    void saveDone(long end) throws IOException {
        done = end;
        folder.saveHeard(end + " " + pieces + " " + end);
    }

    /** The piece of this line is about to be emitted. */
    void saveEmitting(Line line) throws IOException {
        pieces++;
        folder.saveHeard((line.end() - line.bytes().length - 1) + " " + pieces + " " + line.end());
        done = line.end();
    }
}
