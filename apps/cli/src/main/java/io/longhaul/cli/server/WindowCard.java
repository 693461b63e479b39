// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.command.Version;
import io.longhaul.file.ServerFile;
import io.longhaul.protocol.json.JsonDigest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The description that one window sends to the window with the data folder. Both must serve the same tools, because one
 * serves the other, and may take over its tasks.
 *
 * @param version of Longhaul
 * @param digest  of the file
 * @param path    of the file
 */
record WindowCard(String version, String digest, String path) {

    /** What a window sends in place of its card to have the file read again; the answer is what happens. */
    static final String RELOAD = "longhaul-reload/1";

    private static final String KIND = "longhaul-window/1";
    private static final int FIELDS = 4;

    /** The card of a window that serves {@code file} as it is now. */
    static WindowCard of(ServerFile file) {
        try {
            var digest = JsonDigest.sha256(Files.readAllBytes(file.path()));
            var path = file.path().toString().replaceAll("\\R", " ");
            return new WindowCard(Version.TEXT, HexFormat.of().formatHex(digest), path);
        } catch (IOException e) {
            throw new UncheckedIOException(file.path() + " cannot be read", e);
        }
    }

    String text() {
        return String.join(" ", KIND, version, digest, path);
    }

    /** Why the window with this card cannot serve a window with {@code card}; null where it can. */
    @Nullable
    String refusal(String card) {
        var fields = card.split(" ", FIELDS);
        if (fields.length < FIELDS || !fields[0].equals(KIND)) {
            return "it shares with its own kind only: both have to be of one version of Longhaul";
        }
        if (!fields[1].equals(version)) {
            return "its Longhaul is of version " + version + ", this one of version " + fields[1];
        }
        if (!fields[3].equals(path)) {
            return "it serves another file, " + path;
        }
        return fields[2].equals(digest) ? null : "it serves " + path + " as it was before the file was changed";
    }
}
