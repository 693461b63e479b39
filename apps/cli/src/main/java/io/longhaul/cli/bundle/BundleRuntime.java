// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.bundle;

import io.longhaul.cli.exit.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss").withZone(ZoneOffset.UTC);

    private static final String SCRIPT = "(export TZ=UTC0; cd \"$0\" && touch -t 200001010000 cache/*.trained"
            + " && touch -t %s *.jar lib/*.jar) 2>/dev/null; exec \"$0/bin/longhaul\" \"$@\"";

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
            below.filter(Files::isRegularFile)
                    .forEach(file -> files.put(folder.relativize(file).toString(), file));
        }
        files.keySet().removeIf(name -> LEFT_OUT.contains(name.replaceFirst("/.*", "")));
        for (var mark : files.keySet().stream()
                .filter(name -> name.matches("cache/[^/]*\\.trained"))
                .toList()) {
            if (!Files.readString(files.get(mark)).startsWith("shipped")) {
                // These class archives fit the folder of the release alone.
                files.keySet().removeIf(name -> name.startsWith("cache/"));
                break;
            }
        }
        return files;
    }

    /**
     * A script that becomes the command. The class archives fit only jars with the times of their making, which a host
     * need not keep.
     */
    String script() throws IOException {
        try (var jars = Files.newDirectoryStream(folder, "longhaul-cli-*.jar")) {
            for (var jar : jars) {
                return SCRIPT.formatted(
                        TIME.format(Files.getLastModifiedTime(jar).toInstant()));
            }
        }
        throw new UsageException(folder + " has no longhaul-cli-*.jar. Name the folder of an unpacked release.");
    }
}
