// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import io.longhaul.engine.store.PrivateFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
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
            return parsed(Files.readAllBytes(file));
        } catch (IOException e) {
            return List.of();
        }
    }

    private List<KnownHandshake> parsed(byte[] all) {
        int start = lineEnd(all, 0);
        if (start >= all.length || !Arrays.equals(Arrays.copyOf(all, start + 1), head(all, start + 1))) {
            return List.of();
        }
        var known = new ArrayList<KnownHandshake>();
        for (int at = start + 1; at < all.length; ) {
            int before = lineEnd(all, at);
            int after = lineEnd(all, before + 1);
            int answer = lineEnd(all, after + 1);
            known.add(new KnownHandshake(
                    Arrays.copyOfRange(all, at, before),
                    Arrays.copyOfRange(all, before + 1, after),
                    Arrays.copyOfRange(all, after + 1, answer)));
            at = answer + 1;
        }
        return known;
    }

    private static int lineEnd(byte[] all, int from) {
        int at = from;
        while (at < all.length && all[at] != '\n') {
            at++;
        }
        return at;
    }

    /** The first line of a file whose other lines begin at {@code from}. */
    private byte[] head(byte[] all, int from) {
        var sum = new CRC32();
        sum.update(all, from, all.length - from);
        return (KIND + " " + mark + " " + sum.getValue() + "\n").getBytes(StandardCharsets.US_ASCII);
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
        var lines = new ByteArrayOutputStream();
        for (var one : all) {
            for (var part : List.of(one.before(), one.after(), one.answer())) {
                lines.writeBytes(part);
                lines.write('\n');
            }
        }
        var body = lines.toByteArray();
        var next = folder.resolve(NAME + ".next");
        PrivateFiles.createFile(next);
        try (var out = Files.newOutputStream(next)) {
            out.write(head(body, 0));
            out.write(body);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes the known handshakes of all servers. */
    static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
    }
}
