package io.longhaul.server;

import io.longhaul.server.FormField.Choice;
import io.longhaul.server.FormField.Choices;
import io.longhaul.server.FormField.Figure;
import io.longhaul.server.FormField.Text;
import io.longhaul.server.FormField.YesNo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A form for a person, field by field: every kind that the protocol has. A field must be filled in unless it is
 * {@code optional()}. For a form that is bound to a record, give the record's class to
 * {@link TaskContext#elicit(String, Class)} instead. Immutable.
 *
 * <p>A client of 2025-06-18 gets titled choices in the one way that it knows ({@code enumNames}), and no defaults but
 * those of yes and no; choices of several are new in 2025-11-25.
 */
public final class Form {

    private final String message;
    private final Map<String, FormField<?>> fields;

    private Form(String message, Map<String, FormField<?>> fields) {
        this.message = message;
        this.fields = fields;
    }

    /** A form that says {@code message}, and has no fields yet: it asks for consent alone. */
    public static Form saying(String message) {
        return new Form(message, Map.of());
    }

    public Form text(String name) {
        return text(name, field -> field);
    }

    public Form text(String name, UnaryOperator<Text> options) {
        return and(name, options.apply(new Text()));
    }

    public Form number(String name) {
        return number(name, field -> field);
    }

    public Form number(String name, UnaryOperator<Figure> options) {
        return and(name, options.apply(new Figure("number")));
    }

    public Form integer(String name) {
        return integer(name, field -> field);
    }

    public Form integer(String name, UnaryOperator<Figure> options) {
        return and(name, options.apply(new Figure("integer")));
    }

    public Form yesNo(String name) {
        return yesNo(name, field -> field);
    }

    public Form yesNo(String name, UnaryOperator<YesNo> options) {
        return and(name, options.apply(new YesNo()));
    }

    /** One of several: {@code field -> field.option("s", "Small")}. */
    public Form choice(String name, UnaryOperator<Choice> options) {
        return and(name, options.apply(new Choice()));
    }

    /** Any number of several (2025-11-25 and later). */
    public Form choices(String name, UnaryOperator<Choices> options) {
        return and(name, options.apply(new Choices()));
    }

    /** The question. */
    public Question question() {
        return question(null);
    }

    /** @param key its name, unique in the call; null to have one chosen */
    public Question question(@Nullable String key) {
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
        return new Question(key, message, Values.json(schema).toString());
    }

    private Form and(String name, FormField<?> field) {
        var more = new LinkedHashMap<>(fields);
        if (more.put(name, field) != null) {
            throw new IllegalArgumentException("two fields are named '" + name + "': give one another name");
        }
        return new Form(message, more);
    }
}
