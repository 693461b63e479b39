// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.BaseKeywordValidator;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * {@code oneOf} and {@code anyOf} that use a discriminator: where each choice is an object that requires another
 * constant text in the same property, at most one choice can fit. Only that choice is checked, and only its problems
 * are reported. So the cost of a recursive schema is linear in the length of the value, instead of doubling for each
 * level. Choices without a discriminator are checked one after the other.
 */
record Choice(Keyword each) implements Keyword {

    @Override
    public String getValue() {
        return each.getValue();
    }

    @Override
    public KeywordValidator newValidator(SchemaLocation at, JsonNode node, Schema parent, SchemaContext context)
            throws Exception {
        if (context.getDialect().getKeywords().containsKey("const")) {
            var required = node.valueStream()
                    .map(choice -> constants(resolved(choice, parent)))
                    .toList();
            var discriminator = required.stream()
                    .limit(1)
                    .flatMap(first -> first.keySet().stream())
                    .flatMap(property -> discriminator(property, required).stream())
                    .findFirst();
            if (discriminator.isPresent()) {
                return new Discriminated(this, at, node, parent, context, discriminator.get());
            }
        }
        return each.newValidator(at, node, parent, context);
    }

    /** A property, and the indexes of the choices by the constants that they require in it. */
    private record Discriminator(String property, Map<String, Integer> places) {}

    /** The discriminator {@code property}, where each choice requires another constant in it; else empty. */
    private static Optional<Discriminator> discriminator(String property, List<Map<String, String>> required) {
        Map<String, Integer> places = new LinkedHashMap<>();
        for (Map<String, String> constants : required) {
            Budget.current().spend(1);
            String constant = constants.get(property);
            if (constant == null || places.put(constant, places.size()) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(new Discriminator(property, places));
    }

    /**
     * The constant texts that a matching object must have, by property; empty for a schema that does not require an
     * object.
     */
    private static Map<String, String> constants(JsonNode schema) {
        Map<String, String> constants = new LinkedHashMap<>();
        if (schema.path("type").asString("").equals("object") && !schema.has("$ref")) {
            for (JsonNode required : schema.path("required")) {
                Budget.current().spend(1);
                String name = required.asString("");
                JsonNode constant = schema.path("properties").path(name).path("const");
                if (constant.isString()) {
                    constants.put(name, constant.stringValue());
                }
            }
        }
        return constants;
    }

    /** The target of a plain reference within the document, or the schema itself. */
    private static JsonNode resolved(JsonNode schema, Schema parent) {
        String reference = schema.path("$ref").asString("");
        boolean isPlain = reference.startsWith("#/") && !reference.contains("%") && !schema.has("$id");
        return isPlain ? parent.findSchemaResourceRoot().getSchemaNode().at(reference.substring(1)) : schema;
    }

    private static final class Discriminated extends BaseKeywordValidator {

        private final Discriminator by;
        private final Schema[] choices;

        Discriminated(
                Choice keyword,
                SchemaLocation at,
                JsonNode node,
                Schema parent,
                SchemaContext context,
                Discriminator by) {
            super(keyword, node, at, parent, context);
            this.by = by;
            choices = new Schema[node.size()];
            for (int i = 0; i < choices.length; i++) {
                choices[i] = context.newSchema(at.append(i), node.get(i), parent);
            }
        }

        @Override
        public void validate(ExecutionContext context, JsonNode node, JsonNode root, NodePath at) {
            JsonNode constant = node.path(by.property);
            Integer place = constant.isString() ? by.places.get(constant.stringValue()) : null;
            if (place == null) {
                var problem = error().instanceNode(node).instanceLocation(at);
                context.addError((node.isObject()
                                ? problem.message("property ''{0}'' must be one of {1}")
                                        .arguments(by.property, String.join(", ", by.places.keySet()))
                                : problem.message("must be an object"))
                        .evaluationPath(context.getEvaluationPath())
                        .build());
                return;
            }
            context.evaluationPathAddLast(place);
            try {
                choices[place].validate(context, node, root, at);
            } finally {
                context.evaluationPathRemoveLast();
            }
        }

        @Override
        public void preloadSchema() {
            for (Schema choice : choices) {
                choice.initializeValidators();
            }
        }
    }
}
