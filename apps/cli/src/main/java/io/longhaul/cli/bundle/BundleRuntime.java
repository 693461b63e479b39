// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.bundle;

import io.longhaul.cli.exit.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A release of Longhaul with its own Java, which goes into a bundle.
 *
 * @param folder   of the release
 * @param platform on which it runs, in the words of the manifest
 */
record BundleRuntime(Path folder, String platform) {
    /** Where the release lies in the bundle. */
    static final String FOLDER = "longhaul/";

    /** What a server does without. */
    private static final Set<String> LEFT_OUT = Set.of("completion", "docs", "examples", "man", "systemd");

    static BundleRuntime in(String folder) {
        var root = Path.of(folder).toAbsolutePath().normalize();
        var machine = root.resolve("runtime/lib/server");
        if (Files.isRegularFile(root.resolve("bin/longhaul"))) {
            if (Files.exists(machine.resolve("libjvm.so"))) {
                return new BundleRuntime(root, "linux");
            }
            if (Files.exists(machine.resolve("libjvm.dylib"))) {
                return new BundleRuntime(root, "darwin");
            }
        }
        throw new UsageException(root + " is no release of Longhaul with a Java for Linux or macOS of its own."
                + " Run bin/make-runtime in an unpacked release, and name its folder.");
    }

    /** The files by their paths in the release. */
    Map<String, Path> files() throws IOException {
        var files = new TreeMap<String, Path>();
        try (var below = Files.walk(folder)) {
            below.filter(file -> Files.isRegularFile(file)
                            && !LEFT_OUT.contains(
                                    folder.relativize(file).getName(0).toString()))
                    .forEach(file -> files.put(folder.relativize(file).toString(), file));
        }
        return files;
    }
}
