// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that promise something name tests that show it. */
class GuaranteesTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    /** The texts of test classes by their names, and those of pages. */
    private static final Map<String, String> TEXTS = new TreeMap<>();

    static {
        Project.files().stream()
                .filter(file -> file.isTestJava() || file.path().endsWith(".md"))
                .forEach(file -> TEXTS.merge(
                        file.path().replaceFirst(".*/", "").replace(".java", ""), file.text(), String::concat));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GUARANTEES.md", "SECURITY.md"})
    void every_test_that_a_page_of_promises_names_exists(String name) {
        var named = TEST.matcher(TEXTS.get(name)).results().toList();
        assertThat(named)
                .isNotEmpty()
                .allSatisfy(test -> assertThat(TEXTS.get(test.group(1))).contains(" " + test.group(2) + "("));
    }

    @Test
    void each_one_who_is_not_trusted_has_a_test_or_no_promise() {
        var rows = TEXTS.get("SECURITY.md")
                .lines()
                .dropWhile(line -> !line.startsWith("| who |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(rows)
                .hasSizeGreaterThan(10)
                .allSatisfy(
                        row -> assertThat(row.split(" \\| ")[3]).containsPattern(TEST.pattern() + "|^not promised"));
    }
}
