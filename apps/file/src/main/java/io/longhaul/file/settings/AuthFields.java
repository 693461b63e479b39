// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.secret.FieldSecret;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.BuilderSteps;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.Mistakes;
import io.longhaul.file.tree.YamlReader;
import io.longhaul.oauth.ApiKey;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The authorization of callers over HTTP, by the names of the fields of {@code auth:}. */
record AuthFields(@Nullable String resource, Issuer one, List<Issuer> issuers, Rules rules, Keys known) {
    private static final String AT = "/auth";
    private static final String KEYS = AT + "/keys";
    private static final String REFUSED = "cannot be taken: ";
    private static final String FIX = "Correct it, or leave it out";

    /** An issuer of tokens, and how its tokens are verified. */
    record Issuer(
            @Nullable String issuer,
            @Nullable String jwks,
            @Nullable Path jwksFile,
            Optional<Introspection> introspection) {
        boolean isAbsent() {
            return issuer == null && jwks == null && jwksFile == null && introspection.isEmpty();
        }
    }

    record Introspection(
            @Nullable String clientId, @Nullable String endpoint, FieldSecret secret) {}

    /** Which tokens are accepted, and what they allow. */
    record Rules(
            List<String> audience,
            List<String> scopes,
            Map<String, List<String>> implies,
            boolean ownerByClient,
            @Nullable Duration clockLeeway) {

        void set(BuilderSteps<ResourceServer.Builder> steps) {
            given("audience", audience, steps, ResourceServer.Builder::audiences);
            given("scopes", scopes, steps, ResourceServer.Builder::scopes);
            implies.forEach((broad, narrow) -> steps.add(
                    AT + "/implies", FIX, (builder, env) -> builder.implies(broad, narrow.toArray(String[]::new))));
            steps.given(AT + "/clockLeeway", FIX, clockLeeway, ResourceServer.Builder::leeway);
            if (ownerByClient) {
                steps.untried((builder, env) -> builder.ownersByClient());
            }
        }

        private static void given(
                String field,
                List<String> texts,
                BuilderSteps<ResourceServer.Builder> steps,
                BiConsumer<ResourceServer.Builder, String[]> set) {
            if (!texts.isEmpty()) {
                steps.given(AT + "/" + field, FIX, texts.toArray(String[]::new), set);
            }
        }
    }

    record Keys(List<Key> keys) {}

    record Key(@Nullable String name, @Nullable String sha256, List<String> scopes) {}

    /** @param path of the file, in which keys can change while the server runs */
    static AuthEntry read(Binder in, Path path) {
        var file = in.file();
        var fields = in.read(AT, "auth", AuthFields.class);
        // A trial build finds mistakes before anything is served.
        var steps = new BuilderSteps<>(file, AT, ResourceServer.of(URI.create("https://example.com")), REFUSED);
        fields.issuers(file, steps);
        fields.rules().set(steps);
        if (file.has(KEYS)) {
            keys(file, fields.known());
            steps.untried((builder, env) -> builder.keysIn(path, () -> keysIn(path)));
        }
        var address = made(file, AT + "/resource", fields.resource(), text -> {
            var uri = URI.create(text);
            ResourceServer.of(uri);
            return uri;
        });
        return new AuthEntry(address, steps::applied);
    }

    /** The value that {@code maker} makes of the text at {@code at}; empty where it cannot be made. */
    private static <T> Optional<T> made(FileFields file, String at, @Nullable String text, Function<String, T> maker) {
        try {
            return Optional.ofNullable(text).map(maker);
        } catch (IllegalArgumentException e) {
            file.wrong(at, REFUSED + e.getMessage(), FIX);
            return Optional.empty();
        }
    }

    private void issuers(FileFields file, BuilderSteps<ResourceServer.Builder> steps) {
        var several = AT + "/issuers";
        if (file.has(several) && !one.isAbsent()) {
            file.wrong(several, "stands beside the fields of one issuer", "Keep the list, with all of them in it");
        }
        if (!file.has(several) && one.isAbsent() && !file.has(KEYS)) {
            file.lacks(AT, "lets nobody in", "Add issuer: with the address of an authorization server, or keys:");
        }
        if (!one.isAbsent()) {
            if (one.issuer() == null) {
                file.lacks(AT, "names no issuer", "Add issuer: with the address of the authorization server");
            }
            issuer(file, AT, one, steps);
        }
        var places = file.places(several).iterator();
        issuers.forEach(issuer -> issuer(file, places.next(), issuer, steps));
    }

    private static void issuer(FileFields file, String at, Issuer fields, BuilderSteps<ResourceServer.Builder> steps) {
        var issuer = made(file, at + "/issuer", fields.issuer(), TokenIssuer::named)
                .flatMap(named -> keyed(file, at, fields, named));
        if (issuer.isPresent() && fields.introspection().isPresent()) {
            introspected(file, at + "/introspection", fields.introspection().get(), issuer.get())
                    .ifPresent(made -> steps.untried((builder, env) -> builder.issuer(made.apply(env))));
        } else {
            issuer.ifPresent(made -> steps.untried((builder, env) -> builder.issuer(made)));
        }
    }

    private static Optional<TokenIssuer> keyed(FileFields file, String at, Issuer fields, TokenIssuer issuer) {
        if (fields.jwks() != null) {
            return made(file, at + "/jwks", fields.jwks(), text -> issuer.keysAt(URI.create(text)));
        }
        var keys = fields.jwksFile();
        if (keys == null) {
            return Optional.of(issuer);
        }
        if (!Files.isReadable(keys)) {
            file.wrong(at + "/jwksFile", keys + " cannot be read", "Name a JSON Web Key Set that this user may read");
        }
        return Optional.of(issuer.keysIn(keys));
    }

    /** The issuer with the secret of the environment. */
    private static Optional<Function<Map<String, String>, TokenIssuer>> introspected(
            FileFields file, String at, Introspection fields, TokenIssuer issuer) {
        var client = fields.clientId();
        var secret = fields.secret();
        if (client == null || !secret.isNamed()) {
            var fix = "Add clientId: and one of secretFile: and secretEnv:; the secret itself is not for this file";
            file.lacks(at, "does not say who this server is there", fix);
            return Optional.empty();
        }
        var placed = fields.endpoint() == null
                ? Optional.of(issuer)
                : made(file, at + "/endpoint", fields.endpoint(), text -> issuer.introspectedAt(URI.create(text)));
        return placed.map(one -> env -> one.introspected(client, secret.read(env)));
    }

    private static List<ApiKey> keys(FileFields file, Keys written) {
        var keys = new ArrayList<ApiKey>();
        var places = file.places(KEYS).iterator();
        written.keys().forEach(key -> key(file, places.next(), key).ifPresent(keys::add));
        return keys;
    }

    private static Optional<ApiKey> key(FileFields file, String at, Key key) {
        var hash = key.sha256();
        if (key.name() == null || hash == null) {
            file.lacks(at, "has no name or no sha256", "Run longhaul key NAME, which prints both");
            return Optional.empty();
        }
        return made(file, at, key.name(), name -> new ApiKey(name, hash, Set.copyOf(key.scopes())));
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
        var keys = keys(file, new Binder(file, path, Map.of()).read(AT, "auth", Keys.class));
        file.mistakes().refuse();
        return keys;
    }
}
