// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.longhaul.engine.store.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The known handshakes of a data folder, in a file of its own. The first line has the mark of the server that gave the
 * answers, and the checksum of the rest. Three lines follow for each handshake. The file only makes a start faster: a
 * damaged file, or the file of another server, is ignored. For one thread at a time.
 */
final class HandshakeFile {
    static final String NAME = "handshakes";
    static final int MOST = 8;

    private static final String KIND = "longhaul-handshakes/1";
    private static final int LARGEST = 1 << 20;

    private final Path folder;
    private final Path file;
    private final String mark;

    /** @param mark differs between servers that may answer a handshake in different ways */
    HandshakeFile(Path folder, String mark) {
        this.folder = folder;
        this.file = folder.resolve(NAME);
        this.mark = mark;
    }

    /** The known handshakes of this server; none where another user could have written the file. */
    List<KnownHandshake> read() {
        try {
            if (!Files.isRegularFile(file) || !Files.isWritable(folder) || Files.size(file) > LARGEST) {
                return List.of();
            }
            PrivateFiles.refuseLoose(folder);
            PrivateFiles.refuseLoose(file);
            return parsed(Files.readString(file, ISO_8859_1));
        } catch (IOException e) {
            return List.of();
        }
    }

    private List<KnownHandshake> parsed(String all) {
        int start = all.indexOf('\n') + 1;
        var body = all.substring(start);
        var known = new ArrayList<KnownHandshake>();
        if (all.equals(head(body) + body)) {
            var lines = body.split("\n", -1);
            for (int i = 0; i + 2 < lines.length; i += 3) {
                known.add(new KnownHandshake(lines[i], lines[i + 1], lines[i + 2]));
            }
        }
        return known;
    }

    /** The first line of a file with these other lines. */
    private String head(String body) {
        var sum = new CRC32();
        sum.update(body.getBytes(ISO_8859_1));
        return KIND + " " + mark + " " + sum.getValue() + "\n";
    }

    /** Adds a handshake as the newest, and removes the oldest above the limit. */
    void add(KnownHandshake handshake) throws IOException {
        var all = new ArrayList<KnownHandshake>();
        all.add(handshake);
        for (var older : read()) {
            if (all.size() < MOST && !older.isSameRequest(handshake)) {
                all.add(older);
            }
        }
        write(all);
    }

    private void write(List<KnownHandshake> all) throws IOException {
        var body = new StringBuilder();
        all.forEach(one -> body.append(String.join("\n", one.before(), one.after(), one.answer(), "")));
        var next = folder.resolve(NAME + ".next");
        PrivateFiles.createFile(next);
        Files.writeString(next, head(body.toString()) + body, ISO_8859_1);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes the known handshakes of all servers. */
    static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
    }
}
