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
import com.networknt.schema.utils.JsonNodeTypes;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The keywords that compare values: {@code const}, {@code enum} and {@code uniqueItems}. They compare values as texts:
 * a hash set of texts stays fast even when many have the same hash code. Trees with equal hash codes, of which a peer
 * can make any number, would be compared pair by pair.
 */
record EqualValues(String getValue) implements Keyword {

    static final Set<String> WORDS = Set.of("const", "enum", "uniqueItems");

    @Override
    public KeywordValidator newValidator(SchemaLocation at, JsonNode node, Schema parent, SchemaContext context) {
        return switch (getValue) {
            case "const" -> {
                String only = text(node);
                yield new Check(
                        this, at, node, parent, context, value -> text(value).equals(only));
            }
            case "enum" -> {
                Set<String> all = node.valueStream().map(EqualValues::text).collect(Collectors.toSet());
                yield new Check(this, at, node, parent, context, value -> all.contains(text(value)));
            }
            default ->
                new Check(this, at, node, parent, context, !node.asBoolean(false) ? any -> true : EqualValues::unique);
        };
    }

    private static boolean unique(JsonNode value) {
        Set<String> items = new HashSet<>();
        return !value.isArray() || value.valueStream().map(EqualValues::text).allMatch(items::add);
    }

    /** A canonical text, equal for equal values whatever the order of properties and the notation of numbers. */
    private static String text(JsonNode value) {
        var out = new StringBuilder();
        write(value, out, Budget.current());
        return out.toString();
    }

    private static void write(JsonNode value, StringBuilder out, Budget budget) {
        int before = out.length();
        if (value.isObject()) {
            var properties = new TreeMap<String, JsonNode>();
            value.properties().forEach(property -> properties.put(property.getKey(), property.getValue()));
            out.append('{');
            properties.forEach((name, inner) -> {
                write(name, out);
                write(inner, out, budget);
            });
            out.append('}');
        } else if (value.isArray()) {
            out.append('[');
            value.forEach(item -> write(item, out, budget));
            out.append(']');
        } else if (value.isString()) {
            write(value.stringValue(), out);
        } else if (value.isNumber() && !JsonNodeTypes.isNonFiniteNumber(value)) {
            out.append(value.decimalValue().stripTrailingZeros()).append(',');
        } else {
            out.append(value.asString()).append(',');
        }
        budget.spend(out.length() - before);
    }

    private static void write(String text, StringBuilder out) {
        out.append(text.length()).append(':').append(text);
    }

    private static final class Check extends BaseKeywordValidator {

        private final Predicate<JsonNode> allowed;

        Check(
                EqualValues keyword,
                SchemaLocation at,
                JsonNode node,
                Schema parent,
                SchemaContext context,
                Predicate<JsonNode> allowed) {
            super(keyword, node, at, parent, context);
            this.allowed = allowed;
        }

        @Override
        public void validate(ExecutionContext context, JsonNode node, JsonNode root, NodePath at) {
            if (!allowed.test(node)) {
                context.addError(error().instanceNode(node)
                        .instanceLocation(at)
                        .evaluationPath(context.getEvaluationPath())
                        .arguments(schemaNode.isString() ? schemaNode.stringValue() : schemaNode.toString())
                        .build());
            }
        }
    }
}
