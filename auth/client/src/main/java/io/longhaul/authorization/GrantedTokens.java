// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import io.longhaul.authorization.discovery.Discovery;
import io.longhaul.authorization.fetch.ServerAwayException;
import io.longhaul.authorization.login.Grant;
import io.longhaul.authorization.proof.Proofs;
import io.longhaul.authorization.registration.ClientRegistrations;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.protocol.transport.client.TransportException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Tokens of one grant for one server, each of which is got before the first request that needs it. Thread-safe. */
final class GrantedTokens implements RequestAuthorizer {

    private static final String AUTHORIZATION = "Authorization";

    /** How long before its expiry a token is replaced. */
    private static final Duration EARLY = Duration.ofSeconds(30);

    private final ConfidentialClient client;
    private final Grant grant;
    private final URI server;
    private final ReentrantLock granting = new ReentrantLock();
    private volatile @Nullable StoredTokens current;

    GrantedTokens(ConfidentialClient client, Grant grant, URI server) {
        this.client = client;
        this.grant = grant;
        this.server = server;
    }

    @Override
    public Map<String, String> headers(String method) throws TransportException {
        var tokens = current;
        boolean isGood =
                tokens != null && !tokens.isExpired(client.clock().instant().plus(EARLY));
        return Map.of(AUTHORIZATION, (isGood ? tokens : next(tokens)).authorization());
    }

    /** Gets tokens in place of those that a request has seen, once for all requests that have seen them. */
    private StoredTokens next(@Nullable StoredTokens seen) throws TransportException {
        try {
            granting.lockInterruptibly();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        try {
            var now = current;
            if (now == null || now.equals(seen)) {
                now = granted();
                current = now;
            }
            return now;
        } catch (InterruptedIOException e) {
            throw interrupted(e);
        } catch (IOException | RuntimeException e) {
            if (seen != null && !seen.isExpired(client.clock().instant())) {
                return seen;
            }
            var kind = e instanceof ServerAwayException ? Kind.UNREACHABLE : Kind.UNSUPPORTED;
            throw new TransportException(kind, String.valueOf(e.getMessage()), e);
        } finally {
            granting.unlock();
        }
    }

    private StoredTokens granted() throws IOException, TransportException {
        var http = client.http();
        var at = new Discovery(http, server).authorizationServer(client.issuer(), false);
        try {
            return grant.tokens(
                    at,
                    new TokenEndpoint.RequestedAccess(server, client.scopes()),
                    new Grant.Parts(
                            http,
                            new ClientRegistrations(client.identity(), TokenStore.inMemory(), http),
                            new TokenEndpoint(http, client.clock(), new Proofs(client.clock()), null)));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (Exception e) {
            throw new IOException("The secret of the client cannot be read: " + e.getMessage(), e);
        }
    }

    private static TransportException interrupted(Exception e) {
        Thread.currentThread().interrupt();
        return new TransportException(Kind.LOST, "The authorization was interrupted.", e);
    }

    /** A token that the server refuses, such as one that was revoked, is replaced once. */
    @Override
    public boolean renew(Refusal refusal) {
        var tokens = current;
        boolean isOther =
                tokens != null && !tokens.authorization().equals(refusal.sent().get(AUTHORIZATION));
        if (refusal.status() != 401 || refusal.attempt() > 1 && !isOther) {
            return false;
        }
        if (!isOther) {
            current = null;
        }
        return true;
    }
}
