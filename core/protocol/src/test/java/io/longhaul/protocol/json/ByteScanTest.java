// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The scans find what a look at each byte finds, wherever in eight bytes it is. */
class ByteScanTest {

    private static final String SOUGHT = "\"\\\u0000\u001f\n\u0080\u00ff !#[]";

    private final Random random = new Random(11);

    @Test
    void finds_the_first_of_two_bytes_in_texts_of_each_length() {
        for (int length = 0; length < 200; length++) {
            byte[] text = text(length);
            for (int from = 0; from <= length; from++) {
                int to = from + random.nextInt(length - from + 1);
                assertThat(ByteScan.either(text, from, to, '"', '\\'))
                        .as("%s from %d to %d", new String(text, ISO_8859_1), from, to)
                        .isEqualTo(firstOfTwo(text, from, to));
            }
        }
    }

    @Test
    void finds_the_first_byte_that_a_string_must_escape() {
        for (int length = 0; length < 200; length++) {
            byte[] text = text(length);
            for (int from = 0; from <= length; from++) {
                assertThat(ByteScan.escape(text, from))
                        .as("%s from %d", new String(text, ISO_8859_1), from)
                        .isEqualTo(firstEscaped(text, from));
            }
        }
    }

    @Test
    void a_search_that_begins_behind_the_text_finds_nothing() {
        assertThat(ByteScan.either(new byte[4], 5, 4, '"', '\\')).isEqualTo(5);
    }

    /** A text with a few of the bytes that matter, and of those beside them. */
    private byte[] text(int length) {
        byte[] text = "x".repeat(length).getBytes(ISO_8859_1);
        for (int i = 0; i < length / 16 + 1 && length > 0; i++) {
            text[random.nextInt(length)] = (byte) SOUGHT.charAt(random.nextInt(SOUGHT.length()));
        }
        return text;
    }

    private static int firstOfTwo(byte[] text, int from, int to) {
        int at = from;
        while (at < to && text[at] != '"' && text[at] != '\\') {
            at++;
        }
        return at;
    }

    private static int firstEscaped(byte[] text, int from) {
        int at = from;
        while (at < text.length && text[at] != '"' && text[at] != '\\' && (text[at] < 0 || text[at] >= ' ')) {
            at++;
        }
        return at;
    }
}
