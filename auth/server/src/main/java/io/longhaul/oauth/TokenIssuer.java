// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import org.jspecify.annotations.Nullable;

/**
 * An authorization server whose tokens are accepted, and how they are checked: by the keys that its metadata name, or
 * by asking the authorization server. Immutable.
 */
public final class TokenIssuer {

    private final String name;
    private final @Nullable URI keys;
    private final @Nullable Path file;
    private final @Nullable Credentials credentials;
    private final @Nullable URI endpoint;

    /** The credentials of this server at an authorization server. */
    record Credentials(String client, String secret) {
        /** Does not show the secret. */
        @Override
        public String toString() {
            return client;
        }
    }

    private TokenIssuer(
            String name,
            @Nullable URI keys,
            @Nullable Path file,
            @Nullable Credentials credentials,
            @Nullable URI endpoint) {
        this.name = name;
        this.keys = keys;
        this.file = file;
        this.credentials = credentials;
        this.endpoint = endpoint;
    }

    /**
     * An authorization server whose tokens are signed by the keys that its metadata name.
     *
     * @param name the name of the issuer, exactly as in its metadata and tokens
     * @throws IllegalArgumentException where the name is no address with https, or with http on this machine
     */
    public static TokenIssuer named(String name) {
        Addresses.check("The issuer", name);
        return new TokenIssuer(name, null, null, null, null);
    }

    /** Reads the keys, a JSON Web Key Set, at this address instead of the one in the metadata. */
    public TokenIssuer keysAt(URI address) {
        return new TokenIssuer(name, Addresses.check("The address of the keys", address), null, credentials, endpoint);
    }

    /** Reads the keys from this file, a JSON Web Key Set, and again when it may have changed. */
    public TokenIssuer keysIn(Path jwks) {
        return new TokenIssuer(name, null, jwks, credentials, endpoint);
    }

    /**
     * Asks the authorization server about each token (RFC 7662), and caches the answer for half a minute.
     *
     * @param client the id of this server at the authorization server
     */
    public TokenIssuer introspected(String client, String secret) {
        return new TokenIssuer(name, keys, file, new Credentials(client, secret), endpoint);
    }

    /** Asks at this address instead of the one in the metadata. */
    public TokenIssuer introspectedAt(URI address) {
        return new TokenIssuer(
                name, keys, file, credentials, Addresses.check("The address of the introspection", address));
    }

    /** The name of the issuer. */
    public String name() {
        return name;
    }

    boolean isIntrospected() {
        return credentials != null;
    }

    KeySet keySet(BoundedHttp fetch) {
        return new KeySet(name, () -> read(fetch));
    }

    Introspection introspection(BoundedHttp fetch, Claims claims) {
        if (credentials == null) {
            throw new IllegalStateException("the tokens of " + name + " are checked by keys");
        }
        var at = endpoint;
        return new Introspection(
                name,
                fetch,
                () -> at == null ? new IssuerMetadata(fetch, name).address("introspection_endpoint") : at,
                credentials,
                claims);
    }

    private JWKSet read(BoundedHttp fetch) throws IOException {
        try {
            if (file != null) {
                return JWKSet.parse(Files.readString(file));
            }
            var at = keys == null ? new IssuerMetadata(fetch, name).address("jwks_uri") : keys;
            var answer = fetch.get(at);
            if (!answer.isOk()) {
                throw new IOException(at + " answered HTTP " + answer.status());
            }
            return JWKSet.parse(new String(answer.body(), StandardCharsets.UTF_8));
        } catch (ParseException e) {
            throw new IOException("the keys of " + name + " are no JSON Web Key Set", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
