// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.manual;

import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand.Help;
import java.util.List;
import java.util.Map;

/**
 * The possible command lines, from the help of the commands.
 *
 * @param commands by their names, in the order of the help
 */
public record CommandLines(Map<String, Help> commands) {

    /** The fixed words that a command takes after its name, such as the verbs of {@code tasks}; may be empty. */
    static List<String> verbs(Help help) {
        var words = help.usage().split(" ");
        return words.length > 1 ? choices(words[1]) : List.of();
    }

    /** The values that an option takes, where its help names them all. */
    static List<String> values(Option option) {
        return option.value() == null ? List.of() : choices(option.value());
    }

    /** Whether a word of the command can be a file or a folder. */
    static boolean takesFiles(Help help) {
        return help.usage().matches(".*\\b(FILE|DIR|PATH)\\b.*");
    }

    private static List<String> choices(String text) {
        return text.matches("[a-z0-9-]+(\\|[a-z0-9-]+)+") ? List.of(text.split("\\|")) : List.of();
    }
}
