// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** The folder with all files of the demo. */
final class DemoFolder implements AutoCloseable {
    private static final int TRIES = 20;

    private final Path path;
    private final boolean keep;

    private DemoFolder(Path path, boolean keep) {
        this.path = path;
        this.keep = keep;
    }

    static DemoFolder create(boolean keep) throws IOException {
        return new DemoFolder(Files.createTempDirectory("longhaul-demo-"), keep);
    }

    Path path() {
        return path;
    }

    /** Writes the file of tools, and gives its path. */
    Path file() throws IOException {
        try (var in = DemoFolder.class.getResourceAsStream("demo.yaml")) {
            if (in == null) {
                throw new IOException("demo.yaml is missing in this build");
            }
            var file = path.resolve("demo.yaml");
            Files.write(file, in.readAllBytes());
            return file;
        }
    }

    Path data() {
        return path.resolve("data");
    }

    /** The folder of the files to work on, separate from what the job writes. */
    Path tree() {
        return path.resolve("work").resolve("tree");
    }

    /** How often the job was started, as the job itself has recorded. */
    long runs() throws IOException {
        try (var lines = Files.lines(path.resolve("work").resolve("runs"))) {
            return lines.count();
        }
    }

    /** Removes all files. A job that still runs loses its files and ends, perhaps after writing another file. */
    @Override
    public synchronized void close() {
        for (int i = 0; !keep && i < TRIES && Files.exists(path); i++) {
            try (var all = Files.walk(path)) {
                all.sorted(Comparator.reverseOrder()).forEach(DemoFolder::remove);
            } catch (IOException | UncheckedIOException e) {
                Thread.onSpinWait();
            }
        }
    }

    private static void remove(Path one) {
        try {
            Files.deleteIfExists(one);
        } catch (IOException e) {
            // The folder is not empty, because a file was written meanwhile: the next attempt removes it.
        }
    }
}
