// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Table<String> TABLE = Table.of(
            Table.left("WORD", 6, word -> word),
            Table.right("LETTERS", 0, word -> String.valueOf(word.length())),
            Table.left("FIRST", 0, word -> word.substring(0, 1)));

    @Test
    void a_column_is_as_wide_as_its_head_and_at_least_as_wide_as_it_says() {
        assertThat(TABLE.lines(List.of("one", "two")))
                .containsExactly("WORD    LETTERS  FIRST", "one           3  o", "two           3  t");
    }

    @Test
    void a_wide_cell_moves_what_is_behind_it_in_every_line() {
        assertThat(TABLE.lines(List.of("extraordinary", "two")))
                .containsExactly(
                        "WORD           LETTERS  FIRST", "extraordinary       13  e", "two                  3  t");
    }

    @Test
    void rows_without_heads_are_as_wide_as_their_cells() {
        assertThat(TABLE.rows(List.of("one"))).containsExactly("one     3  o");
    }
}
