// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.backend.http.exchange.RequestBody;
import io.longhaul.engine.run.TextTemplate;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Makes the body of a request from the arguments of a call. */
public sealed interface BodyTemplate {

    /** The names of the values that the template uses. */
    default Set<String> names() {
        return Set.of();
    }

    /** @throws RefusedValueException when a required value is missing */
    Optional<RequestBody> fill(TemplateValues values);

    /** No body. */
    record None() implements BodyTemplate {
        @Override
        public Optional<RequestBody> fill(TemplateValues values) {
            return Optional.empty();
        }
    }

    /** All arguments, as one JSON object. */
    record Everything() implements BodyTemplate {
        @Override
        public Optional<RequestBody> fill(TemplateValues values) {
            return Optional.of(json(values.arguments()));
        }
    }

    /**
     * JSON with placeholders in its texts. A text that is exactly one placeholder stands for the value itself, of any
     * type. A field or an item with a missing value is left out.
     */
    record Json(JsonNode template) implements BodyTemplate {
        private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

        @Override
        public Set<String> names() {
            var names = new LinkedHashSet<String>();
            collect(template, names);
            return names;
        }

        private static void collect(JsonNode node, Set<String> names) {
            if (node.isString()) {
                names.addAll(TextTemplate.parse(node.stringValue()).names());
            }
            node.forEach(child -> collect(child, names));
        }

        @Override
        public Optional<RequestBody> fill(TemplateValues values) {
            return Optional.of(json(filled(template, values).orElseGet(NODES::nullNode)));
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
            return node.isString() ? text(TextTemplate.parse(node.stringValue()), values) : Optional.of(node);
        }

        private static Optional<JsonNode> text(TextTemplate template, TemplateValues values) {
            if (!template.names().stream().allMatch(values::has)) {
                return Optional.empty();
            }
            return template.onlyPlace()
                    .flatMap(values::find)
                    .or(() -> Optional.of(NODES.stringNode(template.fill(values::text))));
        }
    }

    /** Fields of a form. A field with a missing value is left out, and a list gives a field for each item. */
    record Form(Map<String, TextTemplate> fields) implements BodyTemplate {
        public Form {
            fields = new LinkedHashMap<>(fields);
        }

        @Override
        public Set<String> names() {
            var names = new LinkedHashSet<String>();
            fields.values().forEach(field -> names.addAll(field.names()));
            return names;
        }

        @Override
        public Optional<RequestBody> fill(TemplateValues values) {
            var form = new StringJoiner("&");
            fields.forEach((name, template) -> UrlTemplate.items(template, values)
                    .forEach(value -> form.add(UrlTemplate.encoded(name) + "=" + UrlTemplate.encoded(value))));
            return Optional.of(new RequestBody(
                    "application/x-www-form-urlencoded", form.toString().getBytes(UTF_8)));
        }
    }

    private static RequestBody json(JsonNode node) {
        return new RequestBody("application/json", JsonMapper.shared().writeValueAsBytes(node));
    }
}
