// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

import java.util.Base64;
import java.util.random.RandomGenerator;

/** Random bits as visible ASCII that needs no escape in an address. */
public final class RandomText {

    private RandomText() {}

    /** As many random bytes as {@code bytes} says, in four characters for each three. */
    public static String of(RandomGenerator random, int bytes) {
        byte[] drawn = new byte[bytes];
        random.nextBytes(drawn);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(drawn);
    }
}
