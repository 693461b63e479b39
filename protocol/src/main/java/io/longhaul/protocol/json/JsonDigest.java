// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.TreeMap;

/** A digest that is the same for equal values, whatever the order of their members and the space between them. */
public final class JsonDigest {

    private JsonDigest() {}

    /** SHA-256 over the value with its members sorted by name; numbers count as they are written. */
    public static byte[] sha256(Json value) {
        try {
            var writer = new JsonWriter(value.size() + 16);
            canonical(value, writer);
            return MessageDigest.getInstance("SHA-256").digest(writer.toJson().bytes());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
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
            case NUMBER, BOOLEAN, NULL -> to.raw(value);
        }
    }
}
