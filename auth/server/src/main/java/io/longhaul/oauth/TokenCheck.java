// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Checks all tokens and keys. Thread-safe.
 *
 * @param keys    gives the present API keys of callers
 * @param signed  checks tokens that this server can read
 * @param opaque  checks all other tokens, where there is an authorization server to ask
 * @param claims  the requirements for tokens
 * @param checked caches recent verdicts
 */
record TokenCheck(
        Supplier<ApiKeys> keys,
        SignedTokens signed,
        Optional<Introspection> opaque,
        Claims claims,
        CheckedTokens checked) {

    TokenVerdict check(String token, Instant now) throws IssuerAwayException {
        if (ApiKeys.isKey(token)) {
            return keys.get().check(token);
        }
        var hash = CheckedTokens.hash(token);
        var known = checked.find(hash, now);
        return known.isPresent() ? unlessExpired(known.get(), now) : checkAnew(token, hash, now);
    }

    private TokenVerdict unlessExpired(TokenVerdict verdict, Instant now) {
        boolean hasExpired = verdict instanceof TokenVerdict.Good(var grant)
                && grant.expiry() != null
                && claims.hasExpired(grant.expiry(), now);
        return hasExpired ? new TokenVerdict.Invalid(Claims.EXPIRED) : verdict;
    }

    private TokenVerdict checkAnew(String token, String hash, Instant now) throws IssuerAwayException {
        var readable = signed.read(token);
        if (readable.isPresent()) {
            var verdict = signed.check(readable.get(), now);
            if (verdict instanceof TokenVerdict.Good) {
                checked.add(hash, verdict, now, CheckedTokens.SIGNED);
            }
            return verdict;
        }
        if (opaque.isEmpty()) {
            return TokenVerdict.INVALID;
        }
        var verdict = opaque.get().check(token, checked.wasGood(hash), now);
        checked.add(hash, verdict, now, CheckedTokens.LOOKED_UP);
        return verdict;
    }
}
