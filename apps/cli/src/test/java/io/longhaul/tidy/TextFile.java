// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A file of the project, by its path from the root with forward slashes. */
record TextFile(String path, String text) {
    boolean isJava() {
        return path.endsWith(".java");
    }

    boolean isMainJava() {
        return isJava() && path.contains("/src/main/java/");
    }

    boolean isTestJava() {
        return isJava() && path.contains("/src/test/java/");
    }

    /** Whether the file describes a module, and so lies in no package. */
    boolean isModuleInfo() {
        return path.endsWith("/module-info.java");
    }

    /** The folder of the module that this file is in, such as {@code work/shell}. */
    String module() {
        var end = path.indexOf("/src/");
        return end < 0 ? "" : path.substring(0, end);
    }

    /** The package that the place of this Java file stands for. */
    String packageName() {
        var start = path.indexOf("/java/") + "/java/".length();
        var end = path.lastIndexOf('/');
        return end < start ? "" : path.substring(start, end).replace('/', '.');
    }

    List<String> lines() {
        return text.lines().toList();
    }

    Finding finding(int line, String problem, String remedy) {
        return new Finding(path, line, problem, remedy);
    }

    /** A finding for each line in which the pattern occurs, with what it matched put into the problem. */
    Stream<Finding> findEach(Pattern pattern, Function<String, String> problem, String remedy) {
        var lines = lines();
        return IntStream.range(0, lines.size()).boxed().flatMap(at -> {
            var match = pattern.matcher(lines.get(at));
            return match.find() ? Stream.of(finding(at + 1, problem.apply(match.group()), remedy)) : Stream.empty();
        });
    }
}
