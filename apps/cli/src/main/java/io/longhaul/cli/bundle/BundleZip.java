// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A zip that keeps which of its files are programs, and has no entries of folders, which the official program for
 * bundles cannot unpack. The same files give the same bytes.
 */
final class BundleZip {
    private static final LocalDateTime TIME = LocalDateTime.of(2000, 1, 1, 0, 0);
    private static final int UNIX = 3;
    private static final int FILE = 0100644;
    private static final int PROGRAM = 0100755;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ZipOutputStream zip = new ZipOutputStream(bytes);
    private final Set<String> programs = new HashSet<>();

    void add(String name, byte[] content) throws IOException {
        var entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    /** Adds files below {@code folder}, by their names there. */
    void add(String folder, Map<String, Path> files) throws IOException {
        for (var file : files.entrySet()) {
            add(folder + file.getKey(), Files.readAllBytes(file.getValue()));
            if (Files.isExecutable(file.getValue())) {
                programs.add(folder + file.getKey());
            }
        }
    }

    /** The whole zip, after which nothing can be added. */
    byte[] finished() throws IOException {
        zip.close();
        var made = bytes.toByteArray();
        var whole = ByteBuffer.wrap(made).order(ByteOrder.LITTLE_ENDIAN);
        // The classes of Java write no modes. The last record, of 22 bytes, says where the headers of the entries are.
        int end = made.length - 22;
        int at = whole.getInt(end + 16);
        while (at < end) {
            var name = new byte[whole.getShort(at + 28)];
            whole.get(at + 46, name);
            whole.put(at + 5, (byte) UNIX);
            whole.putInt(at + 38, (programs.contains(new String(name, UTF_8)) ? PROGRAM : FILE) << 16);
            at += 46 + name.length + whole.getShort(at + 30) + whole.getShort(at + 32);
        }
        return made;
    }
}
