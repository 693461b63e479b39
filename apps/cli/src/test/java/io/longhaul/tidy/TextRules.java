// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static java.util.regex.Pattern.compile;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** House rules that need no parser: each takes the files of the project and gives what breaks the rule. */
final class TextRules {
    static final int MAX_FILE_LINES = 500;
    static final int MAX_LINE_LENGTH = 120;
    static final String LICENSE = "// SPDX-License-Identifier: Apache-2.0";
    static final String DIALECTS = "io.longhaul.protocol.dialect";

    /** Javadoc may tell its readers what a generation is given. */
    private static final Pattern DATE = compile("(?<!^ {0,40}/?\\*.{0,120})20\\d\\d-\\d\\d-\\d\\d");

    private static final Pattern TOO_LONG = compile("^.{" + (MAX_LINE_LENGTH + 1) + ",}$");
    private static final Pattern TRAILING = compile("[ \\t]+$");

    /** Files that many folders have. */
    private static final Set<String> COMMON_NAMES = Set.of("package-info", "module-info");

    // Written in pieces, or this file would break its own rule.
    private static final Pattern REGISTRY = compile(Stream.of(
                    "repo1.maven" + ".org",
                    "repo.maven" + ".apache.org",
                    "central.sonatype" + ".com",
                    "oss.sonatype" + ".org",
                    "plugins.gradle" + ".org",
                    "registry.npmjs" + ".org",
                    "registry.yarnpkg" + ".com",
                    "files.pythonhosted" + ".org",
                    "pypi" + ".org",
                    "proxy.golang" + ".org",
                    "crates" + ".io",
                    "deb.debian" + ".org")
            .map(Pattern::quote)
            .collect(Collectors.joining("|")));
    private static final Pattern LOCK_ADDRESS = compile("\"resolved" + "\"\\s*:");
    private static final Pattern MACHINE_PATH = compile("(?<![\\w.])/(root|work|home/\\w+)/[\\w.]");

    private TextRules() {}

    static Stream<Finding> protocolDates(List<TextFile> files) {
        return files.stream()
                .filter(TextFile::isMainJava)
                .filter(file -> !(file.packageName() + ".").startsWith(DIALECTS + "."))
                .flatMap(file -> file.findEach(
                        DATE,
                        date -> "the protocol date " + date + " outside " + DIALECTS,
                        "Ask the dialect for what differs instead of comparing versions here"));
    }

    static Stream<Finding> fileSizes(List<TextFile> files) {
        return files.stream()
                .filter(TextFile::isMainJava)
                .filter(file -> file.lines().size() > MAX_FILE_LINES)
                .map(file -> file.finding(
                        MAX_FILE_LINES + 1,
                        "the file has " + file.lines().size() + " lines, more than " + MAX_FILE_LINES,
                        "Move one of its concerns to a class of its own"));
    }

    static Stream<Finding> lineLengths(List<TextFile> files) {
        return files.stream()
                .filter(TextFile::isJava)
                .flatMap(file -> file.findEach(
                        TOO_LONG,
                        line -> "the line has " + line.length() + " characters, more than " + MAX_LINE_LENGTH,
                        "Break it"));
    }

    static Stream<Finding> trailingSpace(List<TextFile> files) {
        return files.stream()
                .filter(file -> !file.path().contains("/resources/"))
                .flatMap(file -> file.findEach(TRAILING, space -> "space at the end of the line", "Remove it"));
    }

    static Stream<Finding> licenses(List<TextFile> files) {
        return files.stream()
                .filter(file -> file.isJava() && !file.text().startsWith(LICENSE + "\n"))
                .map(file -> file.finding(1, "the file does not name its license", "Begin it with " + LICENSE));
    }

    static Stream<Finding> registries(List<TextFile> files) {
        return files.stream()
                .flatMap(file -> Stream.concat(
                        file.findEach(
                                REGISTRY,
                                host -> "names the package registry " + host,
                                "Remove it: which registry serves a build is a setting of the machine"),
                        file.findEach(
                                LOCK_ADDRESS,
                                field -> "a lock file records where a package came from",
                                "Write the lock file without addresses (npm: omit-lockfile-registry-resolved)")));
    }

    static Stream<Finding> machinePaths(List<TextFile> files) {
        return files.stream()
                .flatMap(file -> file.findEach(
                        MACHINE_PATH,
                        path -> "names a folder of one machine (" + path + "...)",
                        "Use a path from the root of the checkout"));
    }

    /** Every package of main sources says {@code @NullMarked} in a package-info of its own. */
    static Stream<Finding> nullMarked(List<TextFile> files) {
        var marked = files.stream()
                .filter(file -> file.path().endsWith("/package-info.java"))
                .filter(file -> file.text().contains("@NullMarked"))
                .map(TextRules::folder)
                .collect(Collectors.toSet());
        return files.stream()
                .filter(file -> file.isMainJava() && !file.isModuleInfo())
                // What strangers copy has no more than they need.
                .filter(file -> !file.path().startsWith("examples/starter/"))
                .filter(file -> isFirstOfFolder(file, files))
                .filter(file -> !marked.contains(folder(file)))
                .map(file -> file.finding(
                        1,
                        "package " + file.packageName() + " has no package-info.java with @NullMarked",
                        "Add one that says in a sentence what the package is for"));
    }

    static Stream<Finding> vagueNames(List<TextFile> files) {
        var packages = Set.of("util", "utils", "helper", "helpers");
        return files.stream().filter(TextFile::isJava).flatMap(file -> {
            var name = file.path().substring(file.path().lastIndexOf('/') + 1);
            var vague = Stream.of(file.packageName().split("\\.", -1)).anyMatch(packages::contains)
                    || name.matches(".*(Util|Utils|Helper|Helpers)\\.java");
            return vague
                    ? Stream.of(file.finding(1, "a name that says nothing", "Name it after what it knows or does"))
                    : Stream.empty();
        });
    }

    /** One simple name stands for one type in all main sources; an example is a program of its own. */
    static Stream<Finding> commonNames(List<TextFile> files) {
        return files.stream()
                .filter(file -> file.isMainJava() && !file.path().startsWith("examples/"))
                .collect(Collectors.groupingBy(TextRules::typeName))
                .entrySet()
                .stream()
                .filter(name -> !COMMON_NAMES.contains(name.getKey()))
                .flatMap(name -> name.getValue().stream()
                        .skip(1)
                        .map(file -> file.finding(
                                1,
                                name.getKey() + " is the name of two types, here and in "
                                        + name.getValue().getFirst().packageName(),
                                "Name one of them after its role")));
    }

    private static String typeName(TextFile file) {
        return file.path().replaceAll(".*/|\\.java$", "");
    }

    private static boolean isFirstOfFolder(TextFile file, List<TextFile> files) {
        return files.stream()
                .filter(TextFile::isMainJava)
                .filter(other -> folder(other).equals(folder(file)))
                .findFirst()
                .orElseThrow()
                .equals(file);
    }

    private static String folder(TextFile file) {
        return file.path().substring(0, file.path().lastIndexOf('/'));
    }
}
