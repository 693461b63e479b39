// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.Command.Help;
import io.longhaul.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The page of the commands is made of their help; {@code -Dpages.rewrite=true} writes it. */
class CliPageTest {

    private static final String INTRODUCTION = """
            # The commands

            After this page you know each command of `longhaul` and each of its options. The page is generated from what
            `longhaul COMMAND --help` prints, and `CliPageTest` compares the two. In a checkout, run `./longhaul`.
            `longhaul completion bash` (or `zsh`, `fish`) prints completion for a shell, and `longhaul manual` a page
            for `man`.

            A command that fails prints one line on standard error. Each command ends with one of these codes:

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
        Cli.lines().commands().forEach((name, help) -> command(page, name, help));
        return page.toString();
    }

    private static void code(StringBuilder page, int code, String when) {
        page.append("| %d | %s |\n".formatted(code, when));
    }

    private static void command(StringBuilder page, String name, Help help) {
        page.append("\n## ").append(name).append("\n\n").append(sentence(help.summary()));
        page.append("\n\n```text\nlonghaul %s%s\n```\n"
                .formatted(help.usage(), help.options().isEmpty() ? "" : " [options]"));
        if (!help.details().isEmpty()) {
            page.append("\n```text\n%s\n```\n".formatted(String.join("\n", help.details())));
        }
        if (!help.options().isEmpty()) {
            page.append("\n| option | what it does |\n|---|---|\n");
            help.options()
                    .forEach(option -> page.append("| `%s%s` | %s |\n"
                            .formatted(
                                    option.name(),
                                    option.value() == null
                                            ? ""
                                            : " " + option.value().replace("|", "\\|"),
                                    option.help().replace("|", "\\|"))));
        }
    }

    private static String sentence(String summary) {
        return Character.toUpperCase(summary.charAt(0)) + summary.substring(1) + ".";
    }
}
