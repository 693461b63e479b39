// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of dialects and of features name only tests that exist, and those of dialects one in every row. */
class DialectsPageTest {

    private static final Path ROOT = Path.of("../..");
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern SECTION =
            Pattern.compile("\\| ([TPF][A\\d]\\d) ([^|`]+?)(?:, `[^|]*)? \\|$", Pattern.MULTILINE);
    private static final Pattern CLAUSE = Pattern.compile("^\\| .* \\| (S|C|S, C) \\| ");
    private static final Pattern PROOF = Pattern.compile(
            "(#\\w+`| [TPF][A\\d]\\d [^|]+|suite `[^|]+`|by design|the page|\\*\\*open\\*\\*[^|]*) \\|$");
    private static final Map<String, String> FILES = Map.ofEntries(
            Map.entry("T25", "tasks-2025-11-25"),
            Map.entry("T26", "tasks-2026-07-28"),
            Map.entry("T86", "sep-1686-2025-06-18"),
            Map.entry("T03", "resume-2025-06-18"),
            Map.entry("T36", "resume-2026-07-28"),
            Map.entry("TA6", "tools-async-2025-06-18"),
            Map.entry("T91", "operations-next"),
            Map.entry("P25", "plain-2025-11-25"),
            Map.entry("P26", "plain-2026-07-28"),
            Map.entry("P03", "plain-2025-03-26"),
            Map.entry("F24", "plain-2024-11-05.features"),
            Map.entry("F25", "plain-2025-11-25.features"),
            Map.entry("F26", "plain-2026-07-28.features"));

    @Test
    void every_test_that_a_page_names_exists() throws IOException {
        var sources = sources();
        var missing = new TreeSet<String>();
        var named = TEST.matcher(pages() + read(DOCS.resolve("FEATURES.md")));
        while (named.find()) {
            var source = sources.getOrDefault(named.group(1), "");
            if (Stream.of("void ", "List<DynamicTest> ").noneMatch(is -> source.contains(is + named.group(2) + "("))) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void every_section_that_a_page_names_exists() throws IOException {
        var missing = new TreeSet<String>();
        var named = SECTION.matcher(pages());
        var count = 0;
        while (named.find()) {
            count++;
            var file = Path.of("src/test/resources/transcripts", FILES.get(named.group(1)) + ".txt");
            if (!Files.readAllLines(file).contains("# " + named.group(2))) {
                missing.add(named.group(1) + " " + named.group(2));
            }
        }
        assertThat(missing).isEmpty();
        assertThat(count).isGreaterThan(30);
    }

    @Test
    void every_row_says_what_shows_it() throws IOException {
        assertThat(pages().lines().filter(row -> CLAUSE.matcher(row).find()))
                .hasSizeGreaterThan(200)
                .allMatch(row -> PROOF.matcher(row).find());
    }

    @Test
    void the_index_leads_to_every_page() throws IOException {
        try (var pages = Files.list(DOCS.resolve("dialects"))) {
            assertThat(Files.readString(DOCS.resolve("DIALECTS.md")))
                    .contains(pages.map(page -> "](dialects/" + page.getFileName() + ")")
                            .toList());
        }
    }

    private static String pages() throws IOException {
        var text = new StringBuilder(Files.readString(DOCS.resolve("DIALECTS.md")));
        try (var pages = Files.list(DOCS.resolve("dialects"))) {
            pages.forEach(page -> text.append(read(page)));
        }
        return text.toString();
    }

    /** Test classes and contracts of all modules by their names; one name may stand for several. */
    private static Map<String, String> sources() throws IOException {
        try (var files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().matches(".*/src/(test|main)/java/.*(Test|Contract)\\.java"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            DialectsPageTest::read,
                            String::concat));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError("cannot read " + file, e);
        }
    }
}
