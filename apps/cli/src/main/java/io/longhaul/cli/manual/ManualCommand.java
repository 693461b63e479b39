// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.manual;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.file.text.EnumWords;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Prints a text that is made from the help of all commands.
 *
 * @param lines the command lines, read when they are needed
 */
public record ManualCommand(Help help, Function<Arguments, List<String>> text) implements CliCommand {

    public static ManualCommand completion(Supplier<CommandLines> lines) {
        var help = new Help(
                "completion bash|zsh|fish",
                "print a script that completes command lines in a shell",
                List.of("bash:  source <(longhaul completion bash)", "fish:  longhaul completion fish | source"),
                List.of());
        return new ManualCommand(help, arguments -> {
            arguments.expectWords(1);
            return shell(arguments.word(0, "the shell")).script(lines.get());
        });
    }

    public static ManualCommand manual(Supplier<CommandLines> lines) {
        var help = new Help(
                "manual",
                "print a page for man",
                List.of("longhaul manual > longhaul.1, and then: man ./longhaul.1"),
                List.of());
        return new ManualCommand(help, arguments -> {
            arguments.expectWords(0);
            return ManPage.of(lines.get());
        });
    }

    private static Completion shell(String name) {
        return EnumWords.find(Completion.class, name)
                .orElseThrow(() ->
                        UsageException.unknown("there is no completion for", name, EnumWords.all(Completion.class)));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        text.apply(arguments).forEach(terminal.out()::println);
        return ExitCode.OK;
    }
}
