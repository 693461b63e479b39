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

    /** The most cached tokens, good and others each; beyond that, the least recently used token is checked again. */
    static final int MOST = 10_000;

    private record Checked(TokenVerdict verdict, Instant from, Instant until) {

        /** Whether the verdict is young enough; one from the future is not: the clock was set back. */
        boolean holds(Instant now) {
            return !now.isBefore(from) && now.isBefore(until);
        }
    }

    private final Map<String, Checked> good = BoundedMap.byUse(MOST);

    /** Apart from the good tokens, so that strangers with invented tokens drive none of these out. */
    private final Map<String, Checked> others = BoundedMap.byUse(MOST);

    private final Guard lock = new Guard();

    static String hash(String token) {
        return ApiKey.hash(token);
    }

    Optional<TokenVerdict> find(String hash, Instant now) {
        return lock.get(() -> Optional.ofNullable(good.get(hash)).or(() -> Optional.ofNullable(others.get(hash))))
                .filter(checked -> checked.holds(now))
                .map(Checked::verdict);
    }

    /** Whether the last verdict on the token was good, even where it is cached no longer than to say so. */
    boolean wasGood(String hash) {
        return lock.get(() -> good.containsKey(hash));
    }

    void add(String hash, TokenVerdict verdict, Instant now, Duration time) {
        var checked = new Checked(verdict, now, now.plus(time));
        lock.run(() -> {
            good.remove(hash);
            others.remove(hash);
            (verdict instanceof TokenVerdict.Good ? good : others).put(hash, checked);
        });
    }
}
