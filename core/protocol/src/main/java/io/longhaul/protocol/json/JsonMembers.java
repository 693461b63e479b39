// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members of one JSON object, each value raw. Names are matched with case. Immutable. */
public final class JsonMembers {

    /** No members. */
    public static final JsonMembers NONE = new JsonMembers(new LinkedHashMap<>());

    private final Map<String, Json> values;

    JsonMembers(LinkedHashMap<String, Json> values) {
        this.values = values;
    }

    /** The value of a member, or null where the object has no member of this name. JSON's own null is a value. */
    public @Nullable Json get(String name) {
        return values.get(name);
    }

    /** The text of a member; null where the object has no such member, or its value is not a string. */
    public @Nullable String text(String name) {
        Json value = values.get(name);
        return value == null || value.kind() != Json.Kind.STRING ? null : JsonReader.text(value);
    }

    /** The members of an inner object; none where there is no such member, or its value is not an object. */
    public JsonMembers object(String name) {
        Json value = values.get(name);
        return value == null || value.kind() != Json.Kind.OBJECT ? NONE : value.members();
    }

    /** Whether there is a member of this name. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** The names, in the order of the text. */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** All members, in the order of the text. */
    public Map<String, Json> asMap() {
        return Collections.unmodifiableMap(values);
    }
}
