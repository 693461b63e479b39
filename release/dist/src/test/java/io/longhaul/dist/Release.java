// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The zip that the build has made, and processes on a machine that has little more than Java. */
final class Release {
    static final Path ZIP = Path.of(System.getProperty("longhaul.zip"));
    static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    /** What the launchers, the shell backend and the page use: nothing that a small system lacks, and no Maven. */
    private static final List<String> TOOLS = List.of(
            "sh",
            "cat",
            "cksum",
            "cut",
            "date",
            "dd",
            "dirname",
            "echo",
            "env",
            "find",
            "head",
            "kill",
            "ls",
            "mkdir",
            "mkfifo",
            "mv",
            "ps",
            "readlink",
            "rm",
            "rmdir",
            "sed",
            "seq",
            "setsid",
            "sleep",
            "sort",
            "tail",
            "touch",
            "tr",
            "uname",
            "unzip");

    /** What a process has said, and how it ended. */
    record Said(int code, String out, String err) {}

    private Release() {}

    /** The folder that is in the zip, unpacked in {@code folder}. */
    static Path unpack(Path folder) throws IOException, InterruptedException {
        var unzip = find("unzip");
        assumeTrue(unzip.isPresent(), "unzip is not there");
        var said = run(new ProcessBuilder(unzip.get().toString(), "-q", ZIP.toString()), folder);
        if (said.code() != 0) {
            throw new IOException(said.err());
        }
        try (var unpacked = Files.list(folder)) {
            return unpacked.filter(file -> file.getFileName().toString().startsWith("longhaul-"))
                    .findFirst()
                    .orElseThrow()
                    .toRealPath();
        }
    }

    /** A machine with an empty home in {@code folder}, and a PATH of few tools and {@code programs}. */
    static ProcessBuilder process(Path folder, List<Path> programs, String... command) throws IOException {
        var tools = Files.createDirectories(folder.resolve("tools"));
        for (var tool : TOOLS) {
            var found = find(tool);
            var wrapper = tools.resolve(tool);
            if (found.isPresent() && !Files.exists(wrapper)) {
                // No link: JUnit warns of each one when it deletes the folder.
                Files.writeString(wrapper, "#!/bin/sh\nexec " + found.get() + " \"$@\"\n");
                Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        var home = Files.createDirectories(folder.resolve("home")).toString();
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "HOME",
                        home,
                        "PATH",
                        String.join(
                                ":",
                                Stream.concat(Stream.of(tools), programs.stream())
                                        .map(Path::toString)
                                        .toList())));
        return builder;
    }

    static Said run(ProcessBuilder builder, Path folder) throws IOException, InterruptedException {
        var err = Files.createTempFile("longhaul", ".err");
        try {
            var process = builder.directory(folder.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Said(process.waitFor(), out, Files.readString(err));
        } finally {
            Files.delete(err);
        }
    }

    static Optional<Path> find(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
