// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Cursors of lists as clients see them: opaque, and each valid for one kind of list. */
public final class Cursors {

    private Cursors() {}

    public static String seal(String kind, String place) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString((kind + place).getBytes(StandardCharsets.UTF_8));
    }

    /** The place that a cursor names; empty for a cursor of another kind. */
    public static Optional<String> open(String kind, String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            return text.startsWith(kind) ? Optional.of(text.substring(kind.length())) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
