// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.console.Console;
import io.longhaul.console.ConsoleKey;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.PortAddress;
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
 * The console of a server, at a port of its own. The console admits the holder of the printed key, and callers whose
 * tokens the server itself accepts. Thread-safe.
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
     * The console of a file, where it has one; no port is opened yet.
     *
     * @param main the transport of the server itself, whose authorization is also valid here
     * @param env  the environment, with secrets
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
                // After DNS rebinding, a page may have this origin, but not the token, because browsers keep it by host
                // name.
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

    /** Lets the console answer to the host names of the server, and to the address in the printed link. */
    private static void share(Http main, Http console) {
        console.allowOrigins(main.origins().toArray(String[]::new));
        if (!main.hosts().isEmpty()) {
            console.allowHosts(main.hosts().toArray(String[]::new));
            console.allowHosts(console.url().getHost());
        }
    }

    /**
     * The TLS settings of a console that is not local. A local console has none: the loopback address does not match
     * the name in the certificate.
     */
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

    /** Connects the console to a server before the server starts. */
    void watch(McpServerBuilder server) {
        server.monitor(console);
    }

    ServerTransport transport() {
        return http;
    }

    /** The lines with the link, for the person who starts the server. */
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
