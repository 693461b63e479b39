// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A transcript: how every conversation begins, then sections. A section that begins with a server of its own says
 * everything itself.
 */
record TranscriptFile(String name, List<String> opening, List<Section> sections) {

    private static final Path FOLDER = Path.of("src/test/resources/transcripts");

    /** @param lines the heading first */
    record Section(String title, List<String> lines) {
        boolean beginsAnew() {
            return lines.size() > 1 && lines.get(1).startsWith("! a server with ");
        }
    }

    /** All that there are. */
    static List<TranscriptFile> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().map(TranscriptFile::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TranscriptFile read(Path file) {
        var opening = new ArrayList<String>();
        var sections = new ArrayList<Section>();
        var lines = opening;
        try {
            for (var line : Files.readAllLines(file)) {
                if (line.startsWith("# ")) {
                    lines = new ArrayList<>();
                    sections.add(new Section(line.substring(2), lines));
                }
                lines.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TranscriptFile(file.getFileName().toString().replace(".txt", ""), opening, sections);
    }

    /** What is to be played for a section. */
    List<String> script(Section section) {
        var script = new ArrayList<>(opening);
        if (section.beginsAnew()) {
            script.removeIf(line -> Line.of(line).isPresent());
        }
        script.addAll(section.lines());
        return script;
    }

    /** Writes what came of the script of each section. */
    void rewrite(List<List<String>> played) {
        var head = opening;
        var text = new ArrayList<String>();
        for (int i = 0; i < sections.size(); i++) {
            var section = sections.get(i);
            var lines = played.get(i);
            int start = lines.size() - section.lines().size();
            if (!section.beginsAnew()) {
                head = lines.subList(0, start);
            }
            text.addAll(lines.subList(start, lines.size()));
        }
        text.addAll(0, head);
        try {
            Files.write(FOLDER.resolve(name + ".txt"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
