// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.Require;
import io.longhaul.server.FormField.BooleanField;
import io.longhaul.server.FormField.MultiSelect;
import io.longhaul.server.FormField.NumberField;
import io.longhaul.server.FormField.SingleSelect;
import io.longhaul.server.FormField.StringField;
import io.longhaul.server.internal.schema.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A form for a person, built field by field, with every kind of field that the protocol has. A field is required unless
 * it is {@code optional()}. For a form that is bound to a record, pass the record's class to
 * {@link TaskContext#elicit(String, Class)} instead. Immutable.
 *
 * <p>A client of 2025-06-18 gets titled choices as {@code enumNames}, and no defaults except those of booleans.
 * Multiple choice is new in 2025-11-25: an older client gets one checkbox for each value.
 */
public final class Form {

    private final String message;
    private final Map<String, FormField<?>> fields;

    private Form(String message, Map<String, FormField<?>> fields) {
        this.message = message;
        this.fields = fields;
    }

    /** A form with {@code message} and no fields yet: it asks for consent alone. */
    public static Form of(String message) {
        return new Form(message, Map.of());
    }

    public Form string(String name) {
        return string(name, field -> field);
    }

    public Form string(String name, UnaryOperator<StringField> options) {
        return and(name, options.apply(new StringField()));
    }

    public Form number(String name) {
        return number(name, field -> field);
    }

    public Form number(String name, UnaryOperator<NumberField> options) {
        return and(name, options.apply(new NumberField("number")));
    }

    public Form integer(String name) {
        return integer(name, field -> field);
    }

    public Form integer(String name, UnaryOperator<NumberField> options) {
        return and(name, options.apply(new NumberField("integer")));
    }

    public Form bool(String name) {
        return bool(name, field -> field);
    }

    public Form bool(String name, UnaryOperator<BooleanField> options) {
        return and(name, options.apply(new BooleanField()));
    }

    /** Adds a choice of one value: {@code field -> field.option("s", "Small")}. */
    public Form singleSelect(String name, UnaryOperator<SingleSelect> options) {
        return and(name, options.apply(new SingleSelect()));
    }

    /** Adds a choice of any number of values (2025-11-25 and later; older clients get checkboxes). */
    public Form multiSelect(String name, UnaryOperator<MultiSelect> options) {
        return and(name, options.apply(new MultiSelect()));
    }

    /** The request that asks the person to fill in this form. */
    public ElicitRequest request() {
        return request(null);
    }

    /** @param key the key of the question, unique in the call; null to have one chosen */
    public ElicitRequest request(@Nullable String key) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        fields.forEach((name, field) -> {
            properties.put(name, field.schema(name));
            if (!field.optional) {
                required.add(name);
            }
        });
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return new ElicitRequest(key, message, Values.json(schema).toString());
    }

    private Form and(String name, FormField<?> field) {
        var more = new LinkedHashMap<>(fields);
        Require.that(more.put(name, field) == null, "two fields are named '" + name + "': give one another name");
        return new Form(message, more);
    }
}
