// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.file.tree.ConfigException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every mistake in a file is one line with file, line, column, field and remedy: bad-files.txt has them all.
 * {@code -Dbadfiles.rewrite=true} writes there what is said now.
 */
class BadFileTest {
    private static final Path EXAMPLES = Path.of("src/test/resources/io/longhaul/file/bad-files.txt");

    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void a_bad_file_gets_a_line_for_each_mistake(String name, String yaml, String message) throws IOException {
        var file = Files.writeString(folder.resolve("bad.yaml"), yaml);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServerFile.read(file))
                .satisfies(e -> {
                    var said = e.getMessage()
                            .replace(folder + "/bad.yaml", "bad.yaml")
                            .replace(folder.toString(), "FOLDER");
                    if (Boolean.getBoolean("badfiles.rewrite")) {
                        var example = "=== " + name + "\n" + yaml + "---\n";
                        var all = Files.readString(EXAMPLES).replace(example + message, example + said);
                        Files.writeString(EXAMPLES, all);
                        return;
                    }
                    assertThat(said).isEqualTo(message);
                });
    }

    static Stream<Arguments> a_bad_file_gets_a_line_for_each_mistake() throws IOException {
        try (var in = BadFileTest.class.getResourceAsStream("bad-files.txt")) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(text.split("(?m)^=== ")).skip(1).map(BadFileTest::example).toList().stream();
        }
    }

    private static Arguments example(String section) {
        var name = section.substring(0, section.indexOf('\n'));
        var parts = section.substring(section.indexOf('\n') + 1).split("(?m)^---\n", -1);
        return Arguments.of(name, parts[0], parts[1].strip());
    }

    @Test
    void a_missing_file_is_named() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServerFile.read(folder.resolve("jobs.yaml")))
                .withMessage(folder + "/jobs.yaml: there is no such file. Name a YAML file that lists tools.");
    }

    @Test
    void each_message_is_one_line_whatever_the_file_says() throws IOException {
        var file = Files.writeString(folder.resolve("bad.yaml"), "tools:\n%\t- name: a\n");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServerFile.read(file))
                .satisfies(e -> assertThat(e.mistakes())
                        .allSatisfy(
                                mistake -> assertThat(mistake.text().chars()).noneMatch(Character::isISOControl)));
    }

    @Test
    void an_alias_that_holds_itself_is_refused() throws IOException {
        var file = Files.writeString(folder.resolve("bad.yaml"), """
                tools:
                  - name: a
                    command: [ls]
                    inputSchema: &loop
                      type: object
                      not: *loop
                """);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServerFile.read(file))
                .withMessage(file + ":6:7: tools[0].inputSchema.not: is an alias of a value around it,"
                        + " which has no end. Write the value itself.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- ", "&a ["})
    void a_file_that_is_nested_much_too_deep_is_refused_with_the_place(String level) throws IOException {
        var file = Files.writeString(
                folder.resolve("bad.yaml"), "tools: " + (level.equals("- ") ? "\n" : "") + level.repeat(20_000));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServerFile.read(file))
                .withMessageMatching(".*bad.yaml:[12]:\\d+: is nested deeper than 64 levels. Make it flatter.");
    }

    @Test
    void a_file_that_is_much_too_large_is_refused() throws IOException {
        var file = folder.resolve("bad.yaml");
        try (var out = new RandomAccessFile(file.toFile(), "rw")) {
            out.setLength(60_000_000);
        }
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ServerFile.read(file))
                .withMessage(file + ": the file is larger than 3MB."
                        + " Name a YAML file that lists tools, or make several of it.");
    }
}
