// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the blobs of rows by AES-256-GCM where there are keys, each for its place, so that a blob cannot be moved to
 * another row. Each process seals with a key of its own, which is derived from the data key and a random salt: its
 * nonces are a counter, so that no two blobs have the same, however many there are. Thread-safe.
 *
 * <p>A sealed blob is {@link #MARK}, the length of the key's id, the id, the salt, the counter, and what GCM gives. All
 * before that is authenticated, too.
 */
public final class RowSeal {

    /** No blob that is not sealed begins so: forms begin with their number, payloads are JSON. */
    private static final byte[] MARK = {0, 'L', 'H', 1};

    private static final int SALT_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** How many processes have sealed what is read between two clearings of the derived keys. */
    private static final int DERIVED = 1_000;

    private final Map<String, byte[]> keys;
    private final Optional<String> sealing;
    private final byte[] salt;
    private final AtomicLong counter = new AtomicLong();
    private final Map<ByteBuffer, SecretKey> derived = new ConcurrentHashMap<>();

    private RowSeal(Map<String, byte[]> keys, byte[] salt) {
        this.keys = keys;
        sealing = keys.keySet().stream().findFirst();
        this.salt = salt;
    }

    /** @param keys by their ids; the first one seals */
    public static RowSeal with(Map<String, byte[]> keys) {
        var salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new RowSeal(keys, salt);
    }

    /** The id of the key that seals, where there is one. */
    Optional<String> sealing() {
        return sealing;
    }

    boolean has(String keyId) {
        return keys.containsKey(keyId);
    }

    /** Seals a blob for its place, where there is a key. */
    public byte[] seal(byte[] blob, String place) {
        if (sealing.isEmpty()) {
            return blob;
        }
        var start = start(sealing.get());
        var head = ByteBuffer.allocate(start.length + SALT_BYTES + Long.BYTES)
                .put(start)
                .put(salt)
                .putLong(counter.getAndIncrement());
        var cipher = cipher(Cipher.ENCRYPT_MODE, head.array(), start.length, place);
        try {
            var sealed = Arrays.copyOf(head.array(), head.capacity() + cipher.getOutputSize(blob.length));
            cipher.doFinal(blob, 0, blob.length, sealed, head.capacity());
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Opens a stored blob; one that was stored while there were no keys is given as it is.
     *
     * @throws StoreException where it was changed or moved, or its key is not here
     */
    public byte[] open(byte[] stored, String place) {
        if (!isSealed(stored)) {
            return stored;
        }
        int start = MARK.length + 1 + stored[MARK.length];
        int head = start + SALT_BYTES + Long.BYTES;
        if (start <= MARK.length || stored.length < head) {
            throw ByteReader.damaged();
        }
        var cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(stored, head), start, place);
        try {
            return cipher.doFinal(stored, head, stored.length - head);
        } catch (GeneralSecurityException e) {
            throw new StoreException("what is sealed in the store was changed, or sealed with another key", e);
        }
    }

    private static boolean isSealed(byte[] stored) {
        return stored.length > MARK.length && Arrays.equals(stored, 0, MARK.length, MARK, 0, MARK.length);
    }

    /** How each blob begins that the key of that id has sealed. */
    public static byte[] start(String keyId) {
        var id = keyId.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(MARK.length + 1 + id.length)
                .put(MARK)
                .put((byte) id.length)
                .put(id)
                .array();
    }

    private Cipher cipher(int mode, byte[] head, int start, String place) {
        try {
            var cipher = Cipher.getInstance("AES/GCM/NoPadding");
            var nonce = ByteBuffer.allocate(NONCE_BYTES)
                    .put(NONCE_BYTES - Long.BYTES, head, start + SALT_BYTES, Long.BYTES);
            cipher.init(mode, key(head, start), new GCMParameterSpec(TAG_BITS, nonce.array()));
            cipher.updateAAD(head);
            cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
            return cipher;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private SecretKey key(byte[] head, int start) {
        var idAndSalt = ByteBuffer.wrap(head, 0, start + SALT_BYTES);
        var known = derived.get(idAndSalt);
        if (known != null) {
            return known;
        }
        var id = new String(head, MARK.length + 1, start - MARK.length - 1, StandardCharsets.US_ASCII);
        var master = keys.get(id);
        if (master == null) {
            throw new StoreException("it is sealed with the data key " + id + ", which is not among those given");
        }
        if (derived.size() >= DERIVED) {
            derived.clear();
        }
        var key = derive(master, Arrays.copyOfRange(head, start, start + SALT_BYTES));
        derived.put(ByteBuffer.wrap(Arrays.copyOf(head, start + SALT_BYTES)), key);
        return key;
    }

    private static SecretKey derive(byte[] master, byte[] salt) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(master, "HmacSHA256"));
            mac.update("longhaul data".getBytes(StandardCharsets.US_ASCII));
            return new SecretKeySpec(mac.doFinal(salt), "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
