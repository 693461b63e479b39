// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks access tokens that are signed JWTs (RFC 9068, or the same without the type). The header of a token can name a
 * key only by its id; other key members are ignored. Thread-safe.
 *
 * @param keys   the keys of each issuer, by its name
 * @param claims the requirements for genuine tokens
 */
record SignedTokens(Map<String, KeySet> keys, Claims claims) {

    private static final Logger LOG = LoggerFactory.getLogger(SignedTokens.class);

    /** Algorithms whose signing key only the issuer knows; this server would also know the key of an HMAC. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    /** The types of access tokens, and of JWTs that do not name their purpose; any other type has another purpose. */
    private static final Set<String> TYPES = Set.of("at+jwt", "application/at+jwt", "jwt");

    SignedTokens {
        keys = Map.copyOf(keys);
    }

    /** A token with its claims, which are not verified yet. */
    record Unproven(SignedJWT jwt, JWTClaimsSet claims, KeySet keys) {}

    /** The token, where it is a JWT of an issuer whose keys are known here. */
    Optional<Unproven> read(String token) {
        if (token.chars().filter(c -> c == '.').count() != 2) {
            return Optional.empty();
        }
        try {
            var jwt = SignedJWT.parse(token);
            var said = jwt.getJWTClaimsSet();
            var issuer = said.getIssuer() == null ? null : keys.get(said.getIssuer());
            return issuer == null ? Optional.empty() : Optional.of(new Unproven(jwt, said, issuer));
        } catch (ParseException e) {
            return Optional.empty();
        }
    }

    TokenVerdict check(Unproven token, Instant now) throws IssuerAwayException {
        var header = token.jwt().getHeader();
        var type = header.getType();
        if (!ALGORITHMS.contains(header.getAlgorithm())
                || type != null && !TYPES.contains(type.getType().toLowerCase(Locale.ROOT))) {
            LOG.debug(
                    "a token of {} has an algorithm or a type that is not taken",
                    token.claims().getIssuer());
            return TokenVerdict.INVALID;
        }
        return isGenuine(token.jwt(), token.keys().find(header, now))
                ? check(token.claims(), now)
                : TokenVerdict.INVALID;
    }

    private static boolean isGenuine(SignedJWT jwt, List<AsymmetricJWK> candidates) {
        var verifiers = new DefaultJWSVerifierFactory();
        for (var key : candidates) {
            try {
                if (jwt.verify(verifiers.createJWSVerifier(jwt.getHeader(), key.toPublicKey()))) {
                    return true;
                }
            } catch (JOSEException e) {
                LOG.debug("a token does not fit a key: {}", e.getMessage());
            }
        }
        return false;
    }

    private TokenVerdict check(JWTClaimsSet said, Instant now) {
        var expiry = instant(said.getExpirationTime());
        var notBefore = instant(said.getNotBeforeTime());
        if (!claims.isForUs(said.getAudience())) {
            LOG.debug(
                    "a token of {} is for {}, and not for {}",
                    said.getIssuer(),
                    said.getAudience(),
                    claims.audiences());
            return TokenVerdict.INVALID;
        }
        // "cnf": a token that is bound to a key (RFC 7800) is not valid without a proof, which this server does not
        // request.
        if (expiry == null || said.getClaim("cnf") != null || notBefore != null && claims.isTooEarly(notBefore, now)) {
            LOG.debug("a token of {} has no expiry, is bound to a key, or is not valid yet", said.getIssuer());
            return TokenVerdict.INVALID;
        }
        if (claims.hasExpired(expiry, now)) {
            return new TokenVerdict.Invalid(Claims.EXPIRED);
        }
        var client = text(said, "client_id", "azp");
        var principal = Entitlement.principal(said.getIssuer(), said.getSubject(), client, claims.byClient());
        if (principal == null) {
            LOG.debug("a token of {} names neither a user nor a client", said.getIssuer());
            return TokenVerdict.INVALID;
        }
        return new TokenVerdict.Good(new Entitlement(principal, scopes(said), expiry));
    }

    private static @Nullable Instant instant(@Nullable Date date) {
        return date == null ? null : date.toInstant();
    }

    private static @Nullable String text(JWTClaimsSet said, String... names) {
        for (var name : names) {
            if (said.getClaim(name) instanceof String text) {
                return text;
            }
        }
        return null;
    }

    /** {@code scope} is a text; some servers write {@code scp}, a text or a list. */
    private static Set<String> scopes(JWTClaimsSet said) {
        var all = new HashSet<String>();
        for (var name : List.of("scope", "scp")) {
            var value = said.getClaim(name);
            if (value instanceof String text) {
                all.addAll(Entitlement.scopes(text));
            } else if (value instanceof List<?> list) {
                list.forEach(scope -> all.add(String.valueOf(scope)));
            }
        }
        return all;
    }
}
