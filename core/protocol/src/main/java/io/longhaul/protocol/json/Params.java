// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import io.longhaul.protocol.json.Json.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of an object that a peer sent, by type; every fault names the field. A JSON null is a fault, except
 * where a method says otherwise. Immutable.
 */
public final class Params {

    /** The longest time that is read. */
    public static final Duration LONGEST_TIME = Duration.ofDays(36_500);

    private final String path;
    private final JsonMembers members;

    private Params(String path, JsonMembers members) {
        this.path = path;
        this.members = members;
    }

    /** The params of a message. */
    public static Params of(Json object) {
        return of("params", object);
    }

    /**
     * An object, named in messages as {@code path}.
     *
     * @throws ParamsException where the value is not an object
     */
    public static Params of(String path, Json object) {
        if (object.kind() != Kind.OBJECT) {
            throw new ParamsException(path + " must be an object");
        }
        return new Params(path, JsonReader.members(object));
    }

    /** Members that were read already, named in messages as {@code path}. */
    public static Params of(String path, JsonMembers members) {
        return new Params(path, members);
    }

    public boolean has(String name) {
        return members.has(name);
    }

    /** A value of any type, or null where it is absent. */
    public @Nullable Json get(String name) {
        return members.get(name);
    }

    public String string(String name) {
        return required(name, optionalString(name));
    }

    public @Nullable String optionalString(String name) {
        var value = typed(name, Kind.STRING, "a string");
        return value == null ? null : JsonReader.text(value);
    }

    /**
     * A string that becomes a key in the store. The character U+0000 is refused, since not every database accepts it.
     */
    public String key(String name) {
        return required(name, optionalKey(name));
    }

    /** Like {@link #key}, or null where the field is absent. */
    public @Nullable String optionalKey(String name) {
        var value = optionalString(name);
        return value == null || value.indexOf('\0') < 0 ? value : fail(name, "must not contain the character U+0000");
    }

    public @Nullable Long optionalInteger(String name) {
        var value = typed(name, Kind.NUMBER, "an integer");
        if (value == null) {
            return null;
        }
        var number = value.asLong();
        return number == null ? fail(name, "must be an integer") : number;
    }

    /** A number of any form; null where it is absent or JSON's null. */
    public @Nullable Double optionalNumber(String name) {
        var value = members.get(name);
        if (value == null || value.kind() == Kind.NULL) {
            return null;
        }
        return value.kind() == Kind.NUMBER ? Double.valueOf(value.toString()) : fail(name, "must be a number");
    }

    /**
     * A whole number for which any large value will do: one above {@code most} is cut, and a fraction is raised to the
     * next number; null where it is absent or JSON's null.
     */
    public @Nullable Long optionalAmount(String name, long most) {
        var number = optionalNumber(name);
        if (number == null) {
            return null;
        }
        return number < 0 ? fail(name, "must not be negative") : Long.valueOf((long) Math.ceil(Math.min(number, most)));
    }

    /**
     * A time of any length, as a number of {@code unit}s; one above a century is cut, so that no arithmetic on times
     * overflows. Null where it is absent or JSON's null.
     */
    public @Nullable Duration optionalTime(String name, Duration unit) {
        var number = optionalNumber(name);
        if (number == null) {
            return null;
        }
        return number < 0
                ? fail(name, "must not be negative")
                : Duration.ofMillis((long) Math.ceil(Math.min(number * unit.toMillis(), LONGEST_TIME.toMillis())));
    }

    public boolean flag(String name) {
        var value = typed(name, Kind.BOOLEAN, "a boolean");
        return value != null && value.bytes()[0] == 't';
    }

    public Json object(String name) {
        return required(name, optionalObject(name));
    }

    public @Nullable Json optionalObject(String name) {
        return typed(name, Kind.OBJECT, "an object");
    }

    /** The params of a nested object; without members where the field is absent. */
    public Params inner(String name) {
        var value = optionalObject(name);
        return new Params(path(name), value == null ? JsonMembers.NONE : JsonReader.members(value));
    }

    /** The members of an object by their names, of any type; empty where it is absent. */
    public Map<String, Json> members(String name) {
        return inner(name).members().asMap();
    }

    /** The strings of an array; none where it is absent. */
    public List<String> strings(String name) {
        var value = typed(name, Kind.ARRAY, "an array of strings");
        var strings = new ArrayList<String>();
        for (var element : value == null ? List.<Json>of() : JsonReader.elements(value)) {
            if (element.kind() != Kind.STRING) {
                return fail(name, "must be an array of strings");
            }
            strings.add(JsonReader.text(element));
        }
        return List.copyOf(strings);
    }

    /** All members, of any type. */
    public JsonMembers members() {
        return members;
    }

    /** Refuses the value of a field. The message is the name of the field followed by {@code problem}. */
    public <T> T fail(String name, String problem) {
        throw new ParamsException(path(name) + " " + problem);
    }

    private @Nullable Json typed(String name, Kind kind, String what) {
        var value = members.get(name);
        return value == null || value.kind() == kind ? value : fail(name, "must be " + what);
    }

    private <T> T required(String name, @Nullable T value) {
        return value == null ? fail(name, "is required") : value;
    }

    private String path(String name) {
        return name.contains("/") ? path + "[\"" + name + "\"]" : path + "." + name;
    }
}
