// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Guard;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Caches the verdicts of recently checked tokens, by their hash. A revocation of a token or a key takes effect when the
 * cached verdict expires. Thread-safe.
 */
final class CheckedTokens {

    /** How long the verdict from a signature is cached. */
    static final Duration SIGNED = Duration.ofMinutes(1);

    /** How long the verdict from an authorization server is cached. */
    static final Duration LOOKED_UP = Duration.ofSeconds(30);

    /** The most cached tokens; beyond that, the least recently used token is checked again. */
    static final int MOST = 10_000;

    private record Checked(TokenVerdict verdict, Instant until) {}

    private final Map<String, Checked> recent = BoundedMap.byUse(MOST);
    private final Guard lock = new Guard();

    static String hash(String token) {
        return ApiKey.hash(token);
    }

    Optional<TokenVerdict> find(String hash, Instant now) {
        return lock.get(() -> Optional.ofNullable(recent.get(hash)))
                .filter(checked -> now.isBefore(checked.until()))
                .map(Checked::verdict);
    }

    void add(String hash, TokenVerdict verdict, Instant until) {
        lock.run(() -> recent.put(hash, new Checked(verdict, until)));
    }
}
