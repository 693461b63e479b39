// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import io.longhaul.protocol.Require;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.transport.http.Reloaded;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An MCP server as an OAuth 2.1 resource server: accepts access tokens of authorization servers and static API keys,
 * and tells clients without a token where to get one (RFC 9728). A task belongs to the user of the token at its issuer,
 * or to the client where the token has no user. No token is kept, logged or passed on. Thread-safe.
 *
 * <pre>{@code
 * var auth = ResourceServer.of(URI.create("https://tools.example.com/mcp"))
 *         .issuer(TokenIssuer.named("https://login.example.com"))
 *         .scopes("tools")
 *         .build();
 * McpServer.builder("tools", "1.0").tool(...).serve(Http.onPort(8080).principals(auth));
 * }</pre>
 */
public final class ResourceServer implements PrincipalResolver {

    private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final Pattern BEARER = Pattern.compile("(?i)bearer +([A-Za-z0-9._~+/-]+=*) *");
    private static final Duration LONGEST = Duration.ofDays(365);

    private final URI resource;
    private final List<String> issuers;
    private final TokenCheck check;
    private final Challenges challenges;
    private final Map<String, Set<String>> implied;
    private final InstantSource clock;
    private final Duration leeway;

    private ResourceServer(Builder from) {
        resource = from.resource;
        issuers = from.issuers.stream().map(TokenIssuer::name).toList();
        implied = Map.copyOf(from.implied);
        clock = from.clock;
        leeway = from.leeway;
        check = from.check();
        challenges = new Challenges(issuers.isEmpty() ? null : metadataAddress(), from.scopes);
    }

    /**
     * Begins with the address of the server as its clients know it, which is the {@code resource} for which they
     * request tokens.
     *
     * @throws IllegalArgumentException where the address has neither https nor, on this machine, http
     */
    public static Builder of(URI resource) {
        return new Builder(Addresses.check("The address of the resource", resource));
    }

    @Override
    public Resolution resolve(Function<String, Optional<String>> header) {
        var given = header.apply("Authorization");
        if (given.isEmpty() || !given.get().regionMatches(true, 0, "bearer", 0, "bearer".length())) {
            return new Resolution.Refused(
                    UNAUTHORIZED, challenges.missing(), "Send an access token as Authorization: Bearer");
        }
        var bearer = BEARER.matcher(given.get());
        if (!bearer.matches()) {
            var why = "Authorization is Bearer and a token";
            return new Resolution.Refused(BAD_REQUEST, challenges.malformed(why), why);
        }
        var now = clock.instant();
        try {
            return switch (check.check(bearer.group(1), now)) {
                case TokenVerdict.Good(var grant) -> granted(grant, now);
                case TokenVerdict.Invalid(var why) ->
                    new Resolution.Refused(UNAUTHORIZED, challenges.invalid(why), why);
            };
        } catch (IssuerAwayException e) {
            return new Resolution.Refused(
                    UNAVAILABLE, Map.of("Retry-After", "5"), "The access token cannot be checked now: try again later");
        }
    }

    private Resolution granted(Entitlement grant, Instant now) {
        var scopes = withImplied(grant.scopes());
        if (!scopes.containsAll(challenges.scopes())) {
            return new Resolution.Refused(
                    FORBIDDEN,
                    challenges.insufficient(List.of(), grant.scopes()),
                    "This server needs a token with the scopes: " + Entitlement.text(challenges.scopes()));
        }
        var permit = Permit.of(scopes, needed -> Optional.of(challenges.insufficient(needed, grant.scopes())));
        return new Resolution.Granted(grant.principal(), permit, until(grant.expiry(), now));
    }

    /** The expiry for {@link Resolution.Granted}, later by the allowed difference of the clocks. */
    private @Nullable Long until(@Nullable Instant expiry, Instant now) {
        if (expiry == null) {
            return null;
        }
        var left = Duration.between(now, expiry).plus(leeway);
        return System.nanoTime() + (left.compareTo(LONGEST) > 0 ? LONGEST : left).toNanos();
    }

    /** "Servers MUST account for scope hierarchies, where a broader scope implies narrower ones." */
    private Set<String> withImplied(Set<String> granted) {
        if (implied.isEmpty()) {
            return granted;
        }
        var all = new HashSet<String>();
        var next = new ArrayList<>(granted);
        while (!next.isEmpty()) {
            var scope = next.removeLast();
            if (all.add(scope)) {
                next.addAll(implied.getOrDefault(scope, Set.of()));
            }
        }
        return all;
    }

    /** The metadata documents, which name the authorization servers; none where there are only API keys. */
    @Override
    public Map<String, Json> documents() {
        var all = new HashMap<String, Json>();
        if (!issuers.isEmpty()) {
            all.put(WELL_KNOWN, metadata());
            all.put(metadataAddress().getPath(), metadata());
        }
        return all;
    }

    private URI metadataAddress() {
        return URI.create(Addresses.origin(resource) + WELL_KNOWN + Addresses.path(resource));
    }

    private Json metadata() {
        var out = new JsonWriter().beginObject().name("resource").string(resource.toString());
        list(out, "authorization_servers", issuers);
        if (!challenges.scopes().isEmpty()) {
            list(out, "scopes_supported", challenges.scopes().stream().sorted().toList());
        }
        list(out, "bearer_methods_supported", List.of("header"));
        return out.endObject().toJson();
    }

