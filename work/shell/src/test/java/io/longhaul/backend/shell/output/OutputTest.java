// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.backend.shell.text.LineSplitter;
import io.longhaul.backend.shell.text.TerminalText;
import io.longhaul.backend.shell.text.TextEncoding;
import io.longhaul.engine.secret.SecretMask;
import io.longhaul.engine.task.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {

    private static final TextEncoding UTF_8_OR_LIKELY = new TextEncoding(null);

    @TempDir
    Path folder;

    @Test
    void output_under_its_cap_is_whole_over_all_its_files() throws IOException {
        write("out.0", "abc");
        write("out.3", "de");
        var output = OutputFiles.output(folder).capture(5, SecretMask.NONE, UTF_8_OR_LIKELY, false);
        assertThat(output.isCut()).isFalse();
        assertThat(output.text()).isEqualTo("abcde");
    }

    @Test
    void longer_output_keeps_its_first_and_last_half_and_says_what_is_missing() throws IOException {
        write("out.0", "abcdefgh");
        write("out.100", "qrstuvw");
        write("out.107", "xyz");
        var output = OutputFiles.output(folder).capture(9, SecretMask.NONE, UTF_8_OR_LIKELY, false);
        assertThat(new String(output.head(), UTF_8)).isEqualTo("abcde");
        assertThat(output.cutBytes()).isEqualTo(101);
        assertThat(new String(output.tail(), UTF_8)).isEqualTo("wxyz");
        assertThat(output.text()).isEqualTo("abcde\n[... 101 bytes of output cut here ...]\nwxyz");
    }

    @Test
    void a_character_that_the_cut_goes_through_is_dropped_and_counted() {
        var train = "🚂".getBytes(UTF_8);
        for (int kept = 1; kept < train.length; kept++) {
            var head = bytes("ä".getBytes(UTF_8), Arrays.copyOf(train, kept));
            var tail = bytes(Arrays.copyOfRange(train, train.length - kept, train.length), "é".getBytes(UTF_8));
            assertThat(new JobOutput(head, 10, tail, false).text())
                    .isEqualTo("ä\n[... " + (10 + 2 * kept) + " bytes of output cut here ...]\né");
        }
    }

    private static byte[] bytes(byte[] first, byte[] second) {
        var both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void a_job_without_output_has_an_empty_one() throws IOException {
        assertThat(OutputFiles.output(folder)
                        .capture(10, SecretMask.NONE, UTF_8_OR_LIKELY, false)
                        .text())
                .isEmpty();
    }

    @Test
    void reading_goes_on_behind_a_gap_and_tells_where() throws IOException {
        write("out.0", "abc");
        write("out.100", "xyz");
        var files = OutputFiles.output(folder);
        assertThat(files.read(1, 10).bytes()).asString(UTF_8).isEqualTo("bc");
        assertThat(files.read(3, 2).position()).isEqualTo(100);
        assertThat(files.read(3, 2).bytes()).asString(UTF_8).isEqualTo("xy");
        assertThat(files.read(103, 2).isEmpty()).isTrue();
    }

    @Test
    void one_file_always_holds_half_of_the_cap_and_a_block() {
        for (int cap : new int[] {1, 1 << 20, 5_000_001, Integer.MAX_VALUE}) {
            assertThat(OutputFiles.room(cap))
                    .isGreaterThanOrEqualTo(cap / 2L + 4096)
                    .isGreaterThanOrEqualTo(262_144);
            assertThat(OutputFiles.room(cap) % 4096).isZero();
        }
    }

    @Test
    void a_line_ends_with_a_feed_and_a_state_of_it_with_a_return_wherever_the_reading_is_split() {
        var bytes = "one\r\n10%\r\r20%\n\nü\r\rrest".getBytes(UTF_8);
        for (int split = 0; split <= bytes.length; split++) {
            var lines = new ArrayList<String>();
            var splitter = new LineSplitter(7);
            splitter.add(Arrays.copyOf(bytes, split), line -> lines.add(told(line)));
            splitter.add(Arrays.copyOfRange(bytes, split, bytes.length), line -> lines.add(told(line)));
            assertThat(splitter.position()).isEqualTo(7 + bytes.length);
            splitter.finish(splitter.position(), line -> lines.add(told(line)));
            assertThat(lines).containsExactly("one", "one.", "10%", "20%.", ".", "ü", "rest.");
        }
    }

    /** With a full stop where the line ends. */
    private static String told(LineSplitter.Line line) {
        return new String(line.bytes(), UTF_8) + (line.isLast() ? "." : "");
    }

    @Test
    void a_progress_bar_that_ends_without_a_line_feed_has_a_last_state() {
        var lines = new ArrayList<String>();
        var splitter = new LineSplitter(0);
        splitter.add("99%\r100%\r".getBytes(UTF_8), line -> lines.add(told(line)));
        splitter.finish(splitter.position(), line -> lines.add(told(line)));
        assertThat(lines).containsExactly("99%", "100%", "100%.");
    }

    @Test
    void codes_for_a_terminal_are_left_out_of_text() {
        var colours = "\u001b[1;32mok\u001b[0m\u001b[K";
        var title = "\u001b]0;a title\u0007";
        var link = "\u001b]8;;https://example.com\u001b\\text\u001b]8;;\u001b\\";
        var others = "\u001b(B\u001b7\u001b=\u009b31mred\u001bPq#0\u001b\\\u0007";
        assertThat(TerminalText.plain(colours + title + "\n" + link + "\t" + others + "\n"))
                .isEqualTo("ok\ntext\tred\n");
        assertThat(TerminalText.plain("broken off \u001b[3")).isEqualTo("broken off 3");
    }

    @Test
    void of_a_line_that_was_written_over_the_last_state_stays() {
        assertThat(TerminalText.plain("before\n 10%|#   |\r 20%|##  |\r100%|####|\nafter\r\n"))
                .isEqualTo("before\n100%|####|\nafter\n");
        assertThat(TerminalText.plain("100%\r")).isEqualTo("100%");
        assertThat(TerminalText.plain("ab\b\b\b|\b/\b-\nx")).isEqualTo("-\nx");
    }

    @Test
    void raw_text_keeps_both() {
        var raw = "\u001b[1m10%\r20%\u001b[0m\n";
        assertThat(new JobOutput(raw.getBytes(UTF_8), 0, new byte[0], true).text())
                .isEqualTo(raw);
    }

    @Test
    void output_is_binary_by_a_zero_byte_its_first_bytes_or_many_that_are_no_text() {
        assertThat(binary("a\0b".getBytes(UTF_8))).isEqualTo("application/octet-stream");
        assertThat(binary("%PDF-1.7 and text".getBytes(UTF_8))).isEqualTo("application/pdf");
        assertThat(binary("\u0089PNG\r\n\u001a\nrest".getBytes(ISO_8859_1))).isEqualTo("image/png");
        assertThat(binary("RIFF1234WEBPrest".getBytes(ISO_8859_1))).isEqualTo("image/webp");
        assertThat(binary("\u00e9\u00e8\u00ff".getBytes(ISO_8859_1))).isEqualTo("application/octet-stream");
        assertThat(binary("une ligne de texte en latin 1, \u00e9crite en fran\u00e7ais".getBytes(ISO_8859_1)))
                .isEqualTo("text");
        assertThat(binary("ünïcödé 漢字 🚂".getBytes(UTF_8))).isEqualTo("text");
        assertThat(binary(new byte[0])).isEqualTo("text");
    }

    private static String binary(byte[] bytes) {
        var output = new JobOutput(bytes, 0, new byte[0], false);
        return output.isBinary() ? output.mimeType() : "text";
    }

    @Test
    void a_secret_is_masked_whole_by_its_lines_and_where_output_is_cut_through_it() throws IOException {
        var masking = SecretMask.of(List.of("s3cret", "first-line-of-key\nsecond-line-of-key\n}"));
        write("out.0", "token=s3cret; first-line-of-key {} s3");
        write("out.100", "ret and more s3cret" + ".".repeat(18));
        var output = OutputFiles.output(folder).capture(74, masking, UTF_8_OR_LIKELY, false);
        assertThat(output.text())
                .startsWith("token=***; *** {} ***\n[")
                .endsWith("]\n*** and more ***" + ".".repeat(18));
    }

    @Test
    void progress_is_found_by_named_groups() {
        assertThat(ProgressPattern.of("(?<current>[\\d,]+)/(?<total>\\S+)(?: (?<message>.+))?")
                        .find("at 1,024/2048 x"))
                .contains(new Progress(1024, 2048.0, "x"));
        assertThat(ProgressPattern.of("(?<current>\\d+)/(?<total>\\S+)").find("3/many"))
                .contains(new Progress(3, null, null));
        assertThat(ProgressPattern.of("(?<percent>[\\d.]+)%").find("99.5% done"))
                .contains(new Progress(99.5, 100.0, null));
        assertThat(ProgressPattern.of("(?<percent>\\S+)%").find("NaN%")).isEmpty();
        assertThat(ProgressPattern.of("(?<percent>\\d+)%").find("nothing")).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> ProgressPattern.of("\\d+"));
        assertThatIllegalArgumentException().isThrownBy(() -> ProgressPattern.of("("));
    }

    @Test
    void a_line_that_blows_a_pattern_up_is_no_match() {
        var line = "a".repeat(5_000) + "!";
        assertThat(ProgressPattern.of("(?<percent>1)?(a+)+$").find(line)).isEmpty();
        assertThat(ProgressPattern.of("(?<percent>1)?(a|b)*c").find(line)).isEmpty();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
