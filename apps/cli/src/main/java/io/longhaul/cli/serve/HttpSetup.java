// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.file.ServerFile;
import io.longhaul.file.secret.PrivateFile;
import io.longhaul.file.settings.AuthEntry;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import io.longhaul.transport.http.Http;
import io.longhaul.transport.http.Tls;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Sets up a server over HTTP and the authorization of its callers, from the file and the command line. */
final class HttpSetup {
    /** The time after which a client whose stream was closed shall come back. */
    private static final Duration COME_BACK = Duration.ofSeconds(1);

    private HttpSetup() {}

    /**
     * The HTTP transport of the server.
     *
     * @param env the environment, with secrets
     */
    static Http http(ServeOptions options, ServerFile file, Map<String, String> env) {
        var address = options.http();
        return UsageException.expect("", () -> {
            var http = Http.onPort(address.port())
                    .allowHosts(address.hosts().toArray(String[]::new))
                    .allowOrigins(address.origins().toArray(String[]::new));
            file.limits().apply(http);
            if (address.sse()) {
                http.legacySse();
            }
            address.poll().ifPresent(open -> http.polled(open, COME_BACK));
            address.bind().ifPresent(http::bindAddress);
            tls(options, file, env).ifPresent(http::tls);
            authorize(http, file, options.auth(), env);
            return http;
        });
    }

    private static Optional<Tls> tls(ServeOptions options, ServerFile file, Map<String, String> env) {
        if (options.pem().isPresent() && file.callers().tls().isPresent()) {
            throw new UsageException("--tls-cert and tls: of the file do not go together. Leave out one of them.");
        }
        return options.pem()
                .map(pem -> Tls.pem(pem.certificate(), PrivateFile.warned(pem.key())))
                .or(() -> file.callers().tls().map(read -> read.apply(env)));
    }

    /**
     * Has a transport accept only authorized callers, where that is configured.
     *
     * @param env the environment, with secrets
     */
    private static void authorize(Http http, ServerFile file, ServeOptions.Auth options, Map<String, String> env) {
        var wanted = entry(file, options);
        if (wanted.isPresent()) {
            var resource = options.resource().or(wanted.get()::resource).orElseGet(() -> served(http));
            http.principals(UsageException.expect("the authorization cannot work: ", () -> {
                var builder = ResourceServer.of(resource);
                wanted.get().settings().apply(builder, env);
                return builder.build();
            }));
            return;
        }
        if (options.resource().isPresent()) {
            throw new UsageException("--resource is for an authorization. Add --auth ISSUER, or auth: to the file.");
        }
        refuseScopes(file);
    }

    /** Refuses the scopes of tools, where there is no authorization. */
    private static void refuseScopes(ServerFile file) {
        file.tools().stream()
                .filter(tool -> !tool.label().scopes().isEmpty())
                .findFirst()
                .ifPresent(tool -> {
                    throw new UsageException("the tool " + tool.name() + " has scopes, which only an authorization"
                            + " gives. Add --auth ISSUER, or auth: to the file.");
                });
    }

    /** Checks another version of the file of a server whose authorization stays as it is. */
    static void check(Http served, ServerFile next) {
        if (served.principals().isEmpty()) {
            refuseScopes(next);
        }
    }

    private static Optional<AuthEntry> entry(ServerFile file, ServeOptions.Auth options) {
        if (options.issuer().isEmpty()) {
            return file.auth();
        }
        if (file.auth().isPresent()) {
            throw new UsageException("--auth and auth: of the file do not go together. Leave out one of them.");
        }
        var issuer = TokenIssuer.named(options.issuer().get());
        return Optional.of(new AuthEntry(Optional.empty(), (builder, env) -> builder.issuer(issuer)));
    }

    /** The served address, by which clients on this machine know the server. */
    private static URI served(Http http) {
        if (!http.isLocal() || http.port() == 0) {
            throw new UsageException("an authorization is for one address. Say --resource URL with the address by which"
                    + " clients reach this server, such as https://tools.example.com/mcp.");
        }
        return http.url();
    }
}
