// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.command;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/**
 * Another name for a command, or for a command with some of its words.
 *
 * @param usage   as in the help of a command
 * @param summary as in the help of a command
 * @param meant   the command
 * @param words   the words with which its line begins: a verb, and options
 */
public record AliasCommand(String usage, String summary, CliCommand meant, List<String> words) implements CliCommand {

    @Override
    public Help help() {
        var of = meant.help();
        var options = of.options().stream()
                .filter(option -> words.isEmpty() || option.isOf(words.getFirst()))
                .filter(option -> !words.contains(option.name()))
                .map(Option::ofAll)
                .toList();
        var whole = new ArrayList<>(List.of("longhaul", of.usage().split(" ")[0]));
        whole.addAll(words);
        return new Help(usage, summary, List.of("The same as " + String.join(" ", whole) + "."), options);
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws Exception {
        var line = new ArrayList<>(words);
        line.addAll(arguments.line());
        return meant.run(Arguments.parse(line, meant.help().options()), terminal);
    }
}
