// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static java.util.regex.Pattern.compile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** House rules for pages: what stands there in backticks as part of the project is part of it. */
final class PageRules {
    private static final String REMEDY = "Name what there is";
    private static final String MAP = "docs/ARCHITECTURE.md";
    private static final Pattern PAGE = compile("(docs/(dialects/)?[^/]+|README|CONTRIBUTING)\\.md");
    private static final Pattern FENCE = compile("^ {0,3}```");
    private static final Pattern PARTICIPANT = compile(" +participant (\\w+)");
    private static final Pattern QUOTED = compile("`([^`]+)`");
    private static final Pattern TYPE = compile("@?([A-Z]\\w*[a-z]\\w*)(?:[.#](\\w+))?(?:\\(.*\\))?");
    private static final Pattern IN_PACKAGE = compile("([a-z]\\w*)/([A-Z]\\w*)");
    private static final Pattern PATH = compile("[\\w.…-]+(?:/[\\w.…-]+)+");
    private static final Pattern PACKAGE = compile("([a-z]\\w*)(?:\\.<\\w+>)?");
    private static final Pattern DECLARED = compile("\\b(?:class|interface|record|enum) (\\w+)");

    /** Types of others, of which pages speak. */
    private static final Set<String> FOREIGN = Set.of(
            "AsyncToolSpecification",
            "BigInteger",
            "CallToolResult",
            "CreateTaskResult",
            "JsonIgnore",
            "JsonNode",
            "JsonProperty",
            "JsonValue",
            "LocalDate",
            "LocalDateTime",
            "LocalTime",
            "MeterRegistry",
            "OffsetDateTime",
            "OffsetTime",
            "OpenTelemetry",
            "SyncToolSpecification",
            "ToolCallback",
            "ToolCallbackProvider",
            "ZonedDateTime");

    private PageRules() {}

    /** Types by their simple names, with the sources that declare one; their members are held to those. */
    static Stream<Finding> types(List<TextFile> files) {
        Map<String, String> sources = new HashMap<>();
        files.stream().filter(TextFile::isJava).forEach(file -> {
            var declared = DECLARED.matcher(file.text());
            while (declared.find()) {
                sources.merge(declared.group(1), file.text(), String::concat);
            }
        });
        Predicate<String> gone = quoted -> {
            var type = TYPE.matcher(quoted);
            if (!type.matches() || isForeign(type.group(1), type.group(2))) {
                return false;
            }
            var source = sources.get(type.group(1));
            var member = type.group(2);
            return source == null
                    || member != null
                            && !compile("\\b" + member + "\\b").matcher(source).find();
        };
        return findings(pages(files), gone, "no type or member of the project");
    }

    /** A name of one hump that no member follows may be any word. */
    private static boolean isForeign(String type, String member) {
        return FOREIGN.contains(type)
                || member == null && type.chars().filter(Character::isUpperCase).count() < 2;
    }

    /** Paths from the root, where {@code …} stands for some folders, and classes in their packages. */
    static Stream<Finding> paths(List<TextFile> files) {
        var paths = new TreeSet<String>();
        files.forEach(file -> IntStream.range(0, file.path().length())
                .filter(at -> file.path().charAt(at) == '/')
                .forEach(at -> paths.add(file.path().substring(0, at))));
        files.forEach(file -> paths.add(file.path()));
        Predicate<String> gone = quoted -> {
            var inPackage = IN_PACKAGE.matcher(quoted);
            if (inPackage.matches()) {
                return paths.stream().noneMatch(path -> path.endsWith("/" + quoted + ".java"));
            }
            boolean isOurs = PATH.matcher(quoted).matches() && paths.contains(quoted.substring(0, quoted.indexOf('/')));
            var wanted = compile(Pattern.quote(quoted).replace("…", "\\E.+\\Q"));
            return isOurs && paths.stream().noneMatch(wanted.asMatchPredicate());
        };
        // The pages of dialects name pages of the specification in the same way.
        var pages = pages(files).filter(page -> !page.path().startsWith("docs/dialects/"));
        return findings(pages, gone, "no path of the project");
    }

    /** On the map of the project: packages, each in the module that is named before it. */
    static Stream<Finding> packages(List<TextFile> files) {
        Set<String> modules =
                files.stream().map(TextFile::module).filter(it -> !it.isEmpty()).collect(Collectors.toSet());
        return pages(files).filter(page -> page.path().equals(MAP)).flatMap(page -> {
            var lines = prose(page);
            return IntStream.range(0, lines.size())
                    .boxed()
                    .flatMap(at -> Stream.of(lines.get(at).split("\\|", -1))
                            .flatMap(cell -> gone(cell, modules, files))
                            .map(name -> page.finding(at + 1, "`" + name + "` is no package there", REMEDY)));
        });
    }

    private static Stream<String> gone(String cell, Set<String> modules, List<TextFile> files) {
        var found = Stream.<String>builder();
        String module = "";
        var quoted = QUOTED.matcher(cell);
        while (quoted.find()) {
            var name = PACKAGE.matcher(quoted.group(1));
            if (modules.contains(quoted.group(1))) {
                module = quoted.group(1);
            } else if (name.matches()) {
                var folder = module + "/src/main/java/";
                var inside = "/" + name.group(1) + "/";
                if (files.stream()
                        .noneMatch(
                                it -> it.path().startsWith(folder) && it.path().contains(inside))) {
                    found.add(quoted.group(1));
                }
            }
        }
        return found.build();
    }

    private static Stream<TextFile> pages(List<TextFile> files) {
        return files.stream().filter(file -> PAGE.matcher(file.path()).matches());
    }

    private static Stream<Finding> findings(Stream<TextFile> pages, Predicate<String> gone, String problem) {
        return pages.flatMap(page -> {
            var lines = prose(page);
            return IntStream.range(0, lines.size())
                    .boxed()
                    .flatMap(at -> QUOTED.matcher(lines.get(at))
                            .results()
                            .map(quoted -> Objects.requireNonNull(quoted.group(1)))
                            .filter(gone)
                            .map(quoted -> page.finding(at + 1, "`" + quoted + "` is " + problem, REMEDY)));
        });
    }

    /** The lines of a page, where those of listings are empty but for the participants of a sequence diagram. */
    private static List<String> prose(TextFile page) {
        boolean[] listing = new boolean[1];
        return page.lines().stream()
                .map(line -> {
                    boolean fence = FENCE.matcher(line).find();
                    listing[0] ^= fence;
                    if (!fence && !listing[0]) {
                        return line;
                    }
                    var participant = PARTICIPANT.matcher(line);
                    return participant.matches() ? "`" + participant.group(1) + "`" : "";
                })
                .toList();
    }
}
