// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command of a listing for a shell, as far as pages need it.
 *
 * @param words without the variables before the command, and without where its output goes
 */
record CommandLine(List<String> words) {

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|[^\\s\"']+");

    /** The commands of the lines of a listing. */
    static Stream<CommandLine> of(String listing) {
        return listing.replace("\\\n", " ")
                .lines()
                .map(line -> line.replaceFirst("(^|\\s)#.*", ""))
                .flatMap(line -> Stream.of(line.split(" (?:&&|\\|\\||\\|) ", -1)))
                .map(CommandLine::words)
                .filter(words -> !words.isEmpty())
                .map(CommandLine::new);
    }

    private static List<String> words(String command) {
        var words = new ArrayList<String>();
        for (var word : WORD.matcher(command.strip()).results().toList()) {
            var text = word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group();
            if (text.matches("[<>&]+")) {
                break;
            }
            boolean isVariable = words.isEmpty() && text.matches("[A-Z_]+=.*");
            if (!isVariable) {
                words.add(text);
            }
        }
        return words;
    }

    String name() {
        return words.getFirst();
    }

    boolean isOurs() {
        return name().equals("longhaul") || name().endsWith("/longhaul");
    }
}
