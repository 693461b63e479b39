// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What stands between two fences of a page.
 *
 * @param page     its path from the root of the project
 * @param line     of its first fence, from 1
 * @param language behind that fence; empty where the page names none
 */
record Listing(String page, int line, String language, String text) {

    private static final Pattern FENCED = Pattern.compile("(?ms)^ {0,3}```(\\w*)\\n(.*?)^ {0,3}```$");
    private static final Pattern INLINE = Pattern.compile("`((?:\\./)?longhaul [a-z][^`\\n]*)`");

    /** Of every page that is written for users. */
    static List<Listing> all() {
        var all = new ArrayList<Listing>();
        for (var page : pages()) {
            var text = read(page);
            FENCED.matcher(text)
                    .results()
                    .forEach(found -> all.add(new Listing(
                            name(page),
                            lineOf(text, found.start()),
                            found.group(1),
                            found.group(2).stripIndent())));
        }
        return all;
    }

    /** Commands within sentences. */
    static List<Listing> inline() {
        var all = new ArrayList<Listing>();
        for (var page : pages()) {
            var text = FENCED.matcher(read(page))
                    .replaceAll(found -> Matcher.quoteReplacement(
                            "\n".repeat(Math.toIntExact(found.group().lines().count()) - 1)));
            INLINE.matcher(text)
                    .results()
                    .forEach(found ->
                            all.add(new Listing(name(page), lineOf(text, found.start()), "sh", found.group(1))));
        }
        return all;
    }

    /** Every Java source of the project, without its white space. */
    static List<String> sources() {
        return files("java").stream().map(Listing::read).map(Listing::dense).toList();
    }

    /** The text without its white space: a page may break its lines elsewhere than the formatter does. */
    static String dense(String text) {
        return text.replaceAll("\\s", "");
    }

    @Override
    public String toString() {
        return page + ":" + line + " " + language;
    }

    private static List<Path> pages() {
        return files("md").stream()
                .filter(page -> !name(page).startsWith("docs/decisions/"))
                .toList();
    }

    private static List<Path> files(String ending) {
        try (Stream<Path> files = Files.walk(root())) {
            return files.filter(file -> file.toString().endsWith("." + ending))
                    .filter(file -> !name(file).matches("(.*/)?(target|node_modules|\\.[^/]+)/.*"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path root() {
        return Path.of("../..").toAbsolutePath().normalize();
    }

    private static String name(Path file) {
        return root().relativize(file).toString().replace('\\', '/');
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int lineOf(String text, int at) {
        return Math.toIntExact(
                1 + text.substring(0, at).chars().filter(it -> it == '\n').count());
    }
}
