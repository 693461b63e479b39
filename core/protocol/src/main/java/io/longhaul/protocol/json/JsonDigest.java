// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.TreeMap;

/** A digest that is the same for equal values, whatever the order of their members and the spelling of numbers. */
public final class JsonDigest {

    /** Copied for each digest, which costs less than to ask the platform for a new one. */
    private static final MessageDigest FRESH = sha256();

    /** The most zeros, and digits after the point, of a number that is written without an exponent. */
    private static final int ZEROS = 40;

    /** The longest exponent, in characters; a number with a longer one keeps its spelling. */
    private static final int LONGEST_EXPONENT = 9;

    private static final int PLAIN = 18;

    private JsonDigest() {}

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** SHA-256 over the value with its members sorted by name; {@code 0.20} and {@code 0.2} are equal numbers. */
    public static byte[] sha256(Json value) {
        var writer = new JsonWriter(value.size() + 16);
        canonical(value, writer);
        return sha256(writer.toJson().bytes());
    }

    /** SHA-256 over bytes as they are. */
    public static byte[] sha256(byte[] bytes) {
        try {
            return ((MessageDigest) FRESH.clone()).digest(bytes);
        } catch (CloneNotSupportedException e) {
            throw new AssertionError("the SHA-256 of the platform can be copied", e);
        }
    }

    private static void canonical(Json value, JsonWriter to) {
        switch (value.kind()) {
            case OBJECT -> {
                to.beginObject();
                new TreeMap<>(JsonReader.members(value).asMap()).forEach((name, inner) -> {
                    to.name(name);
                    canonical(inner, to);
                });
                to.endObject();
            }
            case ARRAY -> {
                to.beginArray();
                JsonReader.elements(value).forEach(inner -> canonical(inner, to));
                to.endArray();
            }
            case STRING -> to.string(JsonReader.text(value));
            case NUMBER -> to.raw(isPlain(value) ? value : Json.raw(number(value.toString())));
            case BOOLEAN, NULL -> to.raw(value);
        }
    }

    /** Whether a number is a few digits, as ids of requests are: these are written in one way only. */
    private static boolean isPlain(Json number) {
        return number.size() <= PLAIN && number.isInteger() && number.bytes()[0] != '-';
    }

    /** One spelling for equal numbers: {@code 0.20}, {@code 2e-1} and {@code 0.2} are one value in all libraries. */
    private static String number(String number) {
        int exponent = Math.max(number.indexOf('e'), number.indexOf('E'));
        if (exponent >= 0 && number.length() - exponent - 1 > LONGEST_EXPONENT) {
            return number;
        }
        var value = new BigDecimal(number).stripTrailingZeros();
        return Math.abs(value.scale()) <= ZEROS ? value.toPlainString() : value.toString();
    }
}
