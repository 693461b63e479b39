// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A temporary folder of one measurement, which is removed after it.
 *
 * @param folder empty at first
 */
public record Scratch(Path folder) implements AutoCloseable {

    /** Makes a folder in the place of temporary files, whose disk is then measured. */
    public static Scratch make() throws IOException {
        return new Scratch(Files.createTempDirectory("longhaul-bench"));
    }

    /** A file in the folder, which need not exist. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
