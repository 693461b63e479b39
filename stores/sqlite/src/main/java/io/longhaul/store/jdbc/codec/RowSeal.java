// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import io.longhaul.engine.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the blobs of rows with AES-256-GCM where there are keys. Each blob is bound to its place, so that a blob cannot
 * be moved to another row. Each instance seals with a key of its own, derived from the data key and a random salt, and
 * its nonces are a counter: so no two blobs share a key and a nonce. Thread-safe.
 *
 * <p>A sealed blob consists of {@link #MARK}, the length of the key's id, the id, the salt, the counter, and the output
 * of GCM. GCM authenticates the preceding fields too.
 */
public final class RowSeal {

    /** No unsealed blob begins with these bytes: forms begin with their number, payloads are JSON. */
    private static final byte[] MARK = {0, 'L', 'H', 1};

    private static final int SALT_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The size of the cache of derived keys, one key for each process that has sealed data. */
    private static final int DERIVED = 1_000;

    private final Map<String, byte[]> keys;
    private final Optional<Own> own;
    private final AtomicLong counter = new AtomicLong();
    private final Map<ByteBuffer, SecretKey> derived = new ConcurrentHashMap<>();

    /** Ciphers that nobody uses: the search for a new one takes longer than most blobs. */
    private final Queue<Cipher> idle = new ConcurrentLinkedQueue<>();

    /** The key that seals, and what its blobs begin with. */
    private record Own(byte[] start, SecretKey key) {}

    private RowSeal(Map<String, byte[]> keys, byte[] salt) {
        this.keys = keys;
        own = sealing()
                .map(id -> new Own(
                        ByteBuffer.allocate(start(id).length + SALT_BYTES)
                                .put(start(id))
                                .put(salt)
                                .array(),
                        derive(keys.get(id), salt)));
    }

    /** @param keys the keys by their ids; the first key seals */
    public static RowSeal with(Map<String, byte[]> keys) {
        var salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new RowSeal(keys, salt);
    }

    /** The id of the sealing key; empty for none. */
    public Optional<String> sealing() {
        return keys.keySet().stream().findFirst();
    }

    public boolean has(String keyId) {
        return keys.containsKey(keyId);
    }

    /** Seals a blob for its place; without a key, gives the blob unchanged. */
    public byte[] seal(byte[] blob, String place) {
        if (own.isEmpty()) {
            return blob;
        }
        var start = own.get().start();
        int head = start.length + Long.BYTES;
        var sealed = Arrays.copyOf(start, head + blob.length + TAG_BITS / Byte.SIZE);
        ByteBuffer.wrap(sealed).putLong(start.length, counter.getAndIncrement());
        var cipher = cipher(Cipher.ENCRYPT_MODE, own.get().key(), sealed, head, place);
        try {
            cipher.doFinal(blob, 0, blob.length, sealed, head);
            idle.add(cipher);
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Opens a stored blob; an unsealed blob is given unchanged.
     *
     * @throws StoreException where the blob was changed or moved, or its key is missing
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
        var cipher = cipher(Cipher.DECRYPT_MODE, key(stored, start), stored, head, place);
        try {
            var opened = cipher.doFinal(stored, head, stored.length - head);
            idle.add(cipher);
            return opened;
        } catch (GeneralSecurityException e) {
            throw new StoreException("what is sealed in the store was changed, or sealed with another key", e);
        }
    }

    private static boolean isSealed(byte[] stored) {
        return stored.length > MARK.length && Arrays.equals(stored, 0, MARK.length, MARK, 0, MARK.length);
    }

    /** The first bytes of each blob that the key of that id has sealed. */
    public static byte[] start(String keyId) {
        var id = keyId.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(MARK.length + 1 + id.length)
                .put(MARK)
                .put((byte) id.length)
                .put(id)
                .array();
    }

    /** A cipher for the blob whose head has that length and ends with the counter. */
    private Cipher cipher(int mode, SecretKey key, byte[] blob, int head, String place) {
        try {
            var waiting = idle.poll();
            var cipher = waiting == null ? Cipher.getInstance("AES/GCM/NoPadding") : waiting;
            var nonce = new byte[NONCE_BYTES];
            System.arraycopy(blob, head - Long.BYTES, nonce, NONCE_BYTES - Long.BYTES, Long.BYTES);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(blob, 0, head);
            cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
            return cipher;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private SecretKey key(byte[] stored, int start) {
        var idAndSalt = ByteBuffer.wrap(stored, 0, start + SALT_BYTES);
        var known = derived.get(idAndSalt);
        if (known != null) {
            return known;
        }
        var id = new String(stored, MARK.length + 1, start - MARK.length - 1, StandardCharsets.US_ASCII);
        var master = keys.get(id);
        if (master == null) {
            throw new StoreException("it is sealed with the data key " + id + ", which is not among those given");
        }
        if (derived.size() >= DERIVED) {
            derived.clear();
        }
        var key = derive(master, Arrays.copyOfRange(stored, start, start + SALT_BYTES));
        derived.put(ByteBuffer.wrap(Arrays.copyOf(stored, start + SALT_BYTES)), key);
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
