// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand.Help;
import io.longhaul.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The page of the commands is made of their help; {@code -Dpages.rewrite=true} writes it. */
class CliPageTest {

    private static final String INTRODUCTION = """
            # The commands

            After this page you know each command of `longhaul` and its options. In a checkout, run `./longhaul`.
            `CliPageTest` generates the page from what `longhaul COMMAND --help` prints. What several commands print is
            told at the first of them.

            A failing command prints one line on standard error. The exit codes, which `--help` tells of each command:

            | code | when |
            |---|---|
            """;

    @Test
    void the_page_is_what_the_help_says() throws IOException {
        var page = Listing.root().resolve("docs/CLI.md");
        if (Boolean.getBoolean("pages.rewrite")) {
            Files.writeString(page, text());
        }
        assertThat(Files.readString(page))
                .as("run this test with -Dpages.rewrite=true")
                .isEqualTo(text());
    }

    private static String text() {
        var page = new StringBuilder(INTRODUCTION);
        code(page, ExitCode.OK, "success");
        code(page, ExitCode.TOOL_ERROR, "the tool says that it failed");
        code(page, ExitCode.USAGE, "the command line, or a file that it names, is invalid");
        code(page, ExitCode.PROTOCOL_ERROR, "the server refused, or the call ended with a protocol error or was lost");
        code(
                page,
                ExitCode.CONNECTION,
                "the server cannot be reached, the command cannot serve, or the output cannot be written");
        code(page, ExitCode.CANCELLED, "the call was cancelled");
        code(page, ExitCode.UNANSWERED, "a question of the server could not be answered");
        code(page, ExitCode.INTERNAL, "an internal error of the program");
        code(page, ExitCode.INTERRUPTED, "interrupted by Ctrl-C");
        var told = new HashMap<String, String>();
        Cli.lines().commands().forEach((name, help) -> command(page, told, name, help));
        return page.toString();
    }

    private static void code(StringBuilder page, int code, String when) {
        page.append("| %d | %s |\n".formatted(code, when));
    }

    /**
     * The section of one command.
     *
     * @param told the first command of each line and each option
     */
    private static void command(StringBuilder page, Map<String, String> told, String name, Help help) {
        page.append("\n## ").append(name).append("\n\n").append(sentence(help.summary()));
        page.append("\n\n```text\nlonghaul %s%s\n```\n"
                .formatted(help.usage(), help.options().isEmpty() ? "" : " [options]"));
        var elsewhere = new LinkedHashMap<String, Set<String>>();
        var lines = help.details().stream()
                .map(CliPageTest::withoutCodes)
                .flatMap(String::lines)
                .filter(line -> told.computeIfAbsent(line, unseen -> name).equals(name))
                .toList();
        if (!lines.isEmpty()) {
            page.append("\n```text\n%s\n```\n".formatted(String.join("\n", lines)));
        }
        var rows = help.options().stream()
                .filter(option -> isFirst(row(option), "`" + option.name() + "`", name, told, elsewhere))
                .map(CliPageTest::row)
                .toList();
        if (!rows.isEmpty()) {
            page.append("\n| option | what it does |\n|---|---|\n").append(String.join("", rows));
        }
        elsewhere.forEach((first, what) -> page.append("\nSee [%s](#%s) for %s.\n"
                .formatted(first, first, what.size() > 9 ? "its other options" : String.join(", ", what))));
    }

    private static boolean isFirst(
            String words, String what, String name, Map<String, String> told, Map<String, Set<String>> elsewhere) {
        var first = told.computeIfAbsent(words, unseen -> name);
        if (!first.equals(name)) {
            elsewhere.computeIfAbsent(first, unseen -> new LinkedHashSet<>()).add(what);
        }
        return first.equals(name);
    }

    private static String row(Option option) {
        return "| `%s%s` | %s |\n"
                .formatted(
                        option.name(),
                        option.value() == null ? "" : " " + option.value().replace("|", "\\|"),
                        option.help().replace("|", "\\|"));
    }

    /** The codes are the first table of the page. */
    private static String withoutCodes(String text) {
        return text.replaceAll("(?m)^exit codes:.*(\\R[ ]{2,}.*)*\\R?", "");
    }

    private static String sentence(String summary) {
        return Character.toUpperCase(summary.charAt(0)) + summary.substring(1) + ".";
    }
}
