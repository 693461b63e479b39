// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import java.util.Base64;

/** Bytes in JSON: standard Base64 with padding (RFC 4648, section 4). */
public final class Base64Text {

    private static final int GROUP = 4;
    private static final int MOST_PADDING = 2;

    private Base64Text() {}

    public static String of(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** @throws IllegalArgumentException where {@code text} is not standard Base64 with padding */
    public static void require(String text) {
        if (text.length() % GROUP != 0) {
            throw new IllegalArgumentException(
                    "the data is not Base64 with its padding: its length is no multiple of 4;"
                            + " give the bytes themselves, and they are encoded");
        }
        int end = text.length();
        while (end > 0 && end > text.length() - MOST_PADDING && text.charAt(end - 1) == '=') {
            end--;
        }
        for (int i = 0; i < end; i++) {
            if (!isDigit(text.charAt(i))) {
                throw new IllegalArgumentException("the data is not standard Base64: its character " + (i + 1)
                        + " is none of it; give the bytes themselves, and they are encoded");
            }
        }
    }

    private static boolean isDigit(char c) {
        return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/';
    }
}
