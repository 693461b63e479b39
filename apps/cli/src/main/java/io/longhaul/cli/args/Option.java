// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.args;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An option that a command takes.
 *
 * @param name  the name with its dashes, such as {@code --http}
 * @param value the name of its value in the help, or null where the option takes none
 * @param form  the form of an optional value: the next word is the value only where it has this form; null where a
 *     value is required, or none is taken
 * @param help  one sentence
 * @param verbs the verbs of the command that take the option; empty where the whole command does
 */
public record Option(
        String name, @Nullable String value, @Nullable Pattern form, String help, List<String> verbs) {
    /** The own options of a command, and options that it shares with others. */
    public static List<Option> and(List<Option> shared, Option... own) {
        return Stream.concat(Stream.of(own), shared.stream()).toList();
    }

    /** An option without a value. */
    public static Option flag(String name, String help) {
        return new Option(name, null, null, help, List.of());
    }

    /** An option with a value: {@code --name VALUE} or {@code --name=VALUE}. */
    public static Option valued(String name, String value, String help) {
        return new Option(name, value, null, help, List.of());
    }

    /** An option whose value may be left out: {@code --name} or {@code --name VALUE}. */
    public static Option optional(String name, String value, Pattern form, String help) {
        return new Option(name, "[" + value + "]", form, help, List.of());
    }

    /** This option, which these verbs of its command take and no others; its help begins with them. */
    public Option of(String... verbs) {
        return new Option(name, value, form, String.join(", ", verbs) + ": " + help, List.of(verbs));
    }

    /** This option, for a command without verbs. */
    public Option ofAll() {
        return new Option(name, value, form, help, List.of());
    }

    /** Whether a verb of the command takes this option. */
    public boolean isOf(String verb) {
        return verbs.isEmpty() || verbs.contains(verb);
    }
}
