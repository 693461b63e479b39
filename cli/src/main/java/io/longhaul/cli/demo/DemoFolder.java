// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** The folder that everything of the demo is in. */
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

    /** The file of the tools, written here. */
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

    /** Where the files to work on are, in a folder of their own beside what the job writes. */
    Path tree() {
        return path.resolve("work").resolve("tree");
    }

    /** How often the job was begun, as the job itself has written down. */
    long runs() throws IOException {
        try (var lines = Files.lines(path.resolve("work").resolve("runs"))) {
            return lines.count();
        }
    }

    /**
     * Removes everything. A job that still runs loses its files by that and ends, perhaps after writing another one.
     */
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
            // Not empty: something was written into it meanwhile, and the next try finds it.
        }
    }
}
