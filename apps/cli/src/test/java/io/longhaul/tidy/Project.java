// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The checkout that is being built, and the text files that it consists of. */
final class Project {
    private static final String[] LIST = {"git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"};

    private Project() {}

    static Path root() {
        for (var at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve(".mvn"))) {
                return at;
            }
        }
        throw new IllegalStateException("No folder above this one has .mvn: not in a checkout of Longhaul");
    }

    /** What git tracks or would track; without git, all but what builds leave behind. */
    static List<TextFile> files() {
        var root = root();
        return paths(root).sorted().flatMap(path -> read(root, path)).toList();
    }

    private static Stream<String> paths(Path root) {
        try {
            var git = new ProcessBuilder(LIST)
                    .directory(root.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var listed = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (git.waitFor() == 0) {
                return Stream.of(listed.split("\0", -1)).filter(path -> !path.isEmpty());
            }
        } catch (IOException e) {
            // There is no git here: a source archive is built.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return walk(root);
    }

    private static Stream<String> walk(Path root) {
        try (var all = Files.walk(root)) {
            return all
                    .map(path -> root.relativize(path).toString().replace('\\', '/'))
                    .filter(path -> !("/" + path + "/").matches(".*/(target|\\.git|node_modules)/.*"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<TextFile> read(Path root, String path) {
        var file = root.resolve(path);
        if (!Files.isRegularFile(file)) {
            return Stream.empty();
        }
        try {
            var text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return text.indexOf('\0') >= 0 ? Stream.empty() : Stream.of(new TextFile(path, text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
