// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Files for the demo to work on: text of made-up words, the same on every machine. */
final class DemoTree {
    private static final int FILES = 200;
    private static final int FILES_PER_FOLDER = 20;
    private static final int BYTES = 1 << 20;
    private static final int WORDS = 4_000;

    private DemoTree() {}

    /** Writes the files below {@code root}, and gives their total size in bytes. */
    static long write(Path root) throws IOException {
        var random = new Random(20_260_728);
        var words = Stream.generate(() -> word(random)).limit(WORDS).toList();
        for (int i = 0; i < FILES; i++) {
            var folder = root.resolve("part-%02d".formatted(i / FILES_PER_FOLDER));
            Files.createDirectories(folder);
            var text = new StringBuilder();
            while (text.length() < BYTES) {
                text.append(words.get(random.nextInt(WORDS)));
            }
            Files.writeString(folder.resolve("text-%03d.txt".formatted(i)), text.substring(0, BYTES));
        }
        return (long) FILES * BYTES;
    }

    private static String word(Random random) {
        int length = 2 + random.nextInt(9);
        return random.ints(length, 'a', 'z' + 1).mapToObj(Character::toString).collect(Collectors.joining("", "", " "));
    }
}
