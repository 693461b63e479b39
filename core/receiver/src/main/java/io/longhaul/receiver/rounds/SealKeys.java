// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.Guard;
import io.longhaul.receiver.Rounds;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys that seal states. The store keeps them, so that this process after a restart, or another node, can open what
 * this process has sealed. After its time, a newer key replaces a key; the node that needs the newer key first makes
 * it. A key is kept as long as a state that it has sealed can be valid. Where two nodes make a key at once, each seals
 * with its own: a state names its key. Thread-safe.
 */
final class SealKeys {

    private static final String SPACE = "seal-key";
    private static final int KEY_BYTES = 32;
    private static final int LONGEST_ID = 64;
    private static final int MANY = 1_000;

    /**
     * @param id    sorts keys by their age
     * @param until when the key stops sealing
     */
    record Key(String id, SecretKey secret, Instant until) {}

    private final RowStore store;
    private final RandomGenerator random;
    private final Duration rotation;
    private final Guard lock = new Guard();
    private final ConcurrentHashMap<String, Key> known = new ConcurrentHashMap<>();
    private volatile @Nullable Key current;

    /** @param rotation how long one key seals */
    SealKeys(RowStore store, RandomGenerator random, Duration rotation) {
        this.store = store;
        this.random = random;
        this.rotation = rotation;
    }

    Key current(Instant now) {
        Key sealing = current;
        if (sealing != null && now.isBefore(sealing.until())) {
            return sealing;
        }
        return lock.get(() -> {
            Key there = current;
            Key newest = there != null && now.isBefore(there.until()) ? there : newest(now);
            if (newest == null || !now.isBefore(newest.until())) {
                newest = make(now);
            }
            current = newest;
            return newest;
        });
    }

    /** The key with this id, while a state that it has sealed can be valid. */
    Optional<Key> find(String id, Instant now) {
        Key key = known.get(id);
        if (key == null) {
            return id.length() > LONGEST_ID
                    ? Optional.empty()
                    : store.get(SPACE, id, now).map(this::remember);
        }
        if (now.isBefore(key.until().plus(Rounds.LONGEST_LIFE))) {
            return Optional.of(key);
        }
        known.remove(id);
        return Optional.empty();
    }

    private @Nullable Key newest(Instant now) {
        List<StoredRow> rows = store.list(SPACE, null, MANY, now);
        return rows.isEmpty() ? null : remember(rows.getLast());
    }

    private Key make(Instant now) {
        byte[] secret = new byte[KEY_BYTES];
        random.nextBytes(secret);
        String id = HexFormat.of().toHexDigits(now.toEpochMilli(), 12)
                + HexFormat.of().toHexDigits(random.nextInt());
        Instant until = now.plus(rotation);
        var row = new StoredRow(SPACE, id, Payload.of(secret), until.plus(Rounds.LONGEST_LIFE));
        store.put(row);
        store.sweep(now, MANY);
        return remember(row);
    }

    private Key remember(StoredRow row) {
        Instant gone = row.expiresAt() == null ? Instant.MAX : row.expiresAt();
        var key = new Key(row.key(), new SecretKeySpec(row.value().bytes(), "AES"), gone.minus(Rounds.LONGEST_LIFE));
        known.put(key.id(), key);
        return key;
    }
}
