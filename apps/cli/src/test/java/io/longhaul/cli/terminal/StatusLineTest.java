// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.TaskView.ProgressView;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StatusLineTest {
    /** What is drawn; a longer line would be cut, because only one line can be erased. */
    private static final String LINE = "\r\u001b[K\u001b[?7l[============>           ]  50%  half  0s\u001b[?7h";

    private Instant now = Instant.EPOCH.plusSeconds(1_000);

    @Test
    void on_a_terminal_one_line_is_drawn_over() {
        var user = TestTerminal.interactive();
        var status = new StatusLine(user.terminal(), () -> now);
        status.update(new ProgressView(1, 2.0, null), "half");
        status.print("a log line");
        status.end();
        assertThat(user.err()).isEqualTo(LINE + "\r\u001b[Ka log line\n" + LINE + LINE + "\n");
    }

    @Test
    void nothing_is_drawn_while_a_question_is_asked() {
        var user = TestTerminal.interactive();
        var status = new StatusLine(user.terminal(), () -> now);
        status.pause();
        status.update(new ProgressView(1, 2.0, null), "half");
        assertThat(user.err()).isEmpty();
        status.resume();
        assertThat(user.err()).contains("half");
    }

    @Test
    void nothing_is_drawn_any_more_when_a_question_is_left_open_at_the_end() {
        var user = TestTerminal.interactive();
        var status = new StatusLine(user.terminal(), () -> now);
        status.update(new ProgressView(1, 2.0, null), "half");
        status.pause();
        status.end();
        var before = user.err();
        status.resume();
        assertThat(user.err()).isEqualTo(before);
    }

    @Test
    void without_a_terminal_there_is_at_most_one_plain_line_a_second() {
        var user = TestTerminal.silent();
        var status = new StatusLine(user.terminal(), () -> now);
        status.update(new ProgressView(1, 4.0, null), "a");
        status.update(new ProgressView(2, 4.0, null), "b");
        now = now.plusSeconds(1);
        status.update(new ProgressView(3, 4.0, null), "c");
        status.update(new ProgressView(4, 4.0, null), "d");
        status.end();
        assertThat(user.err()).isEqualTo("25% a\n75% c\n100% d\n");
    }

    @Test
    void a_message_that_is_printed_next_is_not_left_behind() {
        var user = TestTerminal.silent();
        var status = new StatusLine(user.terminal(), () -> now);
        status.update(new ProgressView(1, 4.0, null), "a");
        status.update(new ProgressView(2, 4.0, null), "b");
        status.end("a line\nb (-32603)");
        assertThat(user.err()).isEqualTo("25% a\n50%\n");
    }
}
