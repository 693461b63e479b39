// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Guard;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What became of tokens that were checked a moment ago, by their hash: an authorization server that takes a token or a
 * key back is heeded after that moment. Thread-safe.
 */
final class CheckedTokens {

    /** How long the check of a signature is good for. */
    static final Duration SIGNED = Duration.ofMinutes(1);

    /** How long an authorization server is believed. */
    static final Duration LOOKED_UP = Duration.ofSeconds(30);

    /** How many tokens are known; the one that was not used for the longest time is checked again. */
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
