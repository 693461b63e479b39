// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.bundle;

import io.longhaul.cli.exit.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

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

    private static final Pattern SYSTEM = Pattern.compile("(?m)^OS_NAME=\"(Linux|Darwin)\"$");

    static BundleRuntime in(String folder) {
        var root = Path.of(folder).toAbsolutePath().normalize();
        try {
            var system = SYSTEM.matcher(Files.readString(root.resolve("runtime/release")));
            if (system.find() && Files.isRegularFile(root.resolve("bin/longhaul"))) {
                return new BundleRuntime(root, system.group(1).equals("Linux") ? "linux" : "darwin");
            }
        } catch (IOException e) {
            // There is no Java, which the sentence below tells.
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
