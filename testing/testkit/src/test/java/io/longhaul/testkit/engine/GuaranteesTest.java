// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuaranteesTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
    private static final Path ROOT = Path.of("../..");

    @ParameterizedTest
    @ValueSource(strings = {"GUARANTEES.md", "SECURITY.md"})
    void every_test_that_a_page_of_promises_names_exists(String name) throws IOException {
        var page = Files.readString(ROOT.resolve("docs").resolve(name));
        List<MatchResult> named = TEST.matcher(page).results().toList();
        assertThat(named).isNotEmpty();
        var sources = sources();
        for (MatchResult test : named) {
            assertThat(sources.get(test.group(1))).as(test.group(1)).contains(" " + test.group(2) + "(");
        }
    }

    @Test
    void each_one_who_is_not_trusted_has_a_test_or_no_promise() throws IOException {
        var page = Files.readString(ROOT.resolve("docs/SECURITY.md"));
        var rows = page.lines()
                .dropWhile(line -> !line.startsWith("| who |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(rows)
                .hasSizeGreaterThan(10)
                .allSatisfy(
                        row -> assertThat(row.split(" \\| ")[3]).containsPattern(TEST.pattern() + "|^not promised"));
    }

    /** The texts of test classes by their names. Only folders of modules are walked: others change meanwhile. */
    private static Map<String, String> sources() throws IOException {
        var texts = new TreeMap<String, String>();
        for (File folder : ROOT.toFile().listFiles(entry -> entry.isDirectory() && !entry.isHidden())) {
            try (var files = Files.walk(folder.toPath())) {
                files.filter(file -> file.toString().matches(".*/src/test/java/.*Test\\.java"))
                        .forEach(file -> texts.merge(
                                file.getFileName().toString().replace(".java", ""), read(file), String::concat));
            }
        }
        return texts;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
