// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import io.longhaul.engine.TaskTime;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.receiver.Rounds;
import io.longhaul.receiver.rounds.SealKeys.Key;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals and opens the state that a client carries between the rounds of one call: encrypted and authenticated
 * (AES-256-GCM). The client cannot read the state, change it, hand it to another client, use it for another call, or
 * use it after its expiry. Thread-safe.
 */
record SealedState(SealKeys keys, RandomGenerator random, TaskTime time) {

    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /**
     * Seals a state with the newest key.
     *
     * @param binding the caller and the call that the state is valid for
     * @param expiry  when the state expires, which is no later than {@link Rounds#LONGEST_LIFE} from now
     */
    String seal(CarriedState state, String binding, Instant expiry) {
        Instant now = time.now();
        Instant latest = now.plus(Rounds.LONGEST_LIFE);
        var out = JsonWriter.object();
        out.member("x", (expiry.isAfter(latest) ? latest : expiry).toEpochMilli());
        out.optional("t", state.task()).optional("k", state.parked());
        if (state.told() > 0) {
            out.member("e", state.told());
        }
        out.name("g").beginObject();
        state.given().forEach((name, answer) -> out.member(name, answer));
        out.endObject().name("q").beginObject();
        state.asked().forEach((name, digest) -> out.member(name, digest));
        byte[] body = out.endObject().end().bytes();
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        Key key = keys.current(now);
        try {
            byte[] closed = cipher(Cipher.ENCRYPT_MODE, key, nonce, binding).doFinal(body);
            byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + closed.length);
            System.arraycopy(closed, 0, all, NONCE_BYTES, closed.length);
            return key.id() + "." + BASE64.encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no usable " + ALGORITHM, e);
        }
    }

    /** The sealed state; empty for a text that is no state, for another binding, and for an expired state. */
    Optional<CarriedState> open(String sealed, String binding, Instant now) {
        int dot = sealed.indexOf('.');
        return dot < 0
                ? Optional.empty()
                : keys.find(sealed.substring(0, dot), now)
                        .flatMap(key -> decrypt(key, sealed.substring(dot + 1), binding))
                        .flatMap(body -> read(body, now));
    }

    private static Optional<byte[]> decrypt(Key key, String text, String binding) {
        try {
            byte[] all = Base64.getUrlDecoder().decode(text);
            // The last Base64 character has unused bits: only the spelling that was given out is valid.
            if (all.length < NONCE_BYTES || !BASE64.encodeToString(all).equals(text)) {
                return Optional.empty();
            }
            byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
            var cipher = cipher(Cipher.DECRYPT_MODE, key, nonce, binding);
            return Optional.of(cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES));
        } catch (IllegalArgumentException | AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no usable " + ALGORITHM, e);
        }
    }

    private static Optional<CarriedState> read(byte[] body, Instant now) {
        Params in = Params.of("requestState", Json.raw(body));
        Long expiry = in.optionalInteger("x");
        if (expiry == null || now.toEpochMilli() >= expiry) {
            return Optional.empty();
        }
        Map<String, String> asked = new LinkedHashMap<>();
        in.members("q").forEach((key, digest) -> asked.put(key, JsonReader.text(digest)));
        Long told = in.optionalInteger("e");
        return Optional.of(new CarriedState(
                in.optionalString("t"), in.optionalString("k"), in.members("g"), asked, told == null ? 0 : told));
    }

    private static Cipher cipher(int mode, Key key, byte[] nonce, String binding) throws GeneralSecurityException {
        var cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key.secret(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((key.id() + "\n" + binding).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
