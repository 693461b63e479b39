package io.longhaul.peer.receiver;

import io.longhaul.engine.store.HandleStore;
import io.longhaul.engine.store.HandleStore.Handle;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What a client carries between the rounds of one call. It can read it, and cannot change it, hand it to somebody else,
 * use it for another call, or use it for ever. The key is kept beside the tasks.
 */
final class SealedState {

    /**
     * What is carried.
     *
     * @param task   the task that the call waits for, or null
     * @param parked the handler that waits for the answers, or null
     * @param given  answers of earlier rounds
     */
    record State(@Nullable String task, @Nullable String parked, Map<String, Json> given) {
        static State ofTask(String task) {
            return new State(task, null, Map.of());
        }

        static State ofParked(String parked) {
            return new State(null, parked, Map.of());
        }

        static State ofGiven(Map<String, Json> given) {
            return new State(null, null, given);
        }
    }

    private static final String ALGORITHM = "HmacSHA256";
    private static final String SPACE = "secret";
    private static final String NAME = "request-state";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 9;

    private final SecretKeySpec key;
    private final RandomGenerator random;

    SealedState(HandleStore handles, RandomGenerator random, Instant now) {
        this.random = random;
        Optional<Handle> stored = handles.get(SPACE, NAME, now);
        byte[] secret = stored.map(handle -> handle.value().bytes()).orElseGet(() -> bytes(KEY_BYTES));
        if (stored.isEmpty()) {
            handles.put(new Handle(SPACE, NAME, Payload.of(secret), null));
        }
        key = new SecretKeySpec(secret, ALGORITHM);
    }

    /** @param binding what it may be used with: who calls, and what is called */
    String seal(State state, String binding, Instant expiry) {
        var out = new JsonWriter().beginObject();
        out.name("b").string(binding).name("x").number(expiry.toEpochMilli());
        out.name("n").string(text(bytes(NONCE_BYTES)));
        out.optional("t", state.task()).optional("k", state.parked());
        out.name("g").beginObject();
        state.given().forEach((name, answer) -> out.name(name).raw(answer));
        byte[] body = out.endObject().endObject().toJson().bytes();
        return text(body) + "." + text(mac(body));
    }

    /** What was sealed; empty for anything else, or for another use. */
    Optional<State> open(String sealed, String binding, Instant now) {
        int dot = sealed.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        try {
            byte[] body = Base64.getUrlDecoder().decode(sealed.substring(0, dot));
            byte[] mac = Base64.getUrlDecoder().decode(sealed.substring(dot + 1));
            return MessageDigest.isEqual(mac, mac(body)) ? read(body, binding, now) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<State> read(byte[] body, String binding, Instant now) {
        Params in = Params.of("requestState", Json.raw(body));
        Long expiry = in.optionalInteger("x");
        if (!in.string("b").equals(binding) || expiry == null || now.toEpochMilli() >= expiry) {
            return Optional.empty();
        }
        Map<String, Json> given =
                new LinkedHashMap<>(JsonReader.members(in.object("g")).asMap());
        return Optional.of(new State(in.optionalString("t"), in.optionalString("k"), given));
    }

    private byte[] mac(byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no " + ALGORITHM, e);
        }
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