    private static void list(JsonWriter out, String name, List<String> values) {
        out.name(name).beginArray();
        values.forEach(out::string);
        out.endArray();
    }

    /** Sets which tokens and keys are accepted. Not thread-safe. */
    public static final class Builder {

        private final URI resource;
        private final List<TokenIssuer> issuers = new ArrayList<>();
        private final List<ApiKey> keys = new ArrayList<>();
        private final List<KeyFile> keyFiles = new ArrayList<>();
        private final Set<String> audiences = new LinkedHashSet<>();
        private final Set<String> scopes = new LinkedHashSet<>();
        private final Map<String, Set<String>> implied = new LinkedHashMap<>();
        private boolean byClient;
        private Duration leeway = Duration.ofSeconds(30);
        private InstantSource clock = InstantSource.system();

        private Builder(URI resource) {
            this.resource = resource;
        }

        /** Accepts tokens of an authorization server. Call this repeatedly for several. */
        public Builder issuer(TokenIssuer issuer) {
            issuers.add(issuer);
            return this;
        }

        /** Accepts static keys. */
        public Builder keys(Collection<ApiKey> taken) {
            keys.addAll(taken);
            return this;
        }

        private record KeyFile(Path file, Supplier<? extends Collection<ApiKey>> reader) {}

        /**
         * Accepts the static keys in a file. The file is checked every few seconds while callers use keys: a key that
         * was removed from the file is refused from then on.
         *
         * @param reader gives the keys in the file, now and whenever it has changed; an exception names the error in a
         *     sentence, and the earlier keys then stay
         */
        public Builder keysIn(Path file, Supplier<? extends Collection<ApiKey>> reader) {
            keyFiles.add(new KeyFile(file, reader));
            return this;
        }

        /**
         * Accepts tokens for one of these audiences too, beside the address of the resource, for authorization servers
         * that know the server by another name.
         */
        public Builder audiences(String... names) {
            audiences.addAll(List.of(names));
            return this;
        }

        /** Requires all of these scopes for each message. */
        public Builder scopes(String... needed) {
            for (var scope : needed) {
                Require.that(Entitlement.isScope(scope), "\"" + scope + "\" cannot be a scope");
                scopes.add(scope);
            }
            return this;
        }

        /** Lets a token with a broad scope have these narrower scopes, too. */
        public Builder implies(String broad, String... narrow) {
            implied.put(broad, Set.of(narrow));
            return this;
        }

        /** Makes tasks belong to a user in one client, so that the user does not find them in another client. */
        public Builder ownersByClient() {
            byClient = true;
            return this;
        }

        /** The time by which the clocks of this machine and of an issuer may differ: 30 s by default, 5 min at most. */
        public Builder leeway(Duration most) {
            if (most.isNegative() || most.compareTo(Duration.ofMinutes(5)) > 0) {
                throw new IllegalArgumentException("The leeway of clocks is from 0 to 5 minutes, not " + most);
            }
            leeway = most;
            return this;
        }

        /** Sets the clock; the system clock by default. */
        public Builder clock(InstantSource time) {
            clock = time;
            return this;
        }

        /**
         * Builds the resource server. This sends no request yet: keys are read with the first token.
         *
         * @throws IllegalArgumentException with a sentence that names the contradiction
         */
        public ResourceServer build() {
            if (issuers.isEmpty() && keys.isEmpty() && keyFiles.isEmpty()) {
                throw new IllegalArgumentException(
                        "Nothing is taken: name an issuer of tokens, or an API key that is taken");
            }
            if (issuers.stream().map(TokenIssuer::name).distinct().count() < issuers.size()) {
                throw new IllegalArgumentException("An issuer is there twice: leave one out");
            }
            if (issuers.stream().filter(TokenIssuer::isIntrospected).count() > 1) {
                throw new IllegalArgumentException("Two issuers are to be asked about tokens, and a token does not say"
                        + " which one knows it: have one of them checked by its keys");
            }
            return new ResourceServer(this);
        }

        private TokenCheck check() {
            var fetch = new BoundedHttp();
            var names = Stream.concat(Stream.of(resource.toString()), audiences.stream());
            var claims = new Claims(names.map(Addresses::canonical).collect(Collectors.toSet()), byClient, leeway);
            var bySignature = new HashMap<String, KeySet>();
            issuers.stream()
                    .filter(issuer -> !issuer.isIntrospected())
                    .forEach(issuer -> bySignature.put(issuer.name(), issuer.keySet(fetch)));
            var opaque = issuers.stream()
                    .filter(TokenIssuer::isIntrospected)
                    .findFirst()
                    .map(issuer -> issuer.introspection(fetch, claims));
            return new TokenCheck(
                    allKeys(), new SignedTokens(bySignature, claims), opaque, claims, new CheckedTokens());
        }

        private Supplier<ApiKeys> allKeys() {
            var fixed = List.copyOf(keys);
            var read = List.copyOf(keyFiles);
            Supplier<ApiKeys> reader = () ->
                    new ApiKeys(Stream.concat(fixed.stream(), read.stream().flatMap(one -> one.reader().get().stream()))
                            .toList());
            if (read.isEmpty()) {
                var once = reader.get();
                return () -> once;
            }
            return new Reloaded<>("API keys", read.stream().map(KeyFile::file).toList(), reader, clock);
        }
    }
}
