// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.token.RefreshToken;
import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.discovery.Challenge;
import io.longhaul.authorization.discovery.Discovery;
import io.longhaul.authorization.discovery.ProtectedResource;
import io.longhaul.authorization.discovery.ScopeChoice;
import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.fetch.NamedAddresses;
import io.longhaul.authorization.fetch.ServerAwayException;
import io.longhaul.authorization.login.Grant;
import io.longhaul.authorization.proof.ProofKey;
import io.longhaul.authorization.proof.Proofs;
import io.longhaul.authorization.registration.ClientRegistrations;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import io.longhaul.authorization.token.TokenRefusedException;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.protocol.transport.client.TransportException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps and renews the tokens for one server, and requests new ones where nothing else helps. Thread-safe. */
final class OAuthAuthorizer implements RequestAuthorizer {

    private static final Logger log = LoggerFactory.getLogger(OAuthAuthorizer.class);
    private static final String AUTHORIZATION = "Authorization";

    /** How long before its expiry a token is renewed. */
    private static final Duration EARLY = Duration.ofSeconds(30);

    private final URI server;
    private final OAuth settings;
    private final Proofs proofs;

    /** Held by the one thread that gets or renews tokens for all waiting requests. */
    private final ReentrantLock renewing = new ReentrantLock();

    private volatile @Nullable StoredTokens current;

    /** Whether the store was read. Tokens that come into the store later are read when the server refuses a request. */
    private volatile boolean isLoaded;

    /** Whether the store has no tokens that may be used: none are to be used before a new login. */
    private volatile boolean isAnew;

    private volatile int failures;

    /** The last token that the server has taken. */
    private volatile @Nullable String accepted;

    /** The last token of a grant, and in the next field of a renewal; both guarded by the lock. */
    private @Nullable String granted;

    private @Nullable String refreshed;

    /** The last token whose early renewal was tried: each token is tried once. */
    private @Nullable String hopeless;

    private @Nullable TransportException failure;

    OAuthAuthorizer(URI server, OAuth settings) {
        this.server = server;
        this.settings = settings;
        this.proofs = new Proofs(settings.clock());
        this.isAnew = settings.isAnew();
    }

    @Override
    public Map<String, String> headers(String method) throws TransportException {
        var tokens = isLoaded ? current : load();
        if (tokens != null && tokens.refresh() != null && isLate(tokens)) {
            tokens = renewedEarly(tokens);
        }
        if (tokens == null) {
            return Map.of();
        }
        var key = tokens.key();
        return key == null
                ? Map.of(AUTHORIZATION, tokens.authorization())
                : Map.of(
                        AUTHORIZATION,
                        tokens.authorization(),
                        Proofs.HEADER,
                        proofs.proof(key, method, server, tokens.access()));
    }

    @Override
    public Set<String> extensions() {
        return settings.grant().extensions();
    }

    @Override
    public void heard(ServerReply reply, Map<String, String> sent) {
        if (sent.containsKey(Proofs.HEADER)) {
            proofs.heard(server, reply.header(GuardedHttp.NONCE));
        }
        if (reply.status() / 100 == 2) {
            accepted = sent.get(AUTHORIZATION);
        }
    }

    private boolean isLate(StoredTokens tokens) {
        return tokens.isExpired(settings.clock().instant().plus(EARLY));
    }

    /** Renews tokens before the server refuses them. Where that fails, the server's refusal decides what follows. */
    private @Nullable StoredTokens renewedEarly(StoredTokens tokens) throws TransportException {
        lock();
        try {
            var kept = load();
            if (kept == null || !isLate(kept) || kept.access().equals(hopeless)) {
                return kept;
            }
            hopeless = kept.access();
            boolean legacy = kept.issuer().equals(ProtectedResource.origin(server));
            isRefreshed(kept, new Discovery(guarded(), server).authorizationServer(kept.issuer(), legacy));
            return current;
        } catch (InterruptedIOException | InterruptedException e) {
            throw interrupted(e);
        } catch (IOException | RuntimeException e) {
            log.debug("a token was not renewed before its end: {}", e.getMessage());
            return tokens;
        } finally {
            renewing.unlock();
        }
    }

