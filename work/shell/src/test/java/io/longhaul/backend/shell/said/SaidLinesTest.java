// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.said;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.said.SaidLines.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SaidLinesTest {

    @TempDir
    private Path home;

    private TaskFolder folder;

    @BeforeEach
    void folder() throws IOException {
        folder = new TaskFolder(home.resolve("task"));
        folder.prepare("{}".getBytes(UTF_8));
    }

    private void says(String text) throws IOException {
        Files.writeString(folder.say(), text, StandardOpenOption.APPEND);
    }

    private static List<String> texts(List<Line> lines) {
        return lines.stream().map(line -> new String(line.bytes(), UTF_8)).toList();
    }

    @Test
    void a_line_is_read_when_it_is_whole_and_once() throws IOException {
        var lines = new SaidLines(folder, 0);
        says("one\ntw");
        assertThat(texts(lines.next())).containsExactly("one");
        assertThat(lines.next()).isEmpty();
        says("o\n\nthree\n");
        assertThat(texts(lines.next())).containsExactly("two", "three");
        assertThat(lines.last()).isEmpty();
    }

    @Test
    void the_next_server_goes_on_behind_the_lines_that_are_done_with() throws IOException {
        says("one\ntwo\nthree");
        var lines = new SaidLines(folder, 0);
        lines.saveDone(lines.next().getFirst().end());
        var next = new SaidLines(folder, 0);
        assertThat(texts(next.next())).containsExactly("two");
        assertThat(next.last().map(Line::bytes)).hasValue("three".getBytes(UTF_8));
    }

    @Test
    void a_piece_that_was_emitted_before_a_crash_is_passed_over_and_one_that_was_not_comes_again() throws IOException {
        says("before\npiece\nafter\n");
        var lines = new SaidLines(folder, 3);
        lines.saveEmitting(lines.next().get(1));
        assertThat(texts(new SaidLines(folder, 4).next())).containsExactly("after");
        assertThat(texts(new SaidLines(folder, 3).next())).containsExactly("piece", "after");
    }

    @Test
    void a_line_without_an_end_takes_no_more_memory_than_the_longest_and_the_next_one_is_read() throws IOException {
        says("x".repeat(3 * SaidLines.LONGEST) + "\nnext\n");
        var lines = new SaidLines(folder, 0);
        var read = lines.next();
        assertThat(read.getFirst().bytes()).hasSize(SaidLines.LONGEST);
        assertThat(texts(read)).last().isEqualTo("next");
    }

    @Test
    void a_command_that_writes_the_file_anew_is_read_from_its_beginning() throws IOException {
        says("a long first line\n");
        var lines = new SaidLines(folder, 0);
        lines.next();
        Files.writeString(folder.say(), "short\n");
        assertThat(texts(lines.next())).containsExactly("short");
    }

    @Test
    void a_link_in_place_of_the_file_is_not_read() throws IOException {
        var other = Files.writeString(home.resolve("other"), "secret\n");
        Files.delete(folder.say());
        Files.createSymbolicLink(folder.say(), other);
        assertThat(new SaidLines(folder, 0).next()).isEmpty();
    }

    @Test
    void a_position_that_the_command_has_spoilt_is_the_beginning() throws IOException {
        says("one\n");
        folder.saveHeard("99999999999999999999 x");
        assertThat(texts(new SaidLines(folder, 0).next())).containsExactly("one");
    }
}
