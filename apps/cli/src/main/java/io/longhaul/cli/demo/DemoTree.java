// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

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
        var words = new byte[WORDS][];
        for (int i = 0; i < WORDS; i++) {
            words[i] = word(random).getBytes(StandardCharsets.US_ASCII);
        }
        for (int i = 0; i < FILES; i++) {
            var folder = root.resolve("part-%02d".formatted(i / FILES_PER_FOLDER));
            Files.createDirectories(folder);
            Files.write(folder.resolve("text-%03d.txt".formatted(i)), text(random, words));
        }
        return (long) FILES * BYTES;
    }

    private static String word(Random random) {
        var word = new StringBuilder();
        int length = 2 + random.nextInt(9);
        for (int i = 0; i < length; i++) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.append(' ').toString();
    }

    private static byte[] text(Random random, byte[][] words) {
        var text = new byte[BYTES];
        int at = 0;
        while (at < BYTES) {
            var word = words[random.nextInt(words.length)];
            int length = Math.min(word.length, BYTES - at);
            System.arraycopy(word, 0, text, at, length);
            at += length;
        }
        return text;
    }
}
