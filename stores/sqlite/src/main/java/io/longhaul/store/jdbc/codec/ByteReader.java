// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import io.longhaul.engine.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the compact form that {@link ByteWriter} writes; truncated or invalid bytes are a {@link StoreException}. */
final class ByteReader {
    private final byte[] bytes;
    private int at;

    ByteReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads the number of a stored form, which must be this one. */
    void form(int number) {
        if (octet() != number) {
            throw damaged();
        }
    }

    /** Whether a writer that knew fewer fields ended here. */
    boolean isAtEnd() {
        return at == bytes.length;
    }

    int octet() {
        need(1);
        return bytes[at++];
    }

    long number() {
        var value = 0L;
        for (var shift = 0; shift < 64; shift += 7) {
            var next = octet();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw damaged();
    }

    int count() {
        var value = number();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw damaged();
        }
        return (int) value;
    }

    boolean flag() {
        return octet() != 0;
    }

    double real() {
        need(8);
        var bits = 0L;
        for (var i = 0; i < 8; i++) {
            bits = bits << 8 | bytes[at++] & 0xFF;
        }
        return Double.longBitsToDouble(bits);
    }

    byte[] block() {
        var length = count();
        need(length);
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    String text() {
        var length = count();
        need(length);
        at += length;
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }

    @Nullable
    String textOrNull() {
        return flag() ? text() : null;
    }

    Instant instant() {
        return Instant.ofEpochSecond(number(), number());
    }

    Duration duration() {
        return Duration.ofSeconds(number(), number());
    }

    /** The element of {@code values} with the next code; a code is never reused. */
    <T> T oneOf(List<T> values) {
        var code = octet();
        if (code < 0 || code >= values.size()) {
            throw damaged();
        }
        return values.get(code);
    }

    static StoreException damaged() {
        return new StoreException("a stored task is damaged: its bytes make no sense");
    }

    private void need(int length) {
        if (length > bytes.length - at) {
            throw damaged();
        }
    }
}
