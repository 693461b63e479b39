// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import io.longhaul.cli.text.ProgressLine;
import io.longhaul.protocol.call.TaskView.ProgressView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Shows progress on standard error: one redrawn line on a terminal, plain lines from time to time elsewhere.
 * Thread-safe.
 */
public final class StatusLine {
    private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(1);

    private final Terminal terminal;
    private final InstantSource clock;
    private final Instant start;
    private @Nullable ProgressView progress;
    private String message = "";
    private String lastPlain = "";
    private Instant plainAt = Instant.EPOCH;
    private boolean begun;
    private boolean shown;
    private boolean paused;
    private boolean ended;

    public StatusLine(Terminal terminal, InstantSource clock) {
        this.terminal = terminal;
        this.clock = clock;
        this.start = clock.instant();
    }

    /** Shows a new state; a null value keeps the earlier one. */
    public synchronized void update(@Nullable ProgressView newProgress, @Nullable String newMessage) {
        progress = newProgress == null ? progress : newProgress;
        message = newMessage == null ? message : newMessage;
        begun = true;
        if (terminal.facts().showsErr()) {
            draw();
        } else {
            log(false);
        }
    }

    /** Draws again, with the time that has passed. */
    public synchronized void refresh() {
        if (begun && terminal.facts().showsErr()) {
            draw();
        }
    }

    /** Prints a line above. */
    public synchronized void print(String line) {
        erase();
        terminal.err().println(line);
        refresh();
    }

    /** Tells the user a line of this program, as {@link Terminal#say} does. */
    public void say(String line) {
        print("longhaul: " + line);
    }

    /** Hides the line while a question is asked. */
    public synchronized void pause() {
        erase();
        paused = true;
    }

    public synchronized void resume() {
        paused = ended;
        refresh();
    }

    public void end() {
        end("");
    }

    /**
     * Leaves the last state on the screen, and shows nothing more.
     *
     * @param printed the text that is printed next: a message with which one of its lines begins is not shown here, too
     */
    public synchronized void end(String printed) {
        message = printed.lines().anyMatch(line -> line.startsWith(message)) ? "" : message;
        if (shown) {
            draw();
            terminal.err().println();
        } else if (begun && !terminal.facts().showsErr()) {
            log(true);
        }
        shown = false;
        paused = true;
        ended = true;
    }

    private void draw() {
        if (paused) {
            return;
        }
        var line = ProgressLine.bar(
                progress,
                message,
                Duration.between(start, clock.instant()),
                terminal.facts().width() - 1);
        terminal.err().redraw(line, terminal.colours());
        shown = true;
    }

    private void erase() {
        if (shown) {
            terminal.err().eraseLine();
            shown = false;
        }
    }

    private void log(boolean last) {
        var line = ProgressLine.plain(progress, message);
        var now = clock.instant();
        if (!line.isEmpty() && !line.equals(lastPlain) && (last || !now.isBefore(plainAt.plus(PLAIN_INTERVAL)))) {
            terminal.err().println(line);
            lastPlain = line;
            plainAt = now;
        }
    }
}
