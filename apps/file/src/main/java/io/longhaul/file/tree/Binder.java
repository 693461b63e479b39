// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads objects of a file into records. A component has the name of its field, and its type says how the field is read:
 * a text, a flag, a number, a duration, a regular expression, a constant, a list of texts, or a record for an object in
 * the object. A field that is absent has the default of the schema where that is a flag, a number or a constant, and
 * else is null; an absent list is empty.
 *
 * @param schema the schema of the file, whose definitions describe the objects
 */
public record Binder(FileFields file, JsonNode schema) {

    /** The name of a field that is no name in Java. */
    @Target(ElementType.RECORD_COMPONENT)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Named {
        String value();
    }

    /** Reads by the schema of files of tools. */
    public static Binder of(FileFields file) {
        return new Binder(file, FileSchema.SCHEMA);
    }

    /**
     * The object at a place as a record.
     *
     * @param definition the name of its definition in the schema
     */
    public <R extends Record> R read(String at, String definition, Class<R> type) {
        var components = type.getRecordComponents();
        var values = Arrays.stream(components)
                .map(component -> value(at, definition, component))
                .toArray();
        try {
            var maker = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            maker.setAccessible(true);
            return maker.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(type.getSimpleName() + " refuses its fields", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private @Nullable Object value(String at, String definition, RecordComponent component) {
        var named = component.getAnnotation(Named.class);
        var name = named == null ? component.getName() : named.value();
        var place = YamlTree.below(at, name);
        var type = component.getType();
        if (type.isRecord()) {
            return read(place, name, type.asSubclass(Record.class));
        }
        var unsaid = schema.at("/definitions/" + definition + "/properties/" + name + "/default");
        return type == List.class
                ? list(place, component.getGenericType())
                : scalar(place, type, file.has(place) ? null : unsaid);
    }

    private List<?> list(String place, Type type) {
        if (!(type instanceof ParameterizedType list) || !list.getActualTypeArguments()[0].equals(String.class)) {
            throw new IllegalStateException("no list of texts: " + type);
        }
        return file.texts(place);
    }

    /** @param unsaid the default; null where the file has the field */
    private @Nullable Object scalar(String place, Class<?> type, @Nullable JsonNode unsaid) {
        if (type == boolean.class) {
            return unsaid == null ? file.flag(place) : unsaid.asBoolean(false);
        }
        if (type == Integer.class) {
            return unsaid == null ? file.number(place) : unsaid.isInt() ? Integer.valueOf(unsaid.intValue()) : null;
        }
        if (type.isEnum()) {
            return constant(type, unsaid == null ? file.text(place) : unsaid.asString(null));
        }
        if (type == Duration.class) {
            return file.duration(place);
        }
        if (type == Pattern.class) {
            return file.regex(place);
        }
        if (type == String.class) {
            return file.text(place);
        }
        throw new IllegalStateException("no field of a file is read as " + type.getName());
    }

    private static @Nullable Object constant(Class<?> type, @Nullable String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(one -> ((Enum<?>) one).name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElse(null);
    }
}
