// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A proof that a client has shown, read by the rules of RFC 9449, 4.3, and no class of ours.
 *
 * @param key  the thumbprint of the key that has signed it
 * @param hash of the access token, or null
 */
record Proof(
        String key,
        String request,
        @Nullable String hash,
        @Nullable String nonce,
        String id,
        Instant made) {

    /** The one proof of a request; empty where there is none, or none that is good. */
    static Optional<Proof> of(HttpExchange exchange) {
        var shown = exchange.getRequestHeaders().getOrDefault("DPoP", List.of());
        if (shown.size() != 1) {
            return Optional.empty();
        }
        try {
            var jwt = SignedJWT.parse(shown.getFirst());
            var key = ECKey.parse(jwt.getHeader().getJWK().toJSONObject());
            var claims = jwt.getJWTClaimsSet();
            if (!jwt.verify(new ECDSAVerifier(key))
                    || key.isPrivate()
                    || !jwt.getHeader().getType().getType().equals("dpop+jwt")) {
                return Optional.empty();
            }
            return Optional.of(new Proof(
                    key.computeThumbprint().toString(),
                    claims.getStringClaim("htm") + " " + claims.getStringClaim("htu"),
                    claims.getStringClaim("ath"),
                    claims.getStringClaim("nonce"),
                    claims.getJWTID(),
                    claims.getIssueTime().toInstant()));
        } catch (Exception e) {
            return Optional.empty();
        }
    }

    /** Whether the proof is for a request that has a token, by the key of the token. */
    boolean isOf(String expectedKey, String method, URI target, String token) {
        return key.equals(expectedKey)
                && request.equals(method + " " + target)
                && hashOf(token).equals(hash);
    }

    boolean has(String expectedNonce) {
        return expectedNonce.equals(nonce);
    }

    private static String hashOf(String token) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
