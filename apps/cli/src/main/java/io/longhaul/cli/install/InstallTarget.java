// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The host and the server that a command line names. */
record InstallTarget(Host host, String server, Optional<String> named, Optional<Path> to) {

    static final Option NAME =
            Option.valued("--name", "NAME", "what the host calls the server; the name of FILE by default");

    /** The servers of the host itself. */
    static final Option BEHIND = Option.flag(
            "--behind", "the host's own servers, all of them: a gateway stands in their place; without FILE or URL");

    /** The file of the host whose servers a command line means. */
    static HostFile behind(Arguments arguments, Option to, Terminal terminal) {
        arguments.expectWords(1);
        var host = host(arguments);
        var path = arguments.value(to).map(Path::of);
        if (host == Host.CLAUDE_CODE && path.isEmpty()) {
            throw new UsageException(
                    "Claude Code keeps the servers of a user itself. Name the file of a project:" + " --to .mcp.json");
        }
        return path.map(file -> new HostFile(host, file)).orElseGet(() -> HostFile.own(host, terminal));
    }

    private static Host host(Arguments arguments) {
        var word = arguments.word(0, "the host");
        return Host.find(word).orElseThrow(() -> UsageException.unknown("there is no host", word, Host.words()));
    }

    static InstallTarget of(Arguments arguments, Option to) {
        arguments.expectWords(2);
        var host = host(arguments);
        return new InstallTarget(
                host,
                arguments.word(1, "the file or the address of the server"),
                arguments.value(NAME),
                arguments.value(to).map(Path::of));
    }

    /** The address of the server; empty for a file of tools. */
    Optional<URI> address() {
        return server.matches("https?://[^\\s]+") ? Optional.of(URI.create(server)) : Optional.empty();
    }

    /** What the host calls the server. */
    String name() {
        return named.orElseGet(() -> address()
                .map(uri -> uri.getHost().matches("localhost|[0-9.:\\[\\]]+")
                        ? "longhaul"
                        : uri.getHost().replace('.', '-'))
                .orElseGet(() -> String.valueOf(Path.of(server).getFileName()).replaceFirst("\\.ya?ml$", "")));
    }

    /** Whether the host keeps its servers by a command of its own. */
    boolean isByCommand() {
        return host == Host.CLAUDE_CODE && to.isEmpty();
    }

    /** The whole path of a program where it is in PATH, since a desktop has another PATH than a terminal. */
    static String program(String name, Terminal terminal) {
        var places = terminal.env().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator));
        return Stream.of(places)
                .filter(place -> !place.isEmpty())
                .flatMap(place -> Stream.of(name, name + ".cmd", name + ".exe").map(Path.of(place)::resolve))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst()
                .map(found -> found.toAbsolutePath().toString())
                .orElse(name);
    }

    HostFile file(Terminal terminal) {
        return to.map(path -> new HostFile(host, path)).orElseGet(() -> HostFile.own(host, terminal));
    }
}
