// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** Kinds of files that are recognized by their first bytes. */
public enum FileKind {
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

    private static final int LONGEST = 16;

    private final String mimeType;

    /** A dot stands for any byte. */
    private final Pattern begin;

    FileKind(String mimeType, String begin) {
        this.mimeType = mimeType;
        this.begin = Pattern.compile(begin, Pattern.DOTALL);
    }

    public String mimeType() {
        return mimeType;
    }

    public static Optional<FileKind> of(byte[] bytes) {
        var first = new String(bytes, 0, Math.min(bytes.length, LONGEST), ISO_8859_1);
        return Arrays.stream(values())
                .filter(kind -> kind.begin.matcher(first).lookingAt())
                .findFirst();
    }
}
