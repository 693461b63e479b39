// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import io.longhaul.cli.terminal.Screen;
import io.longhaul.file.settings.Recording;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The destination of this process's log. At first, each line goes to standard error at once. One thread writes the
 * lines of a server, so that calls do not wait for a terminal or a disk. Thread-safe.
 */
public final class LogOutput implements AutoCloseable {

    private static final LogOutput AT_ONCE = new LogOutput(null, null, false);

    private static volatile LogOutput present = AT_ONCE;

    private final @Nullable Level lowest;
    private final @Nullable BackgroundLines lines;
    private final boolean json;

    private LogOutput(@Nullable Level lowest, @Nullable BackgroundLines lines, boolean json) {
        this.lowest = lowest;
        this.lines = lines;
        this.json = json;
    }

    /**
     * Has this process log in this way until the output is closed.
     *
     * @param lowest the lowest level that is written; empty for the level of the environment
     * @throws IOException with words for the user where the file cannot be written
     */
    public static LogOutput begin(Optional<Level> lowest, Recording.Log log) throws IOException {
        BackgroundLines.Target target = LogOutput::print;
        var path = log.files().path();
        if (path.isPresent()) {
            try {
                target = new RotatedFile(
                                path.get(), log.files().bytes(), log.files().keep())
                        .open();
            } catch (IOException e) {
                throw new IOException(
                        "the log " + path.get() + " cannot be written (" + e.getMessage()
                                + "): name another file with --log-file",
                        e);
            }
        }
        var lines = new BackgroundLines(
                "log", target, count -> count + " lines of the log were lost here: they came faster than written");
        var begun = new LogOutput(lowest.orElse(null), lines, log.json());
        present = begun;
        return begun;
    }

    private static void print(byte[] lines) {
        Screen.standardError().print(new String(lines, StandardCharsets.UTF_8));
    }

    static LogOutput present() {
        return present;
    }

    /** @param usual the level of the environment */
    int lowest(int usual) {
        return lowest == null ? usual : lowest.toInt();
    }

    void add(LogLine line) {
        if (lines == null) {
            Screen.standardError().print(line.text() + System.lineSeparator());
        } else {
            lines.add(json ? line::json : line::text);
        }
    }

    /** Writes the waiting lines; later lines go to standard error at once. */
    @Override
    public void close() {
        present = AT_ONCE;
        if (lines != null) {
            lines.close();
        }
    }
}
