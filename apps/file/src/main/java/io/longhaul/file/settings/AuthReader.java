// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.secret.FieldSecret;
import io.longhaul.file.settings.AuthEntry.Settings;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.Mistakes;
import io.longhaul.file.tree.YamlReader;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.oauth.ApiKey;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads the authorization of callers over HTTP: {@code auth:}. */
public final class AuthReader {
    private static final String AT = "/auth";
    private static final String KEYS = AT + "/keys";
    private static final Set<String> OF_ISSUER = Set.of("issuer", "jwks", "jwksFile", "introspection");

    private final FileFields file;
    private final Path path;
    private final List<Settings> settings = new ArrayList<>();

    private AuthReader(FileFields file, Path path) {
        this.file = file;
        this.path = path;
    }

    /** @param path of the file; relative paths in the file begin at its folder */
    public static AuthEntry read(FileFields file, Path path) {
        return new AuthReader(file, path).read();
    }

    private AuthEntry read() {
        issuers();
        // A trial build finds mistakes before anything is served.
        var trial = ResourceServer.of(URI.create("https://example.com"));
        set(trial, "audience", (builder, at) -> builder.audiences(texts(at)));
        set(trial, "scopes", (builder, at) -> builder.scopes(texts(at)));
        set(
                trial,
                "implies",
                (builder, at) -> file.node(at)
                        .propertyNames()
                        .forEach(broad -> builder.implies(broad, texts(YamlTree.below(at, broad)))));
        set(
                trial,
                "clockLeeway",
                (builder, at) -> Optional.ofNullable(file.duration(at)).ifPresent(builder::leeway));
        if (file.flag(AT + "/ownerByClient")) {
            settings.add((builder, env) -> builder.ownersByClient());
        }
        if (file.has(KEYS)) {
            keys(file);
            settings.add((builder, env) -> builder.keysIn(path, () -> keysIn(path)));
        }
        var address = made(file, AT + "/resource", text -> {
            var uri = URI.create(text);
            ResourceServer.of(uri);
            return uri;
        });
        return new AuthEntry(address, (builder, env) -> settings.forEach(one -> one.apply(builder, env)));
    }

    private String[] texts(String at) {
        return file.texts(at).toArray(String[]::new);
    }

    /** Sets one field on a builder. */
    private interface Setter {
        void set(ResourceServer.Builder builder, String at);
    }

    private void set(ResourceServer.Builder trial, String name, Setter setter) {
        var at = AT + "/" + name;
        if (file.has(at)) {
            made(file, at, text -> {
                setter.set(trial, at);
                return text;
            });
            settings.add((builder, env) -> setter.set(builder, at));
        }
    }

    /** The value that {@code maker} makes of the text at {@code at}; empty where it cannot be made. */
    private static <T> Optional<T> made(FileFields file, String at, Function<String, T> maker) {
        try {
            return file.has(at)
                    ? Optional.of(maker.apply(file.tree().written(at).orElse("")))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            file.wrong(at, "cannot be taken: " + e.getMessage(), "Correct it, or leave it out");
            return Optional.empty();
        }
    }

    private void issuers() {
        var several = AT + "/issuers";
        boolean isOne = OF_ISSUER.stream().anyMatch(name -> file.has(AT + "/" + name));
        if (file.has(several) && isOne) {
            file.wrong(several, "stands beside the fields of one issuer", "Keep the list, with all of them in it");
        }
        if (!file.has(several) && !isOne && !file.has(KEYS)) {
            file.lacks(AT, "lets nobody in", "Add issuer: with the address of an authorization server, or keys:");
        }
        if (isOne) {
            if (!file.has(AT + "/issuer")) {
                file.lacks(AT, "names no issuer", "Add issuer: with the address of the authorization server");
            }
            issuer(AT);
        }
        file.places(several).forEach(this::issuer);
    }

    private void issuer(String at) {
        var issuer = made(file, at + "/issuer", TokenIssuer::named).flatMap(named -> keyed(at, named));
        var introspection = at + "/introspection";
        if (issuer.isPresent() && file.has(introspection)) {
            introspected(introspection, issuer.get());
        } else if (issuer.isPresent()) {
            settings.add((builder, env) -> builder.issuer(issuer.get()));
        }
    }

    private Optional<TokenIssuer> keyed(String at, TokenIssuer issuer) {
        if (file.has(at + "/jwks")) {
            return made(file, at + "/jwks", text -> issuer.keysAt(URI.create(text)));
        }
        var name = file.text(at + "/jwksFile");
        if (name == null) {
            return Optional.of(issuer);
        }
        var keys = path.getParent().resolve(name).normalize();
        if (!Files.isReadable(keys)) {
            file.wrong(at + "/jwksFile", keys + " cannot be read", "Name a JSON Web Key Set that this user may read");
        }
        return Optional.of(issuer.keysIn(keys));
    }

    private void introspected(String at, TokenIssuer issuer) {
        var client = file.text(at + "/clientId");
        var secret = new FieldSecret(file, path.getParent(), at + "/secret");
        if (client == null || !secret.isNamed()) {
            var fix = "Add clientId: and one of secretFile: and secretEnv:; the secret itself is not for this file";
            file.lacks(at, "does not say who this server is there", fix);
            return;
        }
        var placed = file.has(at + "/endpoint")
                ? made(file, at + "/endpoint", text -> issuer.introspectedAt(URI.create(text)))
                : Optional.of(issuer);
        placed.ifPresent(
                one -> settings.add((builder, env) -> builder.issuer(one.introspected(client, secret.read(env)))));
    }

    private static List<ApiKey> keys(FileFields file) {
        return file.places(KEYS).flatMap(at -> key(file, at).stream()).toList();
    }

    private static Optional<ApiKey> key(FileFields file, String at) {
        var name = file.text(at + "/name");
        var hash = file.text(at + "/sha256");
        if (name == null || hash == null) {
            file.lacks(at, "has no name or no sha256", "Run longhaul key NAME, which prints both");
            return Optional.empty();
        }
        return made(file, at, entry -> new ApiKey(name, hash, Set.copyOf(file.texts(at + "/scopes"))));
    }

    /** The keys that a file holds now; the rest of the file is ignored. */
    private static List<ApiKey> keysIn(Path path) {
        var tree = YamlReader.read(path);
        var file = new FileFields(tree, new Mistakes(tree));
        if (!file.has(AT)) {
            file.wrong("", "the file has no auth any more", "Add it, or start the server again");
        }
        if (file.has(KEYS) && !file.node(KEYS).isArray()) {
            file.wrong(KEYS, "is no list", "Run longhaul key NAME, which prints an entry");
        }
        var keys = keys(file);
        file.mistakes().refuse();
        return keys;
    }
}
