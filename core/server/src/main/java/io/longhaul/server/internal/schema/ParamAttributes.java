// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import io.longhaul.schema.SchemaCheck;
import io.longhaul.server.annotation.McpParam;
import java.lang.annotation.Annotation;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Puts the attributes of {@link McpParam} into the schema of a parameter or component, and checks them against the
 * type.
 */
public final class ParamAttributes {

    private static final Set<Class<?>> OPTIONAL =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    private final @Nullable McpParam param;
    private final boolean optional;

    private ParamAttributes(@Nullable McpParam param, boolean optional) {
        this.param = param;
        this.optional = optional;
    }

    /** @param param null for a parameter without the annotation */
    public static ParamAttributes of(@Nullable McpParam param) {
        return new ParamAttributes(param, param != null && !param.required());
    }

    /** These attributes for a parameter that may be null. */
    public ParamAttributes optional() {
        return new ParamAttributes(param, true);
    }

    boolean hasDefault() {
        return param != null && !param.defaultValue().equals(McpParam.NO_DEFAULT);
    }

    boolean isRequired(JavaType of) {
        return !hasDefault() && !optional && !OPTIONAL.contains(of.getRawClass());
    }

    /** Whether one of the annotations is called {@code Nullable}: each library has its own annotation of this name. */
    public static boolean isNullable(Annotation... annotations) {
        return Arrays.stream(annotations)
                .anyMatch(one -> one.annotationType().getSimpleName().equals("Nullable"));
    }

    /** Adds all attributes to {@code schema}, and returns it. */
    ObjectNode describe(ObjectNode schema, JavaType type, String where) {
        if (param == null) {
            return schema;
        }
        put(schema, "title", param.title());
        put(schema, "description", param.description());
        limitNumber(schema, where);
        limitText(schema, where);
        limitList(schema, where);
        if (hasDefault()) {
            schema.set("default", checkedDefault(schema, type, where));
        }
        put(schema, "x-mcp-header", param.header());
        return schema;
    }

    /** Sets the limits of a number, but never beyond the range of the Java type. */
    private void limitNumber(ObjectNode schema, String where) {
        boolean isNumber = is(schema, "number", "integer");
        JsonNode least = schema.get("minimum");
        JsonNode most = schema.get("maximum");
        limit(schema, "minimum", number(param().minimum()), isNumber, where);
        limit(schema, "maximum", number(param().maximum()), isNumber, where);
        if (least != null && schema.get("minimum").decimalValue().compareTo(least.decimalValue()) < 0) {
            schema.set("minimum", least);
        }
        if (most != null && schema.get("maximum").decimalValue().compareTo(most.decimalValue()) > 0) {
            schema.set("maximum", most);
        }
        if (schema.has("minimum")
                && schema.has("maximum")
                && schema.get("minimum")
                                .decimalValue()
                                .compareTo(schema.get("maximum").decimalValue())
                        > 0) {
            throw new IllegalArgumentException(where + ": its min is greater than its max");
        }
    }

    private void limitText(ObjectNode schema, String where) {
        boolean isText = is(schema, "string");
        limit(schema, "minLength", atLeast(param().minLength()), isText, where);
        limit(schema, "maxLength", atMost(param().maxLength()), isText, where);
        refuseCrossed("Length", param().minLength(), param().maxLength(), where);
        limit(schema, "pattern", text(pattern(where)), isText, where);
        limit(schema, "format", text(param().format()), isText, where);
    }

    private void limitList(ObjectNode schema, String where) {
        boolean isList = is(schema, "array");
        limit(schema, "minItems", atLeast(param().minItems()), isList, where);
        limit(schema, "maxItems", atMost(param().maxItems()), isList, where);
        refuseCrossed("Items", param().minItems(), param().maxItems(), where);
    }

    private String pattern(String where) {
        try {
            return Pattern.compile(param().pattern()).pattern();
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(where + ": its pattern is no regular expression: " + e.getMessage(), e);
        }
    }

    private JsonNode checkedDefault(ObjectNode schema, JavaType type, String where) {
        String given = param().defaultValue();
        try {
            JsonNode value = is(schema, "string") ? StringNode.valueOf(given) : Values.parse(given);
            if (!schema.toString().contains("\"$ref\"")) {
                SchemaCheck.of(schema.toString()).problem(value).ifPresent(problem -> {
                    throw new IllegalArgumentException(
                            where + ": its default '" + given + "' does not fit: " + problem);
                });
            }
            Values.bind(value, type);
            return value;
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    where + ": its default '" + given + "' is no "
                            + type.getRawClass().getSimpleName(),
                    e);
        }
    }

    private McpParam param() {
        return Objects.requireNonNull(param);
    }

    private static void put(ObjectNode schema, String word, String text) {
        if (!text.isBlank()) {
            schema.put(word, text);
        }
    }

    private static void limit(ObjectNode schema, String word, @Nullable JsonNode value, boolean fits, String where) {
        if (value == null) {
            return;
        }
        if (!fits) {
            throw new IllegalArgumentException(where + ": " + word.replace("imum", "") + " means nothing for its type, "
                    + schema.path("type").asString("any"));
        }
        schema.set(word, value);
    }

    private static void refuseCrossed(String what, int min, int max, String where) {
        if (min < 0 || min > max) {
            throw new IllegalArgumentException(
                    where + ": its min" + what + " is " + min + " and its max" + what + " " + max);
        }
    }

    private static boolean is(ObjectNode schema, String... types) {
        return Arrays.asList(types).contains(schema.path("type").asString(""));
    }

    private static @Nullable JsonNode text(String value) {
        return value.isEmpty() ? null : StringNode.valueOf(value);
    }

    private static @Nullable JsonNode number(double value) {
        return Double.isNaN(value)
                ? null
                : Values.parse(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString());
    }

    private static @Nullable JsonNode atLeast(int value) {
        return value == 0 ? null : Values.toTree(value);
    }

    private static @Nullable JsonNode atMost(int value) {
        return value == Integer.MAX_VALUE ? null : Values.toTree(value);
    }
}
