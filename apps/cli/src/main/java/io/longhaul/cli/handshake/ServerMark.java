// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/**
 * A mark that differs between servers that may answer a handshake in different ways. It covers the bytes of the file of
 * tools, the command line, and the jars of the program. Two checksums and the length suffice against accidental
 * collisions, and need no library that takes time to load, as a digest does. A deliberate collision gains nothing: the
 * wrong answer is detected.
 */
final class ServerMark {
    private ServerMark() {}

    /**
     * The mark of a server.
     *
     * @param tools the file of tools
     * @param line  the words of the command line
     * @param program the class path of the program
     */
    static String of(Path tools, List<String> line, String program) throws IOException {
        var all = new StringBuilder(tools.toAbsolutePath().toString()).append('\0');
        for (var word : line) {
            all.append(word).append('\0');
        }
        for (var name : program.split(File.pathSeparator)) {
            var jar = new File(name);
            all.append(name).append('\0').append(jar.length()).append(' ').append(jar.lastModified());
        }
        var words = all.append('\0').toString().getBytes(StandardCharsets.UTF_8);
        var text = Files.readAllBytes(tools);
        return sum(new CRC32(), words, text) + "-" + sum(new Adler32(), words, text) + "-" + text.length;
    }

    private static long sum(Checksum sum, byte[] words, byte[] text) {
        sum.update(words);
        sum.update(text);
        return sum.getValue();
    }
}
