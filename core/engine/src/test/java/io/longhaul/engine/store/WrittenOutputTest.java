// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.WrittenOutput.Piece;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WrittenOutputTest {

    private static final TaskId TASK = new TaskId("1".repeat(TaskId.LENGTH));
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00.125Z");
    private static final int ALL = 100 << 20;

    private final MemoryRowStore rows = new MemoryRowStore(() -> {}, false);
    private final WrittenOutput output = new WrittenOutput(rows, TASK);

    @Test
    void pieces_are_read_in_order_with_their_times_from_any_place() {
        output.write(NOW, "a", "1", ALL);
        output.write(NOW.plusMillis(5), "\u00e4\ud83d\ude00", "2", ALL);
        var all = new WrittenOutput(rows, TASK).read(0, ALL);
        assertThat(all).extracting(Piece::text).containsExactly("a", "\u00e4\ud83d\ude00");
        assertThat(all).extracting(Piece::at).containsExactly(NOW, NOW.plusMillis(5));
        assertThat(output.read(all.getFirst().next(), ALL)).containsExactly(all.getLast());
        assertThat(output.read(all.getLast().next(), ALL)).isEmpty();
        output.write(NOW, "c", "3", ALL);
        assertThat(texts(output.read(all.getLast().next(), ALL))).isEqualTo("c");
        assertThat(new WrittenOutput(rows, new TaskId("2".repeat(TaskId.LENGTH))).read(0, ALL))
                .isEmpty();
    }

    @Test
    void the_next_attempt_knows_the_mark_and_goes_on_behind_it() {
        assertThat(output.mark()).isEmpty();
        output.write(NOW, "a", "1", ALL);
        var next = new WrittenOutput(rows, TASK);
        assertThat(next.mark()).contains("1");
        next.write(NOW, "b", "2", ALL);
        assertThat(texts(next.read(0, ALL))).isEqualTo("ab");
        assertThat(new WrittenOutput(rows, TASK).mark()).contains("2");
    }

    @Test
    void many_small_pieces_take_few_rows_and_are_read_page_by_page() {
        IntStream.range(0, 10_000).forEach(i -> output.write(NOW, "line " + i + "\n", "m", ALL));
        assertThat(rows.list(WrittenOutput.space(TASK), null, 100, NOW)).hasSizeLessThan(10);
        var read = new ArrayList<Piece>();
        for (var page = output.read(0, 4_000);
                !page.isEmpty();
                page = output.read(read.getLast().next(), 4_000)) {
            assertThat(texts(page)).hasSizeLessThan(4_100);
            read.addAll(page);
        }
        assertThat(texts(read))
                .isEqualTo(IntStream.range(0, 10_000)
                        .mapToObj(i -> "line " + i + "\n")
                        .collect(Collectors.joining()));
    }

    @Test
    void the_oldest_output_gives_way_and_a_line_says_so() {
        for (int i = 0; i < 20; i++) {
            // Each attempt goes on with what the one before has counted.
            new WrittenOutput(rows, TASK).write(NOW, "%02d".formatted(i) + "x".repeat(39_998), "m", 200_000);
        }
        var kept = output.read(0, ALL);
        assertThat(kept.getFirst().text()).matches("\\[\\.\\.\\. the first 64\\d{4} bytes of the output .*\\]\n");
        assertThat(kept.subList(1, kept.size()))
                .extracting(piece -> piece.text().substring(0, 2))
                .containsExactly("16", "17", "18", "19");
        assertThat(output.read(kept.get(1).next(), ALL)).isEqualTo(kept.subList(2, kept.size()));
        assertThat(output.read(1, ALL)).as("from a place that is gone").isEqualTo(kept);
    }

    @Test
    void nothing_is_kept_where_the_limit_is_zero() {
        output.write(NOW, "a", "1", 0);
        assertThat(output.read(0, ALL)).isEmpty();
    }

    private static String texts(List<Piece> pieces) {
        return pieces.stream().map(Piece::text).collect(Collectors.joining());
    }
}
