// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import io.longhaul.protocol.Guard;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one issuer. They are read again when they are old, and when a token names an unknown key. The time
 * between two readings is limited, so that a flood of tokens causes no flood of requests. While the issuer is away, the
 * old keys are valid for a day. Thread-safe.
 */
final class KeySet {

    /** The age from which keys are read again. */
    static final Duration FRESH = Duration.ofMinutes(10);

    /** The least time between two readings, whatever tokens name. */
    static final Duration APART = Duration.ofSeconds(30);

    /** The least time between two readings while no key is known. */
    static final Duration FIRST = Duration.ofSeconds(5);

    /** The age from which keys that could not be read again are no longer valid. */
    static final Duration LONGEST = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(KeySet.class);
    private static final int CANDIDATES = 8;

    /** Reads the keys. */
    @FunctionalInterface
    interface Source {
        JWKSet read() throws IOException;
    }

    private record Keys(JWKSet all, Instant readAt) {}

    private final String issuer;
    private final Source source;
    private final Guard reading = new Guard();
    private volatile @Nullable Keys known;
    private @Nullable Instant lastTry;

    /** How often the keys were read, also in vain. */
    private volatile int readings;

    KeySet(String issuer, Source source) {
        this.issuer = issuer;
        this.source = source;
    }

    /**
     * The public keys that a token with this header may be signed with; none where the header names an unknown key.
     *
     * @throws IssuerAwayException where the keys are not known and cannot be read
     */
    List<AsymmetricJWK> find(JWSHeader header, Instant now) throws IssuerAwayException {
        int seen = readings;
        var keys = known;
        var found = select(keys, header);
        if (keys == null || found.isEmpty()) {
            reading.run(() -> read(seen, now));
        } else if (!isWithin(keys.readAt(), FRESH, now) && reading.tryLock()) {
            // One thread reads; other threads use the present keys.
            try {
                read(seen, now);
            } finally {
                reading.unlock();
            }
        }
        var latest = known;
        if (latest == null || latest.readAt().plus(LONGEST).isBefore(now)) {
            throw new IssuerAwayException();
        }
        return select(latest, header);
    }

    /** Reads the keys. A thread that has waited for a reading of another thread takes its outcome, also a failure. */
    private void read(int seen, Instant now) {
        var apart = known == null ? FIRST : APART;
        if (readings != seen || lastTry != null && isWithin(lastTry, apart, now)) {
            return;
        }
        lastTry = now;
        try {
            known = new Keys(source.read(), now);
        } catch (IOException e) {
            LOG.warn("the keys of {} cannot be read: {}", issuer, e.getMessage());
        } finally {
            readings = seen + 1;
        }
    }

    /**
     * Whether the time since then is less than a limit. A time ahead of now counts as long past, because the clock was
     * set back; one that is a little ahead is of a request that came at the same time.
     */
    private static boolean isWithin(Instant then, Duration limit, Instant now) {
        return then.plus(limit).isAfter(now) && then.minus(APART).isBefore(now);
    }

    private static List<AsymmetricJWK> select(@Nullable Keys keys, JWSHeader header) {
        return keys == null
                ? List.of()
                : new JWKSelector(JWKMatcher.forJWSHeader(header))
                        .select(keys.all()).stream()
                                .filter(AsymmetricJWK.class::isInstance)
                                .map(AsymmetricJWK.class::cast)
                                .limit(CANDIDATES)
                                .toList();
    }
}
