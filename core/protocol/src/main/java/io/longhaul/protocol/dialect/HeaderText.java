// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Text in HTTP headers: plain where it is visible ASCII, else in Base64 between {@code =?base64?} and {@code ?=}. */
final class HeaderText {

    private static final String PREFIX = "=?base64?";
    private static final String SUFFIX = "?=";

    private HeaderText() {}

    /** The text of a header; empty where the encoding is invalid. Padding must be exact. */
    static Optional<String> decode(String header) {
        if (!header.chars().allMatch(c -> c >= ' ' && c < 0x7f || c == '\t')) {
            return Optional.empty();
        }
        return header.startsWith(PREFIX)
                        && header.endsWith(SUFFIX)
                        && header.length() >= PREFIX.length() + SUFFIX.length()
                ? base64(header.substring(PREFIX.length(), header.length() - SUFFIX.length()))
                : Optional.of(header);
    }

    /**
     * Java's decoder accepts missing padding and stray last bits. Encoding the result again shows whether the text was
     * exact.
     */
    private static Optional<String> base64(String encoded) {
        try {
            var bytes = Base64.getDecoder().decode(encoded);
            if (!Base64.getEncoder().encodeToString(bytes).equals(encoded)) {
                return Optional.empty();
            }
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
