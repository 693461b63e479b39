// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.config.PortAddress;
import io.longhaul.cli.config.ServerFile;
import io.longhaul.console.Console;
import io.longhaul.console.ConsoleKey;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.transport.http.Http;
import io.longhaul.transport.http.Tls;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The console of a server, at a port of its own: for the bearer of the key that is printed, and for those whom the
 * server itself knows by their tokens. Thread-safe.
 */
final class ConsolePort implements AutoCloseable {
    private static final String PATH = "/console";

    private final Console console;
    private final ConsoleKey key;
    private final Http http;

    private ConsolePort(Console console, ConsoleKey key, Http http) {
        this.console = console;
        this.key = key;
        this.http = http;
    }

    /**
     * Where a file wants it; nothing is opened yet.
     *
     * @param main where the server itself is served: whoever has an authorization there has it here
     * @param env  where secrets may be
     */
    static Optional<ConsolePort> of(ServerFile file, ServerTransport main, Map<String, String> env) {
        return file.console().map(address -> {
            try {
                return at(address, file, main, env);
            } catch (IllegalArgumentException e) {
                throw new UsageException("the console cannot be served: " + e.getMessage() + ".");
            }
        });
    }

    private static ConsolePort at(PortAddress address, ServerFile file, ServerTransport main, Map<String, String> env) {
        var console = Console.at(PATH);
        var key = ConsoleKey.random(new SecureRandom());
        var http = Http.onPort(address.port())
                .path(console.endpoint())
                .site(console.site())
                .principals(callers(key, main))
                // A page of a rebound name has this origin and not the token, which browsers keep by the name.
                .allowSameOrigin();
        file.limits().apply(http);
        address.host().ifPresent(http::bindAddress);
        if (!http.isLocal()) {
            tls(file, main, env).ifPresent(http::tls);
        }
        if (main instanceof Http served) {
            share(served, http);
        }
        return new ConsolePort(console, key, http);
    }

    /** The names of the server are those of its console, whose printed link names an address of this machine. */
    private static void share(Http main, Http console) {
        console.allowOrigins(main.origins().toArray(String[]::new));
        if (!main.hosts().isEmpty()) {
            console.allowHosts(main.hosts().toArray(String[]::new));
            console.allowHosts(console.url().getHost());
        }
    }

    /** The certificate is for the name of the server, which the loopback address has not. */
    private static Optional<Tls> tls(ServerFile file, ServerTransport main, Map<String, String> env) {
        return main instanceof Http served && served.tls().isPresent()
                ? served.tls()
                : file.callers().tls().map(read -> read.apply(env));
    }

    private static PrincipalResolver callers(ConsoleKey key, ServerTransport main) {
        return main instanceof Http served
                ? served.principals().map(key::callers).orElseGet(key::callers)
                : key.callers();
    }

    /** Has a server that is in the making looked at. */
    void watch(McpServerBuilder server) {
        server.monitor(console);
    }

    ServerTransport transport() {
        return http;
    }

    /** The link, and what is to be known of it. */
    List<String> announcement() {
        var link = "console at " + key.link(http.url().resolve(console.page()));
        return http.isLocal() || http.url().getScheme().equals("https")
                ? List.of(link)
                : List.of(link, "warning: the console is served over plain HTTP, where others may read its token");
    }

    @Override
    public void close() {
        console.close();
    }
}
