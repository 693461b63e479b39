// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.StoreException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DataKeysTest {

    private static String line(String id) {
        return DataKeys.generate(id, new SecureRandom());
    }

    @Test
    void the_first_key_seals_and_comments_and_empty_lines_are_left_out() {
        var keys = DataKeys.parse("# of the disk in Zurich\n\n" + line("new") + "\n  " + line("old") + "\n");
        assertThat(keys.bytes().keySet()).containsExactly("new", "old");
        assertThat(keys).hasToString("DataKeys[new, old]");
    }

    @Test
    void each_new_key_is_another_one() {
        assertThat(line("a")).isNotEqualTo(line("a"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', there is no data key",
        "'# nothing', there is no data key",
        "a, line 1 of the data keys is no key",
        "'a c2hvcnQ=', line 1 of the data keys is no key",
        "'\nä MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=', line 2 of the data keys is no key"
    })
    void what_is_no_key_is_told_by_its_line_and_not_repeated(String text, String told) {
        assertThatThrownBy(() -> DataKeys.parse(text))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(told)
                .hasMessageNotContainingAny("c2hvcnQ", "MDEyMzQ1");
    }

    @Test
    void two_keys_of_one_id_are_refused() {
        assertThatThrownBy(() -> DataKeys.parse(line("a") + "\n" + line("a"))).hasMessageContaining("the id a twice");
    }

    @Test
    void a_file_that_cannot_be_read_is_named() {
        assertThatThrownBy(() -> DataKeys.read(Path.of("no-such-file")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no-such-file");
    }
}
