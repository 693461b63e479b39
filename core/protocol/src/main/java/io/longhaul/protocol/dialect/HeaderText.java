// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Text in HTTP headers: plain where it is visible ASCII, else in Base64 between {@code =?base64?} and {@code ?=}. */
public final class HeaderText {

    private static final String PREFIX = "=?base64?";
    private static final String SUFFIX = "?=";

    private HeaderText() {}

    /** A text as a header can carry it. */
    public static String encode(String text) {
        boolean isPlain =
                isPlain(text) && text.strip().equals(text) && !(text.startsWith(PREFIX) && text.endsWith(SUFFIX));
        return isPlain
                ? text
                : PREFIX + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + SUFFIX;
    }

    private static boolean isPlain(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c < 0x7f || c == '\t');
    }

    /** The text of a header; empty where the encoding is invalid. Padding must be exact. */
    static Optional<String> decode(String header) {
        if (!isPlain(header)) {
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
