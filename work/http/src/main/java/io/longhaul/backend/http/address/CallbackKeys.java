// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.address;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.longhaul.engine.run.Sha256;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The keys that sign the addresses of callbacks. The keys are rows in the store of the tasks, so that they survive a
 * restart and all nodes of a store share them. Nodes that create first keys at once read each other's keys: the first
 * key in order signs, and each key is valid. A key never expires, because a job has no longest duration. A stolen key
 * can only make this server look at jobs. Thread-safe.
 */
final class CallbackKeys {

    private static final String SPACE = "callback-key";
    private static final int KEY_BYTES = 32;
    private static final int MANY = 1_000;

    /** The shortest interval between two reads of the keys for callbacks with an unknown signature. */
    private static final Duration BETWEEN_VAIN_READS = Duration.ofSeconds(1);

    private final RowStore rows;
    private final RandomGenerator random;
    private final InstantSource clock;
    private volatile List<Payload> known = List.of();
    private volatile Instant vainAt = Instant.MIN;

    /** @param random unpredictable */
    CallbackKeys(RowStore rows, RandomGenerator random, InstantSource clock) {
        this.rows = rows;
        this.random = random;
        this.clock = clock;
    }

    String sign(String text) {
        return signature(first(), text);
    }

    /** Checks a signature; reads the keys again for an unknown one, as another process may have made a key. */
    boolean isSigned(String text, String signature) {
        if (isSigned(known, text, signature)) {
            return true;
        }
        var now = clock.instant();
        boolean mayBeNew = known.isEmpty() || rows.isShared();
        if (!mayBeNew || now.isBefore(vainAt.plus(BETWEEN_VAIN_READS))) {
            return false;
        }
        boolean isGood = isSigned(read(), text, signature);
        vainAt = isGood ? vainAt : now;
        return isGood;
    }

    private static boolean isSigned(List<Payload> keys, String text, String signature) {
        var given = signature.getBytes(US_ASCII);
        return keys.stream()
                .map(key -> signature(key, text).getBytes(US_ASCII))
                .anyMatch(good -> MessageDigest.isEqual(good, given));
    }

    private Payload first() {
        var keys = known.isEmpty() ? read() : known;
        return keys.isEmpty() ? make() : keys.getFirst();
    }

    private List<Payload> read() {
        known = rows.list(SPACE, null, MANY, clock.instant()).stream()
                .map(StoredRow::value)
                .toList();
        return known;
    }

    private synchronized Payload make() {
        if (read().isEmpty()) {
            var bytes = new byte[KEY_BYTES];
            random.nextBytes(bytes);
            rows.put(new StoredRow(SPACE, HexFormat.of().toHexDigits(random.nextLong()), Payload.of(bytes), null));
        }
        return read().getFirst();
    }

    private static String signature(Payload key, String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Sha256.keyed(key.bytes(), text.getBytes(US_ASCII)));
    }
}
