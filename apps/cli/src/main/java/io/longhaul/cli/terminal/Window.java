// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import io.longhaul.cli.terminal.Tty.Keys;
import io.longhaul.cli.terminal.Tty.Size;
import io.longhaul.cli.terminal.Tty.WindowEvent;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The whole terminal as a window, which is given back as it was. For one thread. */
public final class Window implements AutoCloseable {
    private static final Size USUAL = new Size(80, 24);

    private final Terminal terminal;
    private final Consumer<WindowEvent> listener;
    private Size size = USUAL;
    private @Nullable Keys keys;
    private List<Line> drawn = List.of();

    public record Line(String text, Style style) {
        public static Line plain(String text) {
            return new Line(text, Style.PLAIN);
        }
    }

    /** The style of a line. Without colours, only {@link #MARKED} and {@link #HEADING} are visible. */
    public enum Style {
        PLAIN(""),
        HEADING("1"),
        MARKED("7"),
        GOOD("32"),
        ASKING("33"),
        BAD("31");

        /** The parameter of ECMA-48's "select graphic rendition". */
        final String rendition;

        Style(String rendition) {
            this.rendition = rendition;
        }

        boolean isColour() {
            return this == GOOD || this == ASKING || this == BAD;
        }
    }

    /** @param listener receives the events of the open window, on any thread */
    public Window(Terminal terminal, Consumer<WindowEvent> listener) {
        this.terminal = terminal;
        this.listener = listener;
    }

    /**
     * Takes the terminal.
     *
     * @throws IOException where the terminal cannot give single keys
     */
    public void open() throws IOException {
        keys = terminal.tty().keys(listener);
        terminal.out().openWindow();
        measure();
    }

    /** Reads the present size. */
    public void measure() {
        size = terminal.tty().size().orElse(USUAL);
        drawn = List.of();
    }

    public Size size() {
        return size;
    }

    /** Shows these lines and nothing else. */
    public void draw(List<Line> lines) {
        if (!lines.equals(drawn)) {
            terminal.out().draw(lines, terminal.colours());
            drawn = lines;
        }
    }

    /** Gives the terminal to the shell until the user comes back. */
    public void stop() throws IOException {
        close();
        terminal.tty().stop();
        open();
    }

    /** Takes the terminal again, because another program may have changed it meanwhile. */
    public void renew() throws IOException {
        close();
        open();
    }

    @Override
    public void close() {
        if (keys != null) {
            terminal.out().closeWindow();
            keys.close();
            keys = null;
        }
    }
}
