// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Asks an authorization server about tokens that only that server can read (RFC 7662). Thread-safe. */
final class Introspection {

    /** The most requests at once; beyond that, a caller is told to try again. */
    static final int AT_ONCE = 32;

    private static final Logger LOG = LoggerFactory.getLogger(Introspection.class);
    private static final long LATEST = 253_402_300_799L;
    private static final Duration QUIET = Duration.ofMinutes(1);

    /** Finds the endpoint. */
    @FunctionalInterface
    interface Endpoint {
        URI find() throws IOException;
    }

    private final String issuer;
    private final BoundedHttp fetch;
    private final Endpoint endpoint;
    private final String authorization;
    private final Claims claims;
    private final Semaphore forUnknown = new Semaphore(AT_ONCE);
    private final Semaphore forKnown = new Semaphore(AT_ONCE);
    private volatile @Nullable URI found;
    private volatile @Nullable Instant warned;

    /** @param credentials of this server at the authorization server */
    Introspection(
            String issuer, BoundedHttp fetch, Endpoint endpoint, TokenIssuer.Credentials credentials, Claims claims) {
        this.issuer = issuer;
        this.fetch = fetch;
        this.endpoint = endpoint;
        this.claims = claims;
        // Id and secret "are encoded using the application/x-www-form-urlencoded encoding" first (RFC 6749, 2.3.1).
        var pair = encoded(credentials.client()) + ":" + encoded(credentials.secret());
        authorization = "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /** @param wasGood whether the token was good before: strangers with invented tokens cannot hold its check up */
    TokenVerdict check(String token, boolean wasGood, Instant now) throws IssuerAwayException {
        var free = wasGood ? forKnown : forUnknown;
        if (!free.tryAcquire()) {
            throw new IssuerAwayException();
        }
        try {
            var place = found;
            if (place == null) {
                place = endpoint.find();
                found = place;
            }
            var form = "token=" + encoded(token) + "&token_type_hint=access_token";
            return check(fetch.post(place, authorization, form).json(), now);
        } catch (IOException e) {
            warn(e, now);
            throw new IssuerAwayException();
        } finally {
            free.release();
        }
    }

    private TokenVerdict check(JsonNode said, Instant now) {
        if (!said.path("active").asBoolean(false)) {
            return TokenVerdict.INVALID;
        }
        var named = said.path("iss").asString(issuer);
        var audience = texts(said.path("aud"));
        if (!named.equals(issuer) || !claims.isForUs(audience)) {
            LOG.debug("a token of {} is for {}, and not for {}", named, audience, claims.audiences());
            return TokenVerdict.INVALID;
        }
        var expiry = said.hasNonNull("exp")
                ? Instant.ofEpochSecond(Math.clamp(said.path("exp").asLong(0), 0, LATEST))
                : null;
        var notBefore = Instant.ofEpochSecond(Math.clamp(said.path("nbf").asLong(0), 0, LATEST));
        if (said.hasNonNull("cnf") || claims.isTooEarly(notBefore, now)) {
            LOG.debug("a token of {} is bound to a key, or is not valid yet", issuer);
            return TokenVerdict.INVALID;
        }
        if (expiry != null && claims.hasExpired(expiry, now)) {
            return new TokenVerdict.Invalid(Claims.EXPIRED);
        }
        var client = said.hasNonNull("client_id") ? said.path("client_id").asString("") : null;
        var subject = said.hasNonNull("sub") ? said.path("sub").asString("") : null;
        var principal = Entitlement.principal(issuer, subject, client, claims.byClient());
        return principal == null
                ? TokenVerdict.INVALID
                : new TokenVerdict.Good(new Entitlement(
                        principal, Entitlement.scopes(said.path("scope").asString("")), expiry));
    }

    private static List<String> texts(JsonNode value) {
        if (!value.isArray()) {
            return List.of(value.asString(""));
        }
        var texts = new ArrayList<String>();
        value.forEach(item -> texts.add(item.asString("")));
        return texts;
    }

    /** Warns at most once a minute, so that strangers cannot fill the log. */
    private void warn(IOException e, Instant now) {
        var last = warned;
        if (last == null || last.plus(QUIET).isBefore(now)) {
            warned = now;
            LOG.warn("tokens of {} cannot be looked up: {}", issuer, e.getMessage());
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
