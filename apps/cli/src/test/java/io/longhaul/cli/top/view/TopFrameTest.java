// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import static io.longhaul.cli.top.view.Made.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.Key.Kind;
import io.longhaul.cli.terminal.Tty.Size;
import io.longhaul.cli.terminal.Window.Line;
import io.longhaul.cli.terminal.Window.Style;
import io.longhaul.cli.text.Elapsed;
import io.longhaul.cli.top.view.TopState.View;
import io.longhaul.protocol.call.TaskRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a window shows, in the files of {@code frames}, which are there to be read. {@code -Dframes.rewrite=true} writes
 * them anew.
 */
class TopFrameTest {
    private static final Path FRAMES = Path.of("src/test/resources/frames");
    private static final Size USUAL = new Size(80, 24);
    private static final String HOSTILE = "\u001b]0;gone\u0007\u001b[2J\u009b31m\u202e\r\nlonghaul: FAKE";

    private static final TaskRecord REPORT = Made.working("00d2-report", "report", 64, 42, "reading page 3");
    private static final TopState BUSY = Made.state(
            Made.asking("00d2-deploy", "deploy", 3_700),
            REPORT,
            Made.submitted("00d2-queued", "report", 2),
            Made.broken("00d2-slow", "migrate", 30, 3),
            Made.failing("00d2-bad", "lint", 40, 1),
            Made.completed("00d2-good", "report", 100, 70),
            Made.completed("00d2-old", "report", 90_000, 20));

    @Test
    void tasks_are_listed_below_the_figures() throws IOException {
        assertFrame("list", BUSY, NOW, USUAL);
    }

    @Test
    void a_task_that_a_person_declined_has_a_state_of_its_own_and_has_not_failed() {
        var state = Made.state(Made.declined("00d2-no", "deploy", 30, 20), Made.failing("00d2-bad", "lint", 40, 1));
        assertThat(text(state, NOW, USUAL))
                .contains("2 ended (1 failed)")
                .containsPattern("declined +30s +deploy +20s\n")
                .containsPattern("failed \\(tool\\) +40s +lint +1s\n");
    }

    @Test
    void a_narrow_window_keeps_state_age_and_tool() throws IOException {
        assertFrame("narrow", BUSY, NOW, new Size(40, 12));
    }

    @Test
    void an_operator_sees_the_owners() throws IOException {
        assertFrame("owners", Made.state(REPORT, Made.of("bob", Made.submitted("00d2-b", "lint", 5))), NOW, USUAL);
    }

    @Test
    void a_list_that_is_too_long_moves_with_the_selected_task() throws IOException {
        var many = Made.state(IntStream.range(0, 30)
                .mapToObj(i -> Made.submitted("id-%02d".formatted(i), "tool-" + i, i))
                .toArray(TaskRecord[]::new));
        var moved = many.with(many.board().moved(20));
        assertFrame("moved", moved, NOW, new Size(60, 12));
    }

    @Test
    void a_search_is_typed_at_the_foot() throws IOException {
        var state = BUSY;
        for (char key : "/state:live rep".toCharArray()) {
            state = TopKeys.press(state, Made.key(String.valueOf(key))).state();
        }
        assertFrame("find", state, NOW, USUAL);
    }

    @Test
    void a_task_is_shown_with_its_questions_and_its_history() throws IOException {
        var asking = Made.asking("00d2-deploy", "deploy", 125);
        var events = List.of(
                Made.event(1, 125, "created", "{}"),
                Made.event(2, 124, "started", "{\"attempt\":1}"),
                Made.event(3, 100, "progress", "{\"current\":1,\"progress\":1,\"total\":4,\"message\":\"building\"}"),
                Made.event(4, 90, "progress", "{\"current\":3,\"progress\":3,\"total\":4,\"message\":\"testing\"}"),
                Made.event(5, 80, "log", "{\"level\":\"warning\",\"data\":\"slow disk\"}"),
                Made.event(6, 60, "output", "{\"data\":\"first line\\nsecond line\\n\"}"),
                Made.event(7, 50, "asked", "{\"key\":\"release\"}"));
        assertFrame("asking", BUSY.with(new View.Whole(new TaskDetail(asking, events, 0, null, false), 0)), NOW, USUAL);
    }

    @Test
    void a_history_ends_with_the_result_and_can_be_scrolled_back() throws IOException {
        var result = """
                {"content":[{"type":"text","text":"Hello, Ada.\\nGood bye."},
                {"type":"image","mimeType":"image/png","data":"AAAA"},
                {"type":"resource_link","name":"report","uri":"file:///report.pdf"}]}""";
        var done = Made.with(result, Made.completed("00d2-good", "report", 100, 70));
        var events = IntStream.rangeClosed(1, 30)
                .mapToObj(i -> Made.event(i, 100 - i, "output", "{\"data\":\"line " + i + "\"}"))
                .toList();
        var whole = BUSY.with(new View.Whole(new TaskDetail(done, events, 0, null, true), 0));
        assertFrame("result", whole, NOW, USUAL);
        var back = TopKeys.press(whole, Made.key(Kind.PAGE_UP)).state();
        assertFrame("scrolled", back, NOW, USUAL);
        var first = TopKeys.press(whole, Made.key(Kind.HOME)).state();
        assertThat(text(first, NOW, USUAL)).contains("line 1\n");
    }

