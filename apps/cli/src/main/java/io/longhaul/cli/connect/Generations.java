// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The generations that {@code --generation} can choose, by their names. */
public final class Generations {

    private static final String PLAIN_NAME = "plain";
    private static final Generation PLAIN = ClientDialects.plain();

    public static final Option OPTION =
            Option.valued("--generation", "NAME", "speak this generation only; by default the newest revision");

    private static final List<String> HELP = List.of(
            "A generation is one form of the protocol for calls that take long. NAME is a revision of the protocol,",
            "  " + labels(true) + ",",
            "or a former draft: " + labels(false) + ";",
            "or plain, for a client that knows no tasks (" + PLAIN + ").");

    private Generations() {}

    /** The help lines of a command, followed by the help on generations. */
    public static List<String> help(String... lines) {
        return Stream.concat(Stream.of(lines), HELP.stream()).toList();
    }

    private static String labels(boolean published) {
        return ClientDialects.spoken().stream()
                .filter(generation -> generation.isPublished() == published)
                .map(Generation::label)
                .collect(Collectors.joining(", "));
    }

    /** The chosen generation, or empty where client and server agree on one. */
    public static Optional<Generation> chosen(Arguments arguments) {
        return arguments.value(OPTION).map(Generations::named);
    }

    /** Whether the user chose a client that knows no tasks, in any revision. */
    public static boolean isPlain(Arguments arguments) {
        return arguments.value(OPTION).filter(PLAIN_NAME::equals).isPresent();
    }

    private static Generation named(String name) {
        return Optional.of(name)
                .map(given -> given.equals(PLAIN_NAME) ? PLAIN : null)
                .or(() -> Generation.named(name).filter(ClientDialects.spoken()::contains))
                .orElseThrow(() -> UsageException.unknown("there is no generation", name, names()));
    }

    private static List<String> names() {
        var names = new ArrayList<>(List.of(PLAIN_NAME));
        ClientDialects.spoken().forEach(generation -> names.add(generation.label()));
        return names;
    }
}
