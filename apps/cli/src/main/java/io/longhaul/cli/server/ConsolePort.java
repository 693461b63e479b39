// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.console.Console;
import io.longhaul.console.ConsoleKey;
import io.longhaul.console.MessageLog;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.PortAddress;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.transport.http.Http;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The console of a server, at a port of its own. The console admits the holder of the printed key, and callers whose
 * tokens the server itself accepts. Thread-safe.
 */
record ConsolePort(Console console, ConsoleKey key, Http transport) implements AutoCloseable {
    private static final String PATH = "/console";

    /**
     * The console of a file, where it has one; no port is opened yet.
     *
     * @param main the HTTP transport of the server itself, whose authorization is also valid here
     * @param env  the environment, with secrets
     */
    static Optional<ConsolePort> of(ServerFile file, Optional<Http> main, Map<String, String> env) {
        return file.console()
                .map(address ->
                        UsageException.expect("the console cannot be served: ", () -> at(address, file, main, env)));
    }

    private static ConsolePort at(PortAddress address, ServerFile file, Optional<Http> main, Map<String, String> env) {
        var console = Console.at(PATH);
        var key = ConsoleKey.random(new SecureRandom());
        var http = Http.onPort(address.port())
                .path(console.endpoint())
                .site(console.site())
                .principals(main.flatMap(served -> served.principals())
                        .map(key::callers)
                        .orElseGet(key::callers))
                // After DNS rebinding, a page may have this origin, but not the token, because browsers keep it by host
                // name.
                .allowSameOrigin();
        file.limits().apply(http);
        address.host().ifPresent(http::bindAddress);
        // A local console has no TLS: the loopback address does not match the name in the certificate.
        if (!http.isLocal()) {
            main.flatMap(served -> served.tls())
                    .or(() -> file.callers().tls().map(read -> read.apply(env)))
                    .ifPresent(http::tls);
        }
        main.ifPresent(served -> share(served, http));
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

    /** Connects the console to a server before the server starts, and to the log of its messages. */
    void watch(McpServerBuilder server, Optional<MessageLog> messages) {
        server.monitor(console);
        messages.ifPresent(console::messages);
    }

    /** The lines with the link, for the person who starts the server. */
    List<String> announcement() {
        var link = "console at " + key.link(transport.url().resolve(console.page()));
        return transport.isLocal() || transport.url().getScheme().equals("https")
                ? List.of(link)
                : List.of(link, "warning: the console is served over plain HTTP, where others may read its token");
    }

    @Override
    public void close() {
        console.close();
    }
}