    @Override
    public boolean renew(Refusal refusal) throws TransportException {
        var challenge = Challenge.read(refusal.challenges());
        if (challenge.isNonceWanted() && refusal.sent().containsKey(Proofs.HEADER) && proofs.hasNonce(server)) {
            return true;
        }
        int before = failures;
        lock();
        try {
            if (failures != before && failure != null) {
                throw new TransportException(failure.kind(), String.valueOf(failure.getMessage()), failure);
            }
            return renew(refusal, challenge);
        } catch (ServerAwayException e) {
            throw failed(new TransportException(Kind.UNREACHABLE, String.valueOf(e.getMessage()), e));
        } catch (InterruptedIOException | InterruptedException e) {
            throw interrupted(e);
        } catch (IOException | UncheckedIOException e) {
            throw failed(new TransportException(Kind.UNSUPPORTED, String.valueOf(e.getMessage()), e));
        } catch (RuntimeException e) {
            log.warn("an authorization failed for a reason that is not foreseen", e);
            throw failed(new TransportException(
                    Kind.UNSUPPORTED, "The authorization failed: an answer could not be used.", e));
        } finally {
            renewing.unlock();
        }
    }

    /** Remembers a failure for all waiting requests, so that a person is not asked once for each of them. */
    private TransportException failed(TransportException why) {
        failure = why;
        failures++;
        return why;
    }

    private boolean renew(Refusal refusal, Challenge challenge)
            throws IOException, InterruptedException, TransportException {
        var sent = refusal.sent().getOrDefault(AUTHORIZATION, "");
        var kept = load();
        if (kept != null && !sent.equals(kept.authorization())) {
            return true;
        }
        if (kept == null && !settings.grant().isThere()) {
            return false;
        }
        if (refusal.status() == 403) {
            return isStepUp(challenge, kept) && authorize(Need.SCOPES, challenge, kept);
        }
        boolean isFresh = refusal.attempt() > 1 && kept != null && !sent.equals(accepted);
        if (isFresh && kept.access().equals(granted)) {
            return false;
        }
        return authorize(isFresh && kept.access().equals(refreshed) ? Need.LOGIN : Need.TOKEN, challenge, kept);
    }

    /** The authorization that a request lacks. */
    private enum Need {
        /** Any valid token; a renewed one is enough. */
        TOKEN,
        /** A token of a new grant, because a renewed token was refused. */
        LOGIN,
        /** A token for more scopes. */
        SCOPES
    }

    /** Whether the challenge needs scopes that were not requested, and so not refused, before. */
    private static boolean isStepUp(Challenge challenge, @Nullable StoredTokens kept) {
        return challenge.isInsufficientScope()
                && kept != null
                && !kept.wanted().scopes().containsAll(challenge.scopes());
    }

    private boolean authorize(Need need, Challenge challenge, @Nullable StoredTokens kept)
            throws IOException, InterruptedException {
        var discovery = new Discovery(guarded(), server);
        var resource = discovery.resource(challenge);
        var issuer = issuer(resource, kept);
        var at = discovery.authorizationServer(issuer, resource.legacy());
        var before = kept != null && kept.issuer().equals(issuer) ? kept : null;
        var key = key(challenge, resource, at, before);
        if (before != null && need == Need.TOKEN && (key == null || before.key() != null) && isRefreshed(before, at)) {
            return true;
        }
        var first = need == Need.SCOPES
                ? challenge.scopes()
                : ScopeChoice.first(challenge.scopes(), settings.scopes(), resource.scopes());
        var scopes =
                before == null ? first : ScopeChoice.further(before.wanted().scopes(), first);
        var wanted = new TokenEndpoint.RequestedAccess(resource.resource(), scopes);
        var parts = parts(key);
        var tokens = settings.grant().tokens(at, wanted, parts);
        granted = tokens.access();
        parts.registrations().bind(issuer, server);
        keep(tokens);
        return true;
    }

    /** Stays with the authorization server that gave tokens before, as long as the server names it. */
    private String issuer(ProtectedResource resource, @Nullable StoredTokens kept) throws IOException {
        var only = settings.issuer()
                .or(parts(null).registrations()::bound)
                .or(() -> Optional.ofNullable(kept)
                        .filter(tokens -> settings.identity().id() != null)
                        .map(StoredTokens::issuer));
        if (only.isPresent() && !resource.issuers().contains(only.get())) {
            throw new IOException("The server names other authorization servers than " + only.get()
                    + ", where this client is registered: " + String.join(", ", resource.issuers())
                    + ". If it is registered at one of them, name that one (OAuth.issuer, login --issuer).");
        }
        return only.or(() -> Optional.ofNullable(kept).map(StoredTokens::issuer).filter(resource.issuers()::contains))
                .orElse(resource.issuers().getFirst());
    }

