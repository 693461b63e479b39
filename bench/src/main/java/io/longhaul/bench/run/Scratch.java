// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A folder of one measurement, which goes with it.
 *
 * @param folder empty at first
 */
public record Scratch(Path folder) implements AutoCloseable {

    /** Makes one where temporary files go: their disk is what is measured. */
    public static Scratch make() throws IOException {
        return new Scratch(Files.createTempDirectory("longhaul-bench"));
    }

    /** A file in it, which need not be there. */
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
