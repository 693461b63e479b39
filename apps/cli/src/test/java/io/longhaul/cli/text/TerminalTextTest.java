// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.TaskView.ProgressView;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TerminalTextTest {
    @Test
    void control_characters_of_a_server_do_nothing_to_a_terminal() {
        assertThat(SafeText.line("a\u001b[2Jb\rc\u0007\u009bd\u202ee\nf"))
                .isEqualTo("a\\u001b[2Jb\\u000dc\\u0007\\u009bd\\u202ee f");
        assertThat(SafeText.block("one\r\n\ttwo\u0000")).isEqualTo("one\n\ttwo\\u0000");
    }

    @Test
    void text_that_is_harmless_stays_as_it_is() {
        assertThat(SafeText.line("größe 東京 🙂")).isEqualTo("größe 東京 🙂");
    }

    @Test
    void progress_is_a_bar_that_fits_its_line() {
        var half = new ProgressView(5, 10.0, null);
        assertThat(ProgressLine.bar(half, "reading", Duration.ofSeconds(72), 79))
                .isEqualTo("[============>           ]  50%  reading  1m12s");
        assertThat(ProgressLine.bar(half, "x".repeat(200), Duration.ofHours(2), 79))
                .hasSize(79)
                .endsWith("...  2h00m");
        assertThat(ProgressLine.bar(half, "reading", Duration.ZERO, 40)).isEqualTo(" 50%  reading  0s");
    }

    @Test
    void characters_that_take_two_columns_or_none_are_counted_so() {
        assertThat(SafeText.fit("進捗進捗", 8)).isEqualTo("進捗進捗");
        assertThat(SafeText.fit("進捗進捗", 7)).isEqualTo("進捗...");
        assertThat(SafeText.fit("進捗進捗", 6)).isEqualTo("進...");
        assertThat(SafeText.fit("🙂🙂🙂", 5)).isEqualTo("🙂...");
        assertThat(SafeText.fit("e\u0301e\u0301e\u0301", 3)).isEqualTo("e\u0301e\u0301e\u0301");
    }

    @Test
    void progress_without_a_total_is_a_number() {
        assertThat(ProgressLine.bar(new ProgressView(7, null, null), "files", Duration.ZERO, 79))
                .isEqualTo("7  files  0s");
        assertThat(ProgressLine.plain(new ProgressView(7.25, null, null), "")).isEqualTo("7.3");
    }

    @Test
    void a_total_that_is_exceeded_is_none() {
        assertThat(ProgressLine.plain(new ProgressView(10, 10.0, null), "done")).isEqualTo("100% done");
        var some = new ProgressView(5, 100.0, null);
        assertThat(ProgressLine.plain(some, "5%: reading")).as("once").isEqualTo("5% reading");
        assertThat(ProgressLine.plain(some, "5%: reading [ 5%]")).isEqualTo("reading [ 5%]");
        assertThat(ProgressLine.plain(some, "15% of a file")).isEqualTo("5% 15% of a file");
        assertThat(ProgressLine.plain(new ProgressView(3, null, null), "3: frame=50"))
                .isEqualTo("3 frame=50");
        assertThat(ProgressLine.bar(some, "5%: reading", Duration.ZERO, 40)).isEqualTo("  5%  reading  0s");
        assertThat(ProgressLine.plain(new ProgressView(12, 10.0, null), "done")).isEqualTo("12 done");
        assertThat(ProgressLine.plain(new ProgressView(12, 0.0, null), "done")).isEqualTo("12 done");
    }
}