    /**
     * A new key for tokens, where the MCP server takes bound tokens; null for bearer tokens. The authorization server
     * alone does not decide: many bind tokens for servers that do not support it.
     */
    private static @Nullable ProofKey key(
            Challenge challenge, ProtectedResource resource, AuthorizationServer at, @Nullable StoredTokens before)
            throws IOException {
        boolean wasBound = before != null && before.key() != null;
        if (at.bindsTokens() && (challenge.takesBound() || resource.bound() || wasBound)) {
            return ProofKey.generate();
        }
        if (resource.bound() || challenge.takesBound() && !challenge.takesBearer()) {
            throw new IOException("The server takes only tokens that are bound to a key, and " + at.issuer()
                    + " does not say that it binds them by " + ProofKey.ALGORITHM + ".");
        }
        return null;
    }

    /** Whether there are new tokens without a new grant. */
    private boolean isRefreshed(StoredTokens seen, AuthorizationServer at) throws IOException, InterruptedException {
        var next = uninterrupted(() -> renewed(seen, at));
        next.ifPresent(tokens -> {
            refreshed = tokens.access();
            current = tokens;
        });
        return next.isPresent();
    }

    /**
     * Carries an action through, also where its caller is interrupted: an answer with new tokens has to be kept, since
     * the refresh token is spent, and other requests need the tokens too.
     */
    private static <T> T uninterrupted(Callable<T> action) throws IOException, InterruptedException {
        var task = new FutureTask<>(action);
        Thread.ofVirtual().name("longhaul-client-refresh").start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException why
                    ? why
                    : new IOException(e.getCause().getMessage(), e);
        }
    }

    /** The tokens that another holder of the store has got meanwhile, or else those that the refresh token gives. */
    private Optional<StoredTokens> renewed(StoredTokens seen, AuthorizationServer at) throws IOException {
        var store = settings.tokens();
        try (var held = store.hold(name(server))) {
            var kept = kept();
            boolean isSpent = kept.isEmpty() || !kept.get().access().equals(seen.access());
            var parts = parts(seen.key());
            var client = parts.registrations().of(seen, at);
            if (isSpent || seen.refresh() == null || client.isEmpty()) {
                return kept.filter(tokens -> isSpent);
            }
            var grant = new RefreshTokenGrant(new RefreshToken(seen.refresh()));
            var wanted = new TokenEndpoint.RequestedAccess(seen.wanted().resource(), List.of());
            try {
                var next = parts.endpoint().ask(at, client, grant, wanted).after(seen);
                store.save(name(server), next.text());
                return Optional.of(next);
            } catch (TokenRefusedException e) {
                log.debug("a token was not renewed: {}", e.getMessage());
                if (e.isClientUnknown()) {
                    ClientRegistrations.forget(store, at.issuer(), client.get().id());
                }
                // Processes of earlier versions hold no names, and may have used the refresh token.
                return kept().filter(tokens -> !tokens.access().equals(seen.access()));
            }
        }
    }

    private GuardedHttp guarded() throws IOException {
        return new GuardedHttp(NamedAddresses.by(server), settings.http());
    }

    private Grant.Parts parts(@Nullable ProofKey key) throws IOException {
        var http = guarded();
        return new Grant.Parts(
                http,
                new ClientRegistrations(settings.identity(), settings.tokens(), http),
                new TokenEndpoint(http, settings.clock(), proofs, key));
    }

    /** The name under which the tokens for a server are kept. */
    static String name(URI server) {
        return "tokens " + server;
    }

    private Optional<StoredTokens> kept() {
        return isAnew ? Optional.empty() : settings.tokens().load(name(server)).flatMap(StoredTokens::parse);
    }

    private @Nullable StoredTokens load() throws TransportException {
        try {
            current = kept().orElse(null);
            isLoaded = true;
            return current;
        } catch (UncheckedIOException e) {
            throw new TransportException(Kind.UNSUPPORTED, String.valueOf(e.getMessage()), e);
        }
    }

    private void keep(StoredTokens tokens) {
        settings.tokens().save(name(server), tokens.text());
        isAnew = false;
        current = tokens;
    }

    private void lock() throws TransportException {
        try {
            renewing.lockInterruptibly();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static TransportException interrupted(Exception e) {
        Thread.currentThread().interrupt();
        return new TransportException(Kind.LOST, "The authorization was interrupted.", e);
    }
}
