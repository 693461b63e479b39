package io.longhaul.protocol.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of dialects names only tests that exist. */
class DialectsPageTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern SECTION = Pattern.compile("\\| ([TPF]\\d\\d) ([^|]+?) \\|$", Pattern.MULTILINE);
    private static final Map<String, String> FILES = Map.of(
            "T25", "tasks-2025-11-25",
            "T26", "tasks-2026-07-28",
            "P25", "plain-2025-11-25",
            "P26", "plain-2026-07-28",
            "P03", "plain-2025-03-26",
            "F24", "plain-2024-11-05.features",
            "F25", "plain-2025-11-25.features",
            "F26", "plain-2026-07-28.features");

    @Test
    void every_test_that_the_page_names_exists() throws IOException {
        var sources = sources();
        var missing = new TreeSet<String>();
        var named = TEST.matcher(page());
        while (named.find()) {
            if (!sources.getOrDefault(named.group(1), "").contains("void " + named.group(2) + "(")) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void every_section_that_the_page_names_exists() throws IOException {
        var missing = new TreeSet<String>();
        var named = SECTION.matcher(page());
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

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/DIALECTS.md"));
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
