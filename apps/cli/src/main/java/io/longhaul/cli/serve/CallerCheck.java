// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.config.AuthEntry;
import io.longhaul.cli.config.ServerFile;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Sets up the authorization of callers over HTTP, from the file or the command line. */
final class CallerCheck {

    private CallerCheck() {}

    /**
     * Has a transport accept only authorized callers, where that is configured.
     *
     * @param env the environment, with secrets
     */
    static void authorize(Http http, ServerFile file, ServeOptions.Auth options, Map<String, String> env) {
        var wanted = entry(file, options);
        if (wanted.isPresent()) {
            try {
                var resource = options.resource().or(wanted.get()::resource).orElseGet(() -> served(http));
                var builder = ResourceServer.of(resource);
                wanted.get().settings().apply(builder, env);
                http.principals(builder.build());
            } catch (IllegalArgumentException e) {
                throw new UsageException("the authorization cannot work: " + e.getMessage() + ".");
            }
            return;
        }
        if (options.resource().isPresent()) {
            throw new UsageException("--resource is for an authorization. Add --auth ISSUER, or auth: to the file.");
        }
        file.tools().stream()
                .filter(tool -> !tool.label().scopes().isEmpty())
                .findFirst()
                .ifPresent(tool -> {
                    throw new UsageException("the tool " + tool.name() + " has scopes, which only an authorization"
                            + " gives. Add --auth ISSUER, or auth: to the file.");
                });
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
