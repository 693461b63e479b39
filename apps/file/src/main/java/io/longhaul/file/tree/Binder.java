// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import io.longhaul.file.text.EnumWords;
import io.longhaul.file.text.WrittenSize;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads objects of a file into records. A component has the name of its field, and its type says how the field is
 * read: a text, a flag, a number, a size ({@code long}), a duration, a path, a regular expression, a JSON pointer, a
 * constant, a value of a {@link Kind}, the JSON itself, or a list, a set or a map of these. A record stands for an
 * object; where the file has a single value in its place, that is the first component. A record whose name is no field
 * groups fields of the object around it.
 *
 * <p>A field that is absent has the default of the schema where that is a flag, a number, a size or a constant, and
 * else is null; an absent list is empty, and so is an absent field of the type {@code Optional}.
 *
 * @param base   the folder of relative paths
 * @param kinds  how fields become values of other types
 * @param schema the schema of the file, whose definitions describe the objects
 */
public record Binder(FileFields file, Path base, Map<Class<?>, Kind<?>> kinds, JsonNode schema) {

    /** Another name of a field than that of its component, or the word that makes a flag of a field true. */
    @Target(ElementType.RECORD_COMPONENT)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Named {
        String value();

        String says() default "";
    }

    /** The component gets the name before the object. */
    @Target(ElementType.RECORD_COMPONENT)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Key {}

    /** How a field becomes a value of one type. */
    public interface Kind<T> {

        /** @return null where there is no value */
        @Nullable
        T read(Binder in, String place);

        /**
         * The kind of values that a text stands for.
         *
         * @param what  the text must be, for error messages
         * @param parse empty where the text is no such value
         * @param fix   what to write
         */
        static <T> Kind<T> ofText(String what, Function<String, Optional<T>> parse, String fix) {
            return (in, place) -> in.file().parsed(place, what, parse, fix);
        }
    }

    /** What reflection tells of a record, which takes longer to find than to use. */
    private record Shape(Constructor<?> maker, List<Part> parts) {
        private static final ClassValue<Shape> OF = new ClassValue<>() {
            @Override
            protected Shape computeValue(Class<?> type) {
                return of(type.getRecordComponents(), type);
            }
        };

