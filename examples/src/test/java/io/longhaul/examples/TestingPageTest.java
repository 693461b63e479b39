package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Java of docs/TESTING.md is that of tests that are run. */
class TestingPageTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final List<Path> TESTS = List.of(
            ROOT.resolve("examples/src/test/java/io/longhaul/examples/WordReportTest.java"),
            ROOT.resolve("store-jdbc/src/test/java/io/longhaul/store/jdbc/SqliteTaskStoreTest.java"));

    @Test
    void each_snippet_is_a_piece_of_a_test() throws IOException {
        var tests = new StringBuilder();
        for (var file : TESTS) {
            tests.append(unindented(Files.readString(file)));
        }
        var page = Files.readString(ROOT.resolve("docs/TESTING.md"));
        var snippets =
                JAVA.matcher(page).results().map(snippet -> snippet.group(1)).toList();
        assertThat(snippets).hasSize(4);
        assertThat(snippets.stream().flatMap(TestingPageTest::paragraphs))
                .allSatisfy(paragraph -> assertThat(tests).contains(paragraph));
    }

    /** A snippet leaves out what stands between its paragraphs in the test. */
    private static Stream<String> paragraphs(String snippet) {
        return Stream.of(snippet.split("\n\n")).map(TestingPageTest::unindented);
    }

    private static String unindented(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
