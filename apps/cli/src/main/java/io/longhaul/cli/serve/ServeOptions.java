// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.data.SealingKeys;
import io.longhaul.cli.data.StoreOptions;
import io.longhaul.cli.exit.UsageException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The options for serving a file.
 *
 * @param file    of the tools
 * @param stdio   whether over standard input and output, else over HTTP
 * @param http    the address for HTTP
 * @param data    the data folder, or empty for the default
 * @param auth    the authorization of callers over HTTP, in addition to the file
 * @param pem     the certificate files of the server, in addition to the file
 */
record ServeOptions(Path file, boolean stdio, Address http, Optional<Path> data, Auth auth, Optional<Pem> pem) {
    private static final List<String> WATCH_WORDS = List.of("on", "off");

    /** Whether the file is read again when it changes; by default, it is in a server at a terminal. */
    static final Option WATCH = Option.optional(
            "--watch",
            "on|off",
            Pattern.compile(String.join("|", WATCH_WORDS)),
            "read the file again when it changes, as at SIGHUP; on for a server at a terminal");

    private static final Pattern HOST = Pattern.compile("[\\w.-]+|\\[[0-9a-fA-F:.]+]");
    private static final Pattern ORIGIN = Pattern.compile("(?i)[a-z][a-z0-9+.-]*://(" + HOST + ")(:\\d{1,5})?|null");

    static final int DEFAULT_PORT = 8080;
    private static final Option HTTP = Option.valued(
            "--http", "PORT", "serve over HTTP on this port, " + DEFAULT_PORT + " by default, 0 for a free one");
    private static final Option HTTP_OF_GATEWAY =
            Option.valued(HTTP.name(), "PORT", "serve over HTTP on this port, 0 for a free one, instead of over stdio");
    private static final Option STDIO = Option.flag("--stdio", "serve over standard input and output");
    private static final Option SSE =
            Option.flag("--sse", "serve the deprecated HTTP with SSE at /sse too, for the oldest clients");
    private static final Option POLL = Option.valued(
            "--poll", "TIME", "close each stream after this time, such as 30s; several JVM clients do not reconnect");
    static final Option DATA = Option.valued(
            "--data",
            "DIR",
            "keep tasks in this folder; by default, each file has its own in ~/.local/state/longhaul"
                    + " or $XDG_STATE_HOME/longhaul");
    private static final Option BIND =
            Option.valued("--bind", "ADDRESS", "listen on this address instead of 127.0.0.1");
    private static final Option HOSTS =
            Option.valued("--allow-host", "NAME", "serve requests for this host too; may be repeated");
    private static final Option ORIGINS =
            Option.valued("--allow-origin", "ORIGIN", "accept requests from web pages of this origin; may be repeated");
    private static final Option AUTH = Option.valued(
            "--auth", "ISSUER", "accept only tokens of this authorization server; auth: in the file can say more");
    private static final Option RESOURCE =
            Option.valued("--resource", "URL", "the address of this server that clients use and tokens name");
    private static final Option CERTIFICATE =
            Option.valued("--tls-cert", "FILE", "serve HTTPS with the certificate chain in FILE, in PEM");
    private static final Option KEY =
            Option.valued("--tls-key", "FILE", "the key of the certificate, in PEM: PKCS#8 without a password");

    private static final List<Option> OF_HTTP =
            List.of(HTTP, SSE, POLL, BIND, HOSTS, ORIGINS, AUTH, RESOURCE, CERTIFICATE, KEY);

    static final List<Option> ALL = beside(HTTP);

    /** The options of a gateway, which serves over standard input and output unless a port is given. */
    static final List<Option> OF_GATEWAY = beside(HTTP_OF_GATEWAY);

