package io.longhaul.backend.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

    @TempDir
    Path folder;

    @Test
    void output_under_its_cap_is_whole_over_all_its_files() throws IOException {
        write("out.0", "abc");
        write("out.3", "de");
        var output = new OutputFiles(folder).capture(5);
        assertThat(output.isCut()).isFalse();
        assertThat(output.text()).isEqualTo("abcde");
    }

    @Test
    void longer_output_keeps_its_first_and_last_half_and_says_what_is_missing() throws IOException {
        write("out.0", "abcdefgh");
        write("out.100", "qrstuvw");
        write("out.107", "xyz");
        var output = new OutputFiles(folder).capture(9);
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
            assertThat(new JobOutput(head, 10, tail).text())
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
        assertThat(new OutputFiles(folder).capture(10).text()).isEmpty();
    }

    @Test
    void reading_goes_on_behind_a_gap_and_tells_where() throws IOException {
        write("out.0", "abc");
        write("out.100", "xyz");
        var files = new OutputFiles(folder);
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
    void lines_end_with_a_feed_a_return_or_both_wherever_the_reading_is_split() {
        var bytes = "one\r\ntwo\r\rthree\n\nü\nrest".getBytes(UTF_8);
        for (int split = 0; split <= bytes.length; split++) {
            var lines = new ArrayList<String>();
            var splitter = new LineSplitter(7, false);
            splitter.add(Arrays.copyOf(bytes, split), line -> lines.add(line.text()));
            splitter.add(Arrays.copyOfRange(bytes, split, bytes.length), line -> lines.add(line.text()));
            assertThat(splitter.position()).isEqualTo(7 + bytes.length);
            splitter.finish(splitter.position(), line -> lines.add(line.text()));
            assertThat(lines).containsExactly("one", "two", "", "three", "", "ü", "rest");
        }
    }

    @Test
    void codes_for_a_terminal_are_left_out_of_lines() {
        var lines = new ArrayList<String>();
        new LineSplitter(0, false)
                .add("\u001b[1;32mok\u001b[0m\u001b[K\n".getBytes(UTF_8), line -> lines.add(line.text()));
        assertThat(lines).isEqualTo(List.of("ok"));
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
