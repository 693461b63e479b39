// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.logging.StandardErrorLogging;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private static final String HOSTILE = "\u001b[2J\u009b31m\u202eend";
    private static final String HARMLESS = "\\u001b[2J\\u009b31m\\u202eend";

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(written, true, StandardCharsets.UTF_8);

    @Test
    void whatever_is_printed_is_harmless() {
        var screen = Screen.of(stream);
        screen.println(HOSTILE);
        screen.print(HOSTILE);
        screen.redraw(HOSTILE, false);
        assertThat(text()).isEqualTo(HARMLESS + "\n" + HARMLESS + "\r\u001b[K\u001b[?7l" + HARMLESS + "\u001b[?7h");
    }

    @Test
    void results_go_into_a_file_as_they_are_and_harmless_to_a_terminal() {
        Screen.ofResults(stream, false).println(HOSTILE);
        Screen.ofResults(stream, true).println(HOSTILE);
        assertThat(text()).isEqualTo(HOSTILE + "\n" + HARMLESS + "\n");
    }

    @Test
    void logs_and_stack_traces_are_harmless() {
        var before = System.err;
        Screen.of(stream).becomeStandardError();
        try {
            var log = new StandardErrorLogging().getLoggerFactory().getLogger("test");
            log.warn("a server says {} größe", HOSTILE + "\r\nlonghaul: FAKE");
            new IllegalStateException("thrown " + HOSTILE).printStackTrace();
        } finally {
            System.setErr(before);
        }
        Screen.of(stream).trace(new IllegalStateException("traced " + HOSTILE));
        assertThat(text())
                .contains("a server says " + HARMLESS + " longhaul: FAKE größe")
                .contains("thrown " + HARMLESS + "\n")
                .contains("traced " + HARMLESS + "\n\tat io.longhaul.cli.terminal.ScreenTest")
                .doesNotContain("\u001b", "\u009b", "\u202e");
    }

    @Test
    void after_what_a_file_has_not_taken_nothing_more_is_written_there() {
        var isFull = new AtomicBoolean(true);
        var screen = Screen.ofResults(
                new FilterOutputStream(stream) {
                    @Override
                    public void write(byte[] bytes) throws IOException {
                        if (isFull.getAndSet(false)) {
                            throw new IOException("No space left on device");
                        }
                        super.write(bytes);
                    }
                },
                false);
        for (int line = 0; line < 2; line++) {
            assertThatThrownBy(() -> screen.println("lost"))
                    .isInstanceOf(Problem.class)
                    .hasMessage("the output cannot be written: No space left on device");
        }
        assertThat(text()).isEmpty();
    }

    @Test
    void a_reader_that_has_left_is_told_apart_from_output_that_is_lost() {
        var screen = Screen.ofResults(
                new FilterOutputStream(stream) {
                    @Override
                    public void write(byte[] bytes) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                },
                false);
        assertThatThrownBy(() -> screen.println("unread"))
                .isInstanceOf(Problem.class)
                .hasMessage("the reader of the output has left");
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
