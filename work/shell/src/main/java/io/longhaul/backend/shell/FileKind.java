// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Optional;

/** Kinds of files that are recognized by their first bytes. */
enum FileKind {
    PNG("image/png", "\u0089PNG\r\n\u001a\n"),
    JPEG("image/jpeg", "\u00ff\u00d8\u00ff"),
    GIF("image/gif", "GIF8"),
    PDF("application/pdf", "%PDF-"),
    ZIP("application/zip", "PK\u0003\u0004"),
    GZIP("application/gzip", "\u001f\u008b\b"),
    OGG("audio/ogg", "OggS\0"),
    WEBP("image/webp", "RIFF....WEBP"),
    WAV("audio/wav", "RIFF....WAVE"),
    SQLITE("application/vnd.sqlite3", "SQLite format 3\0");

    final String mimeType;

    /** A dot stands for any byte. */
    private final String begin;

    FileKind(String mimeType, String begin) {
        this.mimeType = mimeType;
        this.begin = begin;
    }

    static Optional<FileKind> of(byte[] bytes) {
        return Arrays.stream(values()).filter(kind -> kind.begins(bytes)).findFirst();
    }

    private boolean begins(byte[] bytes) {
        if (bytes.length < begin.length()) {
            return false;
        }
        var first = new String(bytes, 0, begin.length(), ISO_8859_1);
        for (int i = 0; i < begin.length(); i++) {
            if (begin.charAt(i) != '.' && begin.charAt(i) != first.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
