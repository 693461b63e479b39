// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.said.TaskFolder;
import io.longhaul.engine.store.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Moves the lines of an output by which the command speaks to the file of what it says, each once: before lines are
 * appended, their place in the output and in that file is saved, so that the next server can tell whether they were.
 * Not thread-safe.
 */
final class SaidOutput {

    private static final Pattern MOVED = Pattern.compile("(\\d{1,18}) (\\d{1,18}) (\\d{1,18}) (\\d{1,18})");

    private final String prefix;
    private final JobFolder folder;
    private final Path file;
    private long place;
    private long size;

    /** @param prefix of the lines by which the command speaks */
    SaidOutput(String prefix, JobFolder folder) throws IOException {
        this.prefix = prefix;
        this.folder = folder;
        file = TaskFolder.of(folder).say();
        var saved = folder.moved().map(String::strip).map(MOVED::matcher).filter(found -> found.matches());
        if (saved.isEmpty()) {
            size = isThere() ? Files.size(file) : 0;
            return;
        }
        long before = Long.parseLong(saved.get().group(2));
        long after = Long.parseLong(saved.get().group(4));
        var isMoved = !isThere() || Files.size(file) >= after;
        place = Long.parseLong(saved.get().group(isMoved ? 3 : 1));
        size = isMoved ? after : before;
    }

    private boolean isThere() {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** The position in the output behind the last line that was looked at. */
    long place() {
        return place;
    }

    boolean isSaid(OutputFollower.Line line) {
        return line.text().startsWith(prefix);
    }

    /** Moves those of the lines that are said, and are not moved. */
    void move(List<OutputFollower.Line> lines) throws IOException {
        var said = new StringBuilder();
        long end = place;
        for (var line : lines) {
            if (line.isLast() && line.end() > place) {
                said.append(isSaid(line) ? line.text().substring(prefix.length()) + "\n" : "");
                end = line.end();
            }
        }
        if (!said.isEmpty()) {
            append(said.toString().getBytes(UTF_8), end);
        }
        place = end;
    }

    private void append(byte[] said, long end) throws IOException {
        folder.saveMoved(place + " " + size + " " + end + " " + (size + said.length));
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            PrivateFiles.createFile(file);
        } else if (!isThere()) {
            return;
        }
        var how = Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try (var say = FileChannel.open(file, how)) {
            // What a server that was killed has written of these lines is written over.
            var bytes = ByteBuffer.wrap(said);
            while (bytes.hasRemaining()) {
                say.write(bytes, size + bytes.position());
            }
        }
        size += said.length;
    }

    /** The output up to here is done with, and may be dropped. */
    void save() throws IOException {
        folder.saveMoved(place + " " + size + " " + place + " " + size);
    }
}
