// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import io.longhaul.protocol.RandomText;
import io.longhaul.protocol.json.JsonDigest;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * A static key of one caller, for small set-ups. A key does not expire, and is revoked by removing it. The server knows
 * only its hash. Immutable.
 *
 * @param name   the name of the caller, which owns its tasks; unique on the server
 * @param sha256 of the key, in hexadecimal digits
 * @param scopes that the caller has
 */
public record ApiKey(String name, String sha256, Set<String> scopes) {

    static final String PREFIX = "lhk_";
    private static final int BYTES = 32;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.@-]{1,100}");

    /** @throws IllegalArgumentException with a sentence that names the error */
    public ApiKey {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of an API key has 1 to 100 letters, digits, dots, _, @ and -");
        }
        if (!HASH.matcher(sha256).matches()) {
            throw new IllegalArgumentException("The sha256 of the API key " + name
                    + " must be 64 hexadecimal digits in lower case: longhaul key makes a key and its hash");
        }
        scopes = Set.copyOf(scopes);
        scopes.stream().filter(scope -> !Entitlement.isScope(scope)).findFirst().ifPresent(scope -> {
            throw new IllegalArgumentException("\"" + scope + "\" cannot be a scope of the API key " + name);
        });
    }

    /**
     * A new key of 256 random bits, which is stored nowhere.
     *
     * @param random unpredictable, such as {@link java.security.SecureRandom}
     */
    public static String create(RandomGenerator random) {
        return PREFIX + RandomText.of(random, BYTES);
    }

    /** The hash of a key, in the form of {@link #sha256}. A key has so many random bits that the hash needs no salt. */
    public static String hash(String key) {
        return HexFormat.of().formatHex(digest(key));
    }

    static byte[] digest(String text) {
        return JsonDigest.sha256(text.getBytes(StandardCharsets.UTF_8));
    }
}