    private static List<Option> beside(Option http) {
        return Stream.of(
                        List.of(http, STDIO, SSE, POLL, DATA, SealingKeys.OPTION, LimitOptions.OPTION),
                        List.of(BIND, HOSTS, ORIGINS, AUTH, RESOURCE, CERTIFICATE, KEY),
                        StoreOptions.ALL,
                        PortOptions.ALL,
                        RecordingOptions.ALL,
                        List.of(WATCH))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * The address and the callers of HTTP.
     *
     * @param bind empty for the loopback address
     * @param sse  whether the deprecated HTTP with SSE is served, too
     * @param poll how long a resumable stream is held open; empty for no limit
     */
    record Address(
            int port,
            Optional<String> bind,
            boolean sse,
            Optional<Duration> poll,
            List<String> hosts,
            List<String> origins) {}

    /**
     * The authorization of callers over HTTP.
     *
     * @param issuer   of tokens; empty for the issuer in the file
     * @param resource the address of the server as its clients know it; empty for the address in the file, or the
     *     served address
     */
    record Auth(Optional<String> issuer, Optional<URI> resource) {}

    record Pem(Path certificate, Path key) {}

    static ServeOptions of(Arguments arguments) {
        var file = Path.of(arguments.word(0, "the file that lists the tools"));
        arguments.expectWords(1);
        return of(file, arguments.has(STDIO), arguments);
    }

    static ServeOptions ofGateway(Path file, Arguments arguments) {
        var http = OF_HTTP.stream().filter(arguments::has).findFirst();
        if (http.isPresent() && !arguments.has(HTTP)) {
            throw new UsageException(http.get().name() + " goes with --http. Add --http PORT.");
        }
        return of(file, http.isEmpty() && !StoreOptions.isForWork(arguments) || arguments.has(STDIO), arguments);
    }

    private static ServeOptions of(Path file, boolean stdio, Arguments arguments) {
        if (stdio) {
            refuse("--stdio", OF_HTTP, arguments);
        }
        if (StoreOptions.isForWork(arguments)) {
            refuse("--role work", Option.and(OF_HTTP, STDIO), arguments);
        }
        var http = new Address(
                arguments
                        .value(HTTP, ServeOptions::port, "is no port. Write a number from 0 to 65535.")
                        .orElse(DEFAULT_PORT),
                arguments.value(BIND),
                arguments.has(SSE),
                arguments.duration(POLL),
                all(arguments, HOSTS, HOST, "is no name of a host. Write one without a port: app.example."),
                all(
                        arguments,
                        ORIGINS,
                        ORIGIN,
                        "is no origin. Write scheme, host and perhaps port: https://app.example."));
        var auth = new Auth(
                arguments.value(AUTH),
                arguments.value(
                        RESOURCE,
                        ServeOptions::resource,
                        "is no address. Write one such as https://tools.example.com/mcp."));
        return new ServeOptions(file, stdio, http, arguments.value(DATA).map(Path::of), auth, pem(arguments));
    }

    private static void refuse(String option, List<Option> others, Arguments arguments) {
        for (var other : others) {
            if (arguments.has(other)) {
                throw new UsageException(
                        option + " and " + other.name() + " do not go together. Leave out one of them.");
            }
        }
    }

    /** @param isAtTerminal whether a person sees what the server says */
    static boolean watches(Arguments arguments, boolean isAtTerminal) {
        return arguments
                .value(
                        WATCH,
                        text -> Optional.of(text).filter(word -> word.isEmpty() || WATCH_WORDS.contains(word)),
                        "is neither on nor off. Write one of them.")
                .map(word -> !word.equals("off"))
                .orElse(isAtTerminal);
    }

    private static List<String> all(Arguments arguments, Option option, Pattern form, String problem) {
        var values = arguments.values(option);
        values.stream()
                .filter(text -> !form.matcher(text).matches())
                .findFirst()
                .ifPresent(text -> {
                    throw new UsageException(option.name() + " \"" + text + "\" " + problem);
                });
        return values;
    }

    private static Optional<Pem> pem(Arguments arguments) {
        var certificate = arguments.value(CERTIFICATE).map(Path::of);
        var key = arguments.value(KEY).map(Path::of);
        if (certificate.isPresent() != key.isPresent()) {
            throw new UsageException("--tls-cert and --tls-key go together. Add the other one of them.");
        }
        return certificate.flatMap(file -> key.map(secret -> new Pem(file, secret)));
    }

    private static Optional<URI> resource(String text) {
        try {
            return Optional.of(URI.create(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<Integer> port(String text) {
        return Optional.of(text)
                .filter(digits -> digits.matches("\\d{1,5}"))
                .map(Integer::valueOf)
                .filter(port -> port <= 65_535);
    }
}
