// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the compact form that {@link ByteReader} reads. */
final class ByteWriter {
    private byte[] bytes = new byte[256];
    private int size;

    ByteWriter octet(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /** Writes seven bits to a byte, lowest first; small numbers of either sign take one byte. */
    ByteWriter number(long value) {
        ensure(10);
        var left = (value << 1) ^ (value >> 63);
        while ((left & ~0x7FL) != 0) {
            bytes[size++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        bytes[size++] = (byte) left;
        return this;
    }

    ByteWriter flag(boolean value) {
        return octet(value ? 1 : 0);
    }

    ByteWriter real(double value) {
        ensure(8);
        var bits = Double.doubleToRawLongBits(value);
        for (var shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (bits >>> shift);
        }
        return this;
    }

    ByteWriter block(byte[] block) {
        number(block.length);
        ensure(block.length);
        System.arraycopy(block, 0, bytes, size, block.length);
        size += block.length;
        return this;
    }

    ByteWriter text(String text) {
        return block(text.getBytes(StandardCharsets.UTF_8));
    }

    ByteWriter textOrNull(@Nullable String text) {
        return text == null ? flag(false) : flag(true).text(text);
    }

    ByteWriter instant(Instant instant) {
        return number(instant.getEpochSecond()).number(instant.getNano());
    }

    ByteWriter duration(Duration duration) {
        return number(duration.getSeconds()).number(duration.getNano());
    }

    /** The place of a value in the list that {@link ByteReader#oneOf} takes it from. */
    <T> ByteWriter oneOf(List<T> values, T value) {
        int code = values.indexOf(value);
        if (code < 0) {
            throw new IllegalArgumentException("no code is given to " + value);
        }
        return octet(code);
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
