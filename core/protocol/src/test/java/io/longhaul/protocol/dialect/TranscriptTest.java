// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What goes over the wire in each dialect, as files that can be read. {@code -Dtranscripts.rewrite=true} writes them
 * anew from their inputs. A file is named by its dialect, and after a dot by its subject.
 */
class TranscriptTest {

    private static final Path FOLDER = Path.of("src/test/resources/transcripts");
    private static final DialectSelector DIALECTS = new DialectSelector("reports", "1.0");

    @TestFactory
    Stream<DynamicNode> every_message_is_read_and_written_as_its_transcript_says() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.sorted().toList().stream().flatMap(TranscriptTest::sections);
        }
    }

    private static Stream<DynamicNode> sections(Path file) {
        var name = file.getFileName().toString().replace(".txt", "");
        var dialect = DIALECTS.named(name.replaceFirst("\\..*", "")).orElseThrow();
        var sections = read(file);
        if (Boolean.getBoolean("transcripts.rewrite")) {
            var lines = sections.values().stream()
                    .flatMap(section -> new Transcript(dialect).replay(section).stream())
                    .toList();
            write(file, lines);
        }
        return sections.entrySet().stream()
                .map(section -> DynamicTest.dynamicTest(
                        name + ": " + section.getKey(),
                        () -> assertThat(new Transcript(dialect).replay(section.getValue()))
                                .isEqualTo(section.getValue())));
    }

    private static Map<String, List<String>> read(Path file) {
        try {
            var sections = new LinkedHashMap<String, List<String>>();
            var section = new ArrayList<String>();
            for (var line : Files.readAllLines(file)) {
                if (line.startsWith("# ")) {
                    section = new ArrayList<>();
                    sections.put(line.substring(2), section);
                }
                section.add(line);
            }
            return sections;
        } catch (IOException e) {
            throw new AssertionError("cannot read " + file, e);
        }
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new AssertionError("cannot write " + file, e);
        }
    }
}
