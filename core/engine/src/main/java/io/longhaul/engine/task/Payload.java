// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Immutable bytes that the engine stores and hands back without looking into them.
 *
 * <p>The array is shared, not copied: the creator of a payload gives the array away.
 */
public final class Payload {

    /** No bytes at all. */
    public static final Payload EMPTY = new Payload(new byte[0]);

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Wraps {@code bytes}; the caller must not change them afterwards. */
    public static Payload of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Payload(bytes);
    }

    /** The UTF-8 bytes of {@code text}. */
    public static Payload ofText(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The wrapped array itself; the caller must not change it. */
    public byte[] bytes() {
        return bytes;
    }

    /** Number of bytes. */
    public int size() {
        return bytes.length;
    }

    /** The bytes read as UTF-8. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Payload[" + bytes.length + " bytes]";
    }
}