    @Test
    void a_server_that_is_away_is_one_line() throws IOException {
        var seen = BUSY.board();
        assertFrame(
                "away",
                BUSY.with(seen.with(seen.snapshot().troubled("The server is away"))),
                NOW.plusSeconds(8),
                USUAL);
        assertThat(text(BUSY, NOW.plusSeconds(5), USUAL)).contains("The server does not answer, for 5s.");
        assertThat(text(BUSY, NOW.plusSeconds(4), USUAL)).doesNotContain("does not answer");
    }

    @Test
    void the_help_names_every_key() throws IOException {
        assertFrame("help", BUSY.with(new View.Help()), NOW, USUAL);
    }

    @Test
    void a_file_gets_all_tasks_with_their_ids() throws IOException {
        assertText("once", String.join("\n", ListFrame.once(BUSY, NOW)));
    }

    @Test
    void rows_have_the_colour_of_what_they_need() {
        assertThat(style("deploy")).isEqualTo(Style.MARKED);
        assertThat(style("42% reading")).isEqualTo(Style.GOOD);
        assertThat(style("migrate")).isEqualTo(Style.BAD);
        assertThat(style("lint")).isEqualTo(Style.BAD);
        assertThat(style("submitted           2s")).isEqualTo(Style.PLAIN);
    }

    private static Style style(String words) {
        return TopFrame.of(BUSY, NOW, USUAL).stream()
                .filter(line -> line.text().contains(words))
                .findFirst()
                .orElseThrow()
                .style();
    }

    @Test
    void no_text_of_a_server_breaks_out_of_its_line() {
        var task = Made.of(HOSTILE, Made.working(HOSTILE, HOSTILE, 5, 1, HOSTILE));
        var quoted = HOSTILE.replace("\u001b", "\\u001b")
                .replace("\u0007", "\\u0007")
                .replace("\u009b", "\\u009b");
        var json = quoted.replace("\u202e", "\\u202e").replace("\r\n", "\\r\\n");
        var events = List.of(Made.event(1, 1, "log", "{\"level\":\"" + json + "\",\"data\":\"" + json + "\"}"));
        var state = Made.state(task, Made.of("other", REPORT)).saying(HOSTILE);
        var filtered = state.with(state.board().with(new ListFilter(HOSTILE)));
        for (var shown :
                List.of(state, filtered, state.with(new View.Whole(new TaskDetail(task, events, 0, null, false), 0)))) {
            var lines = TopFrame.of(shown, NOW, USUAL);
            assertThat(lines)
                    .hasSize(24)
                    .allSatisfy(line -> assertThat(line.text())
                            .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e", "\n", "\r")
                            .doesNotStartWith("longhaul: FAKE"));
        }
    }

    @Test
    void a_window_of_any_size_is_filled() {
        for (int rows = 1; rows < 12; rows++) {
            assertThat(TopFrame.of(BUSY, NOW, new Size(rows, rows))).hasSize(Math.max(2, rows));
        }
    }

    @Test
    void ages_have_two_units_at_most() {
        assertThat(List.of(-1, 0, 59, 60, 3_599, 3_600, 86_399, 86_400, 200_000))
                .extracting(seconds -> Elapsed.text(Duration.ofSeconds(seconds)))
                .containsExactly("0s", "0s", "59s", "1m00s", "59m59s", "1h00m", "23h59m", "1d0h", "2d7h");
    }

    @Test
    void the_page_for_operators_shows_the_list() throws IOException {
        var page = Files.readString(Path.of("../../docs/OPERATING.md")).lines().toList();
        assertThat(page)
                .containsAll(
                        Files.readString(FRAMES.resolve("list.txt")).lines().toList());
    }

    private static void assertFrame(String name, TopState state, Instant now, Size size) throws IOException {
        var lines = TopFrame.of(state, now, size);
        assertThat(lines)
                .hasSize(size.rows())
                .allSatisfy(line -> assertThat(line.text().length()).isLessThanOrEqualTo(size.columns()));
        assertText(name, text(state, now, size));
    }

    private static String text(TopState state, Instant now, Size size) {
        return TopFrame.of(state, now, size).stream().map(Line::text).collect(Collectors.joining("\n"));
    }

    private static void assertText(String name, String text) throws IOException {
        var file = FRAMES.resolve(name + ".txt");
        if (Boolean.getBoolean("frames.rewrite")) {
            Files.writeString(file, text.stripTrailing() + "\n");
        }
        assertThat(text.stripTrailing() + "\n").as(name).isEqualTo(Files.readString(file));
    }
}
