// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.cli.terminal.Key.Kind;
import io.longhaul.cli.terminal.Tty.Size;
import io.longhaul.cli.terminal.Tty.WindowEvent;
import io.longhaul.cli.terminal.Window.Line;
import io.longhaul.cli.terminal.Window.Style;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The terminal as a window, and its keys. */
class WindowTest {
    private static final String OPENED = "\u001b[?1049h\u001b[?25l\u001b[?7l";
    private static final String CLOSED = "\u001b[?7h\u001b[?25h\u001b[?1049l";
    private static final List<Line> LINES = List.of(
            new Line("head", Style.HEADING),
            new Line("row \u001b[2J", Style.MARKED),
            new Line("bad", Style.BAD),
            Line.plain("foot"));

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final TestTty tty = new TestTty();
    private final List<WindowEvent> heard = new ArrayList<>();

    private Window window(Map<String, String> env) {
        var out = Screen.of(new PrintStream(written, true, StandardCharsets.UTF_8));
        var facts = new Terminal.Facts(true, true, true, 80);
        return new Window(new Terminal(InputStream.nullInputStream(), out, out, facts, env, tty), heard::add);
    }

    private String text() {
        var text = written.toString(StandardCharsets.UTF_8);
        written.reset();
        return text;
    }

    @Test
    void a_window_is_given_back_as_it_was() throws IOException {
        try (var window = window(Map.of())) {
            window.open();
            assertThat(text()).isEqualTo(OPENED);
        }
        assertThat(text()).isEqualTo(CLOSED);
        assertThat(tty.done()).containsExactly("keys", "lines");
    }

    @Test
    void an_error_gives_it_back_too() {
        assertThatThrownBy(() -> {
                    try (var window = window(Map.of())) {
                        window.open();
                        throw new IllegalStateException("bug");
                    }
                })
                .hasMessage("bug");
        assertThat(text()).isEqualTo(OPENED + CLOSED);
        assertThat(tty.done()).containsExactly("keys", "lines");
    }

    @Test
    void a_terminal_without_single_keys_is_left_alone() {
        tty.withoutKeys();
        var window = window(Map.of());
        assertThatThrownBy(window::open).isInstanceOf(IOException.class);
        window.close();
        assertThat(text()).isEmpty();
    }

    @Test
    void the_shell_has_the_terminal_while_the_program_is_stopped() throws IOException {
        try (var window = window(Map.of())) {
            window.open();
            tty.happen(WindowEvent.STOPPING);
            assertThat(heard).containsExactly(WindowEvent.STOPPING);
            window.stop();
            assertThat(tty.done()).containsExactly("keys", "lines", "stopped", "keys");
            window.renew();
        }
        assertThat(text()).isEqualTo((OPENED + CLOSED).repeat(3));
    }

    @Test
    void lines_are_drawn_when_they_have_changed_and_do_no_harm() throws IOException {
        try (var window = window(Map.of())) {
            window.open();
            text();
            window.draw(LINES);
            assertThat(text())
                    .isEqualTo("\u001b[H\u001b[K\u001b[1mhead\u001b[0m"
                            + "\r\n\u001b[K\u001b[7mrow \\u001b[2J\u001b[0m"
                            + "\r\n\u001b[K\u001b[31mbad\u001b[0m"
                            + "\r\n\u001b[Jfoot");
            window.draw(LINES);
            assertThat(text()).isEmpty();
            tty.resize(40, 10);
            assertThat(heard).containsExactly(WindowEvent.RESIZED);
            window.measure();
            assertThat(window.size()).isEqualTo(new Size(40, 10));
            window.draw(LINES);
            assertThat(text()).contains("head");
        }
    }

    @Test
    void nothing_is_coloured_where_nobody_wants_colours() throws IOException {
        for (var env : List.of(Map.of("NO_COLOR", "1"), Map.of("TERM", "dumb"))) {
            try (var window = window(env)) {
                window.open();
                window.draw(LINES);
            }
            assertThat(text()).contains("\u001b[7mrow", "\u001b[Kbad\r\n").doesNotContain("\u001b[31m");
        }
    }

    @Test
    void keys_are_read_from_what_terminals_send() throws IOException {
        assertThat(keys("q\r\u007fz")).containsExactly("q", "ENTER", "ERASE", "z");
        assertThat(keys("é€\ud83d\ude00")).containsExactly("é", "€", "\ud83d\ude00");
        assertThat(keys("\u001b[A\u001b[B\u001bOA\u001bOB\u001b[5~\u001b[6~"))
                .containsExactly("UP", "DOWN", "UP", "DOWN", "PAGE_UP", "PAGE_DOWN");
        assertThat(keys("\u001b[H\u001bOF\u001b[1~\u001b[4~\u001b"))
                .containsExactly("HOME", "END", "HOME", "END", "ESCAPE");
        assertThat(keys("\u001b[1;5C\u001b[15~\u001bx\u0001z")).containsExactly("z");
    }

    private static List<String> keys(String sent) throws IOException {
        var reader = new KeyReader(new ByteArrayInputStream(sent.getBytes(StandardCharsets.UTF_8)));
        var keys = new ArrayList<String>();
        for (var key = reader.next(); key.isPresent(); key = reader.next()) {
            keys.add(
                    key.get().kind() == Kind.TEXT
                            ? key.get().text()
                            : key.get().kind().name());
        }
        return keys;
    }
}
