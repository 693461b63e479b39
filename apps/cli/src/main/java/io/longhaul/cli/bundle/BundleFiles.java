// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.bundle;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.file.ServerFile.Checked;
import io.longhaul.file.script.ScriptLanguage;
import io.longhaul.file.work.CommandEntry;
import io.longhaul.file.work.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The file of tools, and what it names: all lie in the folder of the file. */
final class BundleFiles {
    /** What machines of a kind have in common. */
    private static final Pattern SYSTEM = Pattern.compile("/($|(usr|bin|sbin|lib|etc|dev|proc|sys)/|tmp/?$)");

    private final Checked checked;
    private final Path base;
    private final Map<String, Path> files = new TreeMap<>();
    private final Set<String> needs = new LinkedHashSet<>();

    BundleFiles(Checked checked) {
        this.checked = checked;
        this.base = checked.file().path().getParent();
    }

    /**
     * The files by their paths in the folder of the file of tools.
     *
     * @param more files and folders that the user names, relative to that folder
     * @throws UsageException where the file needs something that a bundle cannot have
     */
    Map<String, Path> all(List<String> more) throws IOException {
        for (var field : List.of("auth", "tls")) {
            if (checked.fields().has(field)) {
                throw BundleCommand.refused(field, "is for callers over HTTP, which a bundle has not", "Leave it out");
            }
        }
        for (var field : checked.secrets().files()) {
            throw BundleCommand.refused(
                    field, "is a secret in a file, which would be in the bundle", "Write {env: NAME} there");
        }
        for (var named : more) {
            addAll(named);
        }
        add("the file", checked.file().path());
        for (var document : checked.documents()) {
            // Their paths are those behind symbolic links.
            add("openapi", base.resolve(base.toRealPath().relativize(document)).normalize());
        }
        hostFile().ifPresent(file -> add("upstreams.file", file));
        for (var tool : checked.file().tools()) {
            if (tool.command().isPresent()) {
                addCommand("tools." + tool.name(), tool.command().get());
            }
        }
        for (var upstream : checked.file().upstreams()) {
            addWords("upstreams." + upstream.name(), upstream.command().stream(), base);
        }
        return files;
    }

    /** The host's file with the servers of the file. */
    Optional<Path> hostFile() {
        return checked.fields()
                .at("/upstreams/file")
                .stringValueOpt()
                .map(name -> base.resolve(name).normalize());
    }

    /** What the file needs of each machine that it runs on, beside the programs of a system; after {@link #all}. */
    Set<String> needs() {
        return needs;
    }

    private void addCommand(String field, CommandEntry command) {
        var folder = command.place().folder();
        var words = Stream.concat(
                Stream.of(command.program()),
                command.arguments().stream().flatMap(group -> group.templates().stream()));
        addWords(field, words, folder);
        if (!folder.startsWith(base)) {
            needs.add(field + " runs in " + folder);
        } else if (files.values().stream().noneMatch(file -> file.startsWith(folder))) {
            throw BundleCommand.refused(
                    field,
                    "runs in " + folder + ", of which nothing is in the bundle",
                    "Add --include for a file there");
        }
    }

    private void addWords(String field, Stream<String> words, Path folder) {
        var all = words.toList();
        all.stream().filter(BundleFiles::isOfThisMachine).forEach(word -> needs.add(field + " needs " + word));
        all.stream()
                .filter(word -> !word.startsWith("/") && !word.isEmpty() && Programs.isFile(word, folder))
                .map(word -> folder.resolve(word).normalize())
                .forEach(file -> {
                    add(field, file);
                    for (var language : ScriptLanguage.values()) {
                        var helper = file.resolveSibling(language.helperName());
                        if (Files.isRegularFile(helper)) {
                            add(field, helper);
                        }
                    }
                });
    }

    /** Whether a word is an absolute path that other machines lack, as far as one can see. */
    private static boolean isOfThisMachine(String word) {
        try {
            var path = Path.of(word);
            return path.isAbsolute() && !SYSTEM.matcher(word).lookingAt() && Files.exists(path);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private void addAll(String named) throws IOException {
        var top = base.resolve(named).normalize();
        if (!Files.exists(top)) {
            throw new UsageException("there is no " + top + ".");
        }
        try (var below = Files.walk(top)) {
            below.filter(Files::isRegularFile).sorted().forEach(file -> add("--include " + named, file));
        }
    }

    private void add(String field, Path file) {
        if (!file.startsWith(base)) {
            throw BundleCommand.refused(
                    field, "needs " + file + ", outside of the folder of the file", "Move it into " + base);
        }
        files.put(base.relativize(file).toString().replace('\\', '/'), file);
    }
}
