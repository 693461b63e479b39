// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.rights;

import io.longhaul.authorization.CallerTokens;
import io.longhaul.authorization.ConfidentialClient;
import io.longhaul.authorization.WebLogin;
import io.longhaul.file.secret.FieldSecret;
import io.longhaul.file.secret.PrivateFile;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.transport.client.Authorization;
import io.longhaul.transport.http.Tls;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How this server is authorized at an upstream or an API, by the names of the fields.
 *
 * @param resource what tokens are for; null for the server itself
 * @param callers how calls get the rights of their callers; null where they have those of the gateway
 * @param identity for logins of callers; empty for a client that registers itself
 * @param known    the registration of this server
 */
public record RightsEntry(
        @Nullable String issuer,
        Known known,
        List<String> scopes,
        @Nullable URI resource,
        @Nullable Callers callers,
        Optional<Identifying> identity) {

    /**
     * The registration of this server as a client.
     *
     * @param keyFile null where the client has a secret
     */
    public record Known(
            @Nullable String clientId,
            FieldSecret secret,
            @Nullable Path keyFile) {}

    /** The client of this server at the issuer of its callers, which identifies who logs in. */
    public record Identifying(@Nullable String clientId, FieldSecret secret) {}

    /** How a call gets the rights of its caller. */
    public enum Callers {
        EXCHANGE,
        ASSERTION,
        LOGIN
    }

    /** Tells the mistakes in the fields {@code auth} of an owner, and in what stands beside them. */
    public void check(FileFields file, String owner) {
        var at = owner + "/auth";
        if (callers != null) {
            warnWithoutCallers(file, at + "/callers");
        }
        file.node(owner + "/headers").propertyNames().stream()
                .filter(name -> !isLogin() && "Authorization".equalsIgnoreCase(name))
                .forEach(name -> file.wrong(
                        YamlTree.below(owner + "/headers", name), "stands beside auth", "Keep one of the two"));
        if (isLogin()) {
            Stream.of("keyFile", "resource")
                    .map(field -> at + "/" + field)
                    .filter(file::has)
                    .forEach(place -> file.wrong(place, "stands beside callers: login", "Leave it out"));
            if (owner.endsWith("/http")) {
                file.wrong(at + "/callers", "is login, which is for upstreams alone", "Write exchange or assertion");
            }
            return;
        }
        for (var field : List.of("issuer", "clientId")) {
            if (!file.has(at + "/" + field) && !file.isTakenOut(at + "/" + field)) {
                var value = field.equals("issuer") ? "https://login.example.com" : "gateway";
                file.lacks(at, "has no " + field, "Add it, such as " + field + ": \"" + value + "\"");
            }
        }
        var keyFile = known.keyFile();
        var secret = known.secret();
        if (keyFile != null && !secret.isAbsent()) {
            file.wrong(at + "/keyFile", "stands beside a secret", "Keep one of the two");
        } else if (keyFile == null && !secret.isNamed()) {
            var problem = "does not say by what the gateway proves who it is";
            file.lacks(at, problem, "Add one of secretFile:, secretEnv: and keyFile:");
        } else if (keyFile != null && !Files.isReadable(keyFile)) {
            file.wrong(at + "/keyFile", keyFile + " cannot be read", "Name a PKCS#8 key that this user may read");
        } else if (keyFile != null && !isKey(keyFile)) {
            var problem = keyFile + " is no PKCS#8 key of RSA, EC or Ed25519 without a password";
            file.wrong(at + "/keyFile", problem, "Make one of it by openssl pkcs8 -topk8 -nocrypt");
        } else if (keyFile == null && callers == Callers.ASSERTION) {
            file.wrong(at + "/callers", "assertion needs a key that signs", "Add keyFile:, or write exchange");
        }
        if (issuer != null && !isAddress(issuer)) {
            file.wrong(at + "/issuer", "is no address", "Write one such as https://login.example.com");
        }
    }

    private static boolean isKey(Path file) {
        try {
            Tls.privateKey(file);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isAddress(String text) {
        try {
            return URI.create(text).getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Warns of a value that needs callers with a name, where the file lets in callers without one alone. */
    public static void warnWithoutCallers(FileFields file, String place) {
        if (!file.has("/auth")) {
            var fix = "Add auth:, or serve the file with --auth";
            file.warn(place, "needs callers with an authorization; others are refused", fix);
        }
    }

    /** Whether callers log in. */
    public boolean isLogin() {
        return callers == Callers.LOGIN;
    }

    /** The login of a caller at an upstream. */
    WebLogin login(URI server, URI redirect, Map<String, String> env) {
        return new WebLogin(server, issuer, client(env), scopes, redirect);
    }

    /** The client of logins at the upstream; null for one that registers itself. */
    WebLogin.@Nullable Client client(Map<String, String> env) {
        return client(known.clientId(), known.secret(), env);
    }

    /** The client that identifies who logs in, at the issuer of that caller. */
    WebLogin.@Nullable Client identifying(String at, Map<String, String> env) {
        var own = identity.orElse(null);
        if (own == null) {
            return at.equals(issuer) ? client(env) : null;
        }
        return client(own.clientId(), own.secret(), env);
    }

    private static WebLogin.@Nullable Client client(@Nullable String id, FieldSecret secret, Map<String, String> env) {
        return id == null ? null : new WebLogin.Client(id, secret.isAbsent() ? null : secret.read(env));
    }

    /** The authorization of this server itself. */
    public Authorization itself(Map<String, String> env) {
        return aimed(confidential(env).itself());
    }

    /**
     * Gives the authorization of a caller, and throws an {@link IllegalArgumentException} for one that is refused;
     * empty where calls have the rights of this server.
     *
     * @param tokens of the callers of this server
     */
    public Optional<Function<CallerInfo, Authorization>> ofCallers(Map<String, String> env, CallerTokens tokens) {
        if (callers == null || isLogin()) {
            return Optional.empty();
        }
        var client = confidential(env);
        return switch (callers) {
            case LOGIN -> Optional.empty();
            case EXCHANGE -> {
                tokens.begin();
                yield Optional.of(caller -> aimed(client.exchanging(caller, tokens)));
            }
            case ASSERTION -> Optional.of(caller -> aimed(client.asserting(caller)));
        };
    }

    private Authorization aimed(Authorization authorization) {
        return resource == null ? authorization : server -> authorization.at(resource);
    }

    private ConfidentialClient confidential(Map<String, String> env) {
        var id = String.valueOf(known.clientId());
        var keyFile = known.keyFile();
        var at = String.valueOf(issuer);
        var client = keyFile == null
                ? ConfidentialClient.withSecret(at, id, () -> known.secret().read(env))
                : ConfidentialClient.withKey(at, id, Tls.privateKey(PrivateFile.warned(keyFile)));
        return client.scopes(scopes);
    }
}
