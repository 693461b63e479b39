package io.longhaul.cli.config;

import io.longhaul.cli.config.AuthEntry.Settings;
import io.longhaul.oauth.ApiKey;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads how callers over HTTP are told apart. */
final class AuthReader {
    private static final String ISSUER = "issuer";
    private static final Set<String> OF_ISSUER = Set.of(ISSUER, "jwks", "jwksFile", "introspection");
    private static final Set<String> FIELDS = Set.of(
            "resource",
            ISSUER,
            "jwks",
            "jwksFile",
            "introspection",
            "issuers",
            "audience",
            "scopes",
            "implies",
            "ownerByClient",
            "clockLeeway",
            "keys");

    private final Path file;
    private final Path base;
    private final List<Settings> settings = new ArrayList<>();

    private AuthReader(Path file) {
        this.file = file;
        base = file.getParent();
    }

    /** @param file whose entry it is; paths are counted from its folder */
    static AuthEntry read(Entry auth, Path file) {
        var fields = auth.fields(FIELDS);
        var reader = new AuthReader(file);
        reader.issuers(auth, fields);
        reader.set(fields.get("audience"), (builder, audience) -> builder.audiences(texts(audience)));
        reader.set(fields.get("scopes"), (builder, scopes) -> builder.scopes(texts(scopes)));
        reader.set(
                fields.get("implies"),
                (builder, implied) ->
                        implied.fields().forEach((broad, narrow) -> builder.implies(broad, texts(narrow))));
        reader.set(fields.get("ownerByClient"), (builder, is) -> {
            if (is.bool()) {
                builder.ownersByClient();
            }
        });
        reader.set(fields.get("clockLeeway"), (builder, leeway) -> builder.leeway(leeway.duration()));
        reader.keys(fields.get("keys"));
        var resource = fields.get("resource");
        var address = Optional.ofNullable(resource).map(entry -> checked(entry, Entry::text, URI::create));
        // What is wrong with a file is said before anything is served.
        var trial = ResourceServer.of(URI.create("https://example.com"));
        reader.settings.stream().filter(one -> !(one instanceof Secret)).forEach(one -> one.apply(trial, Map.of()));
        if (address.isPresent() && resource != null) {
            checked(resource, entry -> address.get(), ResourceServer::of);
        }
        return new AuthEntry(address, (builder, env) -> reader.settings.forEach(one -> one.apply(builder, env)));
    }

    /** What can be applied only where the server runs, since a secret belongs to it. */
    private interface Secret extends Settings {}

    /** What one entry sets. */
    private interface Setter {
        void set(ResourceServer.Builder builder, Entry entry);
    }

    private void set(@Nullable Entry entry, Setter setter) {
        if (entry != null) {
            settings.add((builder, env) -> checked(entry, given -> given, given -> {
                setter.set(builder, given);
                return given;
            }));
        }
    }

    private static <A, B> B checked(Entry entry, Function<Entry, A> read, Function<A, B> made) {
        var value = read.apply(entry);
        try {
            return made.apply(value);
        } catch (IllegalArgumentException e) {
            throw entry.bad("cannot be taken: " + e.getMessage(), "Correct it, or leave it out");
        }
    }

    private static String[] texts(Entry entry) {
        return (entry.isList() ? entry.items() : List.of(entry))
                .stream().map(Entry::text).toArray(String[]::new);
    }

    private void issuers(Entry auth, Map<String, Entry> fields) {
        var several = fields.get("issuers");
        boolean isOne = fields.keySet().stream().anyMatch(OF_ISSUER::contains);
        if (several != null && isOne) {
            throw several.bad("stands beside the fields of one issuer", "Keep the list, with all of them in it");
        }
        if (several == null && !isOne && !fields.containsKey("keys")) {
            throw auth.bad("lets nobody in", "Add issuer: with the address of an authorization server, or keys:");
        }
        if (isOne) {
            issuer(auth, fields);
        }
        if (several != null) {
            several.items().forEach(item -> issuer(item, item.fields(OF_ISSUER)));
        }
    }

    private void issuer(Entry entry, Map<String, Entry> fields) {
        var name = fields.get(ISSUER);
        if (name == null) {
            throw entry.bad("names no issuer", "Add issuer: with the address of the authorization server");
        }
        var issuer = keyed(checked(name, Entry::text, TokenIssuer::named), fields);
        var introspection = fields.get("introspection");
        if (introspection == null) {
            settings.add((builder, env) -> builder.issuer(issuer));
        } else {
            introspected(issuer, introspection);
        }
    }

    private TokenIssuer keyed(TokenIssuer issuer, Map<String, Entry> fields) {
        var address = fields.get("jwks");
        var file = fields.get("jwksFile");
        if (address != null) {
            return checked(address, Entry::text, text -> issuer.keysAt(URI.create(text)));
        }
        if (file == null) {
            return issuer;
        }
        var path = base.resolve(file.text()).normalize();
        if (!Files.isReadable(path)) {
            throw file.bad(path + " cannot be read", "Name a JSON Web Key Set that this user may read");
        }
        return issuer.keysIn(path);
    }

    private void introspected(TokenIssuer issuer, Entry entry) {
        var fields = entry.fields(Set.of("endpoint", "clientId", "secretFile", "secretEnv"));
        var client = fields.get("clientId");
        var file = fields.get("secretFile");
        var variable = fields.get("secretEnv");
        if (client == null || (file == null) == (variable == null)) {
            throw entry.bad(
                    "does not say who this server is there",
                    "Add clientId: and one of secretFile: and secretEnv:; the secret itself is not for this file");
        }
        var endpoint = fields.get("endpoint");
        var placed = endpoint == null
                ? issuer
                : checked(endpoint, Entry::text, text -> issuer.introspectedAt(URI.create(text)));
        var id = client.text();
        Secret secret = file != null
                ? (builder, env) -> builder.issuer(placed.introspected(id, Secrets.ofFile(file, base)))
                : (builder, env) -> builder.issuer(placed.introspected(id, Secrets.ofVariable(variable, env)));
        settings.add(secret);
    }

    private void keys(@Nullable Entry keys) {
        if (keys != null) {
            all(keys);
            set(keys, (builder, entry) -> builder.keysIn(file, () -> keysIn(file)));
        }
    }

    private static List<ApiKey> all(Entry keys) {
        return keys.items().stream().map(AuthReader::key).toList();
    }

    /** The keys that a file holds at this moment, whatever else it holds. */
    private static List<ApiKey> keysIn(Path file) {
        var root = YamlFile.read(file);
        var auth = root.fields(ServerFileReader.FIELDS).get("auth");
        if (auth == null) {
            throw root.bad("the file has no auth any more", "Add it, or start the server again");
        }
        var keys = auth.fields(FIELDS).get("keys");
        return keys == null ? List.of() : all(keys);
    }

    private static ApiKey key(Entry entry) {
        var fields = entry.fields(Set.of("name", "sha256", "scopes"));
        var name = fields.get("name");
        var hash = fields.get("sha256");
        if (name == null || hash == null) {
            throw entry.bad("has no name or no sha256", "Run longhaul key NAME, which prints both");
        }
        var scopes = fields.get("scopes");
        return checked(
                entry,
                given -> scopes == null ? Set.<String>of() : Set.of(texts(scopes)),
                given -> new ApiKey(name.text(), hash.text(), given));
    }
}