        private static Shape of(RecordComponent[] components, Class<?> type) {
            try {
                var types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
                var maker = type.getDeclaredConstructor(types);
                maker.setAccessible(true);
                return new Shape(maker, Stream.of(components).map(Part::of).toList());
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** @param says the word that makes a flag true; empty for true itself */
    private record Part(String name, String says, boolean isKey, Type type) {
        static Part of(RecordComponent component) {
            var named = component.getAnnotation(Named.class);
            return new Part(
                    named == null ? component.getName() : named.value(),
                    named == null ? "" : named.says(),
                    component.isAnnotationPresent(Key.class),
                    component.getGenericType());
        }
    }

    /** Reads by the schema of files of tools. */
    public Binder(FileFields file, Path base, Map<Class<?>, Kind<?>> kinds) {
        this(file, base, kinds, FileSchema.SCHEMA);
    }

    /**
     * The object at a place as a record.
     *
     * @param definition the name of its definition in the schema
     */
    public <R extends Record> R read(String at, String definition, Class<R> type) {
        return read(at, "", definition, type);
    }

    /** As the other one, for an object whose name the file has before it or in it. */
    public <R extends Record> R read(String at, String name, String definition, Class<R> type) {
        return Objects.requireNonNull(read(at, name, schema.path("definitions").path(definition), type));
    }

    /** The fields of the file itself. */
    public <R extends Record> R read(Class<R> type) {
        return Objects.requireNonNull(read("", "", schema, type));
    }

    /** The members of the object at a place of the file, a field of the file itself, as records, by their names. */
    public <R extends Record> Map<String, R> members(String field, Class<R> type) {
        return map("/" + field, type, schema.path("properties").path(field));
    }

    /** @return null where the record refuses what a file with mistakes has left of the object */
    private <R> @Nullable R read(String at, String key, JsonNode definition, Class<R> type) {
        var shape = Shape.OF.get(type);
        var properties = definition.path("properties");
        boolean isSingle = file.has(at) && !file.node(at).isObject();
        var values = new ArrayList<@Nullable Object>();
        for (var part : shape.parts()) {
            var property = properties.path(part.name());
            var place = isSingle && values.isEmpty() ? at : YamlTree.below(at, part.name());
            if (part.isKey()) {
                values.add(key);
            } else if (property.isMissingNode() && part.type() instanceof Class<?> group && isObject(group)) {
                values.add(read(at, key, definition, group));
            } else if (!part.says().isEmpty()) {
                values.add(part.says().equals(file.text(place)));
            } else {
                values.add(value(place, part.type(), property));
            }
        }
        try {
            return type.cast(shape.maker().newInstance(values.toArray()));
        } catch (InvocationTargetException e) {
            if (file.mistakes().isEmpty()) {
                throw new IllegalArgumentException(type.getSimpleName() + " refuses its fields", e.getCause());
            }
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The definition that a property names: where it can be a single value, too, that of its object. */
    private JsonNode definition(JsonNode property) {
        var named = property.path("$ref").asString(property.at("/then/$ref").asString(""));
        return named.isEmpty() ? property : schema.at(named.substring(1));
    }

    private @Nullable Object value(String place, Type type, JsonNode property) {
        if (type instanceof ParameterizedType several) {
            return several(place, several, property);
        }
        var one = (Class<?>) type;
        var kind = kinds.get(one);
        if (kind != null) {
            return kind.read(this, place);
        }
        return isObject(one)
                ? read(place, "", definition(property), one)
                : scalar(place, one, file.has(place) ? null : property.path("default"));
    }

    private boolean isObject(Class<?> type) {
        return type.isRecord() && !kinds.containsKey(type);
    }

    private Object several(String place, ParameterizedType type, JsonNode property) {
        var items = type.getActualTypeArguments();
        if (type.getRawType() == Map.class) {
            return map(place, items[1], definition(property));
        }
        if (type.getRawType() == Optional.class) {
            return file.has(place) ? Optional.ofNullable(value(place, items[0], property)) : Optional.empty();
        }
        var usual = property.path("default");
        var values = new ArrayList<>();
        if (!file.has(place) && usual.isArray()) {
            usual.forEach(one -> values.add(one.intValue()));
        }
        file.places(place)
                .map(item -> value(item, items[0], definition(property).path("items")))
                .filter(Objects::nonNull)
                .forEach(values::add);
        return type.getRawType() == Set.class
                ? Collections.unmodifiableSet(new LinkedHashSet<>(values))
                : List.copyOf(values);
    }

    private <T> Map<String, T> map(String place, Type type, JsonNode property) {
        var members = new LinkedHashMap<String, T>();
        var member = property.path("additionalProperties");
        for (var name : file.node(place).propertyNames()) {
            var at = YamlTree.below(place, name);
            var value = type instanceof Class<?> one && isObject(one)
                    ? read(at, name, definition(member), one)
                    : value(at, type, member);
            if (value != null) {
                members.put(name, uncheckedCast(value));
            }
        }
        return Collections.unmodifiableMap(members);
    }

    @SuppressWarnings("unchecked")
    private static <T> T uncheckedCast(Object value) {
        return (T) value;
    }

    /** @param unsaid the default; null where the file has the field */
    private @Nullable Object scalar(String place, Class<?> type, @Nullable JsonNode unsaid) {
        if (type == boolean.class || type == Boolean.class) {
            return unsaid == null ? file.flag(place) : unsaid.asBoolean(false);
        }
        if (type == Integer.class || type == int.class) {
            return unsaid == null ? file.number(place) : unsaid.isInt() ? Integer.valueOf(unsaid.intValue()) : null;
        }
        if (type == Long.class || type == long.class) {
            var size = unsaid == null ? file.size(place) : null;
            return size != null || type == Long.class ? size : usualSize(unsaid);
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
        if (type == JsonNode.class || type == ObjectNode.class) {
            return unsaid == null || type == JsonNode.class ? file.node(place) : null;
        }
        return ofText(place, type);
    }

    private @Nullable Object ofText(String place, Class<?> type) {
        var text = Optional.ofNullable(file.text(place));
        if (type == String.class) {
            return text.orElse(null);
        }
        if (type == Path.class) {
            return text.map(name -> base.resolve(name).normalize()).orElse(null);
        }
        if (type == JsonPointer.class) {
            return text.map(JsonPointer::compile).orElse(null);
        }
        throw new IllegalStateException("no field of a file is read as " + type.getName());
    }

    private static Long usualSize(@Nullable JsonNode unsaid) {
        return unsaid == null ? 0 : WrittenSize.parse(unsaid.asString("")).orElse(0);
    }

    private static @Nullable Object constant(Class<?> type, @Nullable String word) {
        return Stream.of(type.getEnumConstants())
                .filter(one -> EnumWords.of((Enum<?>) one).equals(word))
                .findFirst()
                .orElse(null);
    }
}
