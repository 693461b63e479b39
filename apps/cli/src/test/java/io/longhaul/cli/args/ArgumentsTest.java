// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.args;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.cli.exit.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private static final Option DETACH = Option.flag("--detach", "");
    private static final Option HTTP = Option.valued("--http", "PORT", "");
    private static final Option ANSWER = Option.valued("--answer", "F=V", "");
    private static final List<Option> OPTIONS = List.of(DETACH, HTTP, ANSWER);

    @Test
    void options_and_words_may_be_mixed() {
        var read = Arguments.parse(
                List.of("a", "--http", "80", "b", "--detach", "--answer=x=1", "--answer", "y"), OPTIONS);
        assertThat(read.words()).containsExactly("a", "b");
        assertThat(read.value(HTTP)).contains("80");
        assertThat(read.has(DETACH)).isTrue();
        assertThat(read.values(ANSWER)).containsExactly("x=1", "y");
    }

    @Test
    void nothing_behind_two_dashes_is_an_option() {
        assertThat(Arguments.parse(List.of("--", "--detach"), OPTIONS).words()).containsExactly("--detach");
    }

    @Test
    void an_unknown_option_is_told_with_the_one_that_may_be_meant() {
        refused("there is no option --detatch. Did you mean --detach?", "--detatch");
    }

    @Test
    void an_option_without_its_value_is_told() {
        refused("--http needs a value. Write --http PORT.", "--http");
    }

    @Test
    void a_flag_with_a_value_is_told() {
        refused("--detach takes no value. Leave out what is behind the =.", "--detach=yes");
    }

    @Test
    void words_too_few_or_too_many_are_told() {
        var read = Arguments.parse(List.of("a", "b"), OPTIONS);
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read.word(2, "the tool"))
                .withMessage("the tool is missing. See --help.");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read.expectWords(1))
                .withMessage("\"b\" is one word too many. See --help.");
    }

    private static void refused(String message, String... line) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Arguments.parse(List.of(line), OPTIONS))
                .withMessage(message);
    }
}
