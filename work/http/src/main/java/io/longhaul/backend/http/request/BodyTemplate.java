// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.backend.http.exchange.RequestBody;
import io.longhaul.engine.run.Template;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Makes the body of a request from the arguments of a call.
 *
 * @param names  the names of the values that the body takes
 * @param filled makes the body; empty for none
 */
public record BodyTemplate(Set<String> names, Function<TemplateValues, Optional<RequestBody>> filled) {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** No body. */
    public static final BodyTemplate NONE = new BodyTemplate(Set.of(), values -> Optional.empty());

    /** All arguments, as one JSON object. */
    public static final BodyTemplate EVERYTHING = new BodyTemplate(Set.of(), values -> json(values.arguments()));

    /**
     * JSON with slots in its texts. A text that is exactly one slot stands for the value itself, of any type. A field
     * or an item with a missing value is left out.
     */
    public static BodyTemplate ofJson(JsonNode template) {
        var names = new LinkedHashSet<String>();
        collect(template, names);
        return new BodyTemplate(names, values -> json(filled(template, values).orElseGet(NODES::nullNode)));
    }

    /** Fields of a form. A field with a missing value is left out, and a list gives a field for each item. */
    public static BodyTemplate ofForm(Map<String, Template> fields) {
        var names = new LinkedHashSet<String>();
        fields.values().forEach(field -> names.addAll(field.slots()));
        var ordered = new LinkedHashMap<>(fields);
        return new BodyTemplate(
                names,
                values -> Optional.of(new RequestBody(
                        "application/x-www-form-urlencoded",
                        UrlTemplate.form(ordered, values).getBytes(UTF_8))));
    }

    private static void collect(JsonNode node, Set<String> names) {
        if (node.isString()) {
            names.addAll(Template.parse(node.stringValue()).slots());
        }
        node.forEach(child -> collect(child, names));
    }

    private static Optional<JsonNode> filled(JsonNode node, TemplateValues values) {
        if (node.isObject()) {
            var object = NODES.objectNode();
            node.properties()
                    .forEach(field ->
                            filled(field.getValue(), values).ifPresent(value -> object.set(field.getKey(), value)));
            return Optional.of(object);
        }
        if (node.isArray()) {
            var array = NODES.arrayNode();
            node.forEach(item -> filled(item, values).ifPresent(array::add));
            return Optional.of(array);
        }
        if (!node.isString()) {
            return Optional.of(node);
        }
        var text = Template.parse(node.stringValue());
        return text.onlySlot()
                .map(values::find)
                .orElseGet(() -> values.fill(text).map(NODES::stringNode));
    }

    private static Optional<RequestBody> json(JsonNode node) {
        return Optional.of(
                new RequestBody("application/json", JsonMapper.shared().writeValueAsBytes(node)));
    }
}
