// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A part of a page that a test writes and holds to what it saw. */
final class Page {

    /** Writes the parts anew instead of comparing them. */
    static final boolean REWRITE = Boolean.getBoolean("transcripts.rewrite");

    private final Path file;
    private final String begin;
    private final String end;

    /** @param part what stands between {@code <!-- part -->} and {@code <!-- end of part -->} */
    Page(String name, String part) {
        file = root().resolve(name);
        begin = "<!-- " + part + " -->\n";
        end = "\n<!-- end of " + part + " -->";
    }

    String read() throws IOException {
        var text = Files.readString(file);
        return text.substring(text.indexOf(begin) + begin.length(), text.indexOf(end));
    }

    void write(String part) throws IOException {
        var text = Files.readString(file);
        var before = text.substring(0, text.indexOf(begin) + begin.length());
        Files.writeString(file, before + part + text.substring(text.indexOf(end)));
    }

    private static Path root() {
        var folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
