// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A small disk for the data of the server, which can be filled. */
record SmallDisk(Path folder) implements AutoCloseable {

    private static final int MEGABYTE = 1 << 20;

    /** A disk of a size in megabytes at an empty folder; empty where this user may not mount one. */
    static Optional<SmallDisk> at(Path folder, int megabytes) throws InterruptedException {
        return succeeds("mount", "-t", "tmpfs", "-o", "mode=700,size=" + megabytes + "m", "tmpfs", folder.toString())
                ? Optional.of(new SmallDisk(folder))
                : Optional.empty();
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noProgram) {
            return false;
        }
    }

    void fill() throws IOException {
        try (var filler =
                FileChannel.open(folder.resolve("filler"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int size = MEGABYTE; size > 0; size /= 2) {
                writeAll(filler, size);
            }
        }
    }

    private static void writeAll(FileChannel filler, int size) {
        try {
            while (true) {
                filler.write(ByteBuffer.allocate(size));
            }
        } catch (IOException full) {
            // No piece of this size fits any longer.
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(folder.resolve("filler"));
    }

    @Override
    public void close() {
        try {
            succeeds("umount", folder.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
