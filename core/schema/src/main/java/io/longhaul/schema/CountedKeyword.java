// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.AbstractKeywordValidator;
import com.networknt.schema.keyword.FormatKeyword;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A keyword whose compilation and checks take steps from the {@link Budget}. */
record CountedKeyword(Keyword keyword) implements Keyword {

    private static final int STEPS_TO_COMPILE = 100;
    private static final int STEPS_TO_CHECK = 50;

    /** Keywords whose problems repeat their whole schema. */
    private static final Set<String> REPEATED = Set.of("not", "contains");

    @Override
    public String getValue() {
        return keyword.getValue();
    }

    @Override
    public KeywordValidator newValidator(SchemaLocation at, JsonNode node, Schema parent, SchemaContext context)
            throws Exception {
        Budget budget = Budget.current();
        budget.enter(STEPS_TO_COMPILE + node.size());
        try {
            return new Counted(keyword.newValidator(at, node, parent, context), node);
        } catch (JacksonException e) {
            throw wrongKind(getValue());
        } finally {
            budget.leave();
        }
    }

    /** The exception for a keyword with a value of another type, which some validators find only at the first value. */
    private static SchemaException wrongKind(String word) {
        return new SchemaException("'" + word + "' has a value of the wrong kind");
    }

    /** {@code format}, which a dialect takes from a factory of its own. */
    static final class Format extends FormatKeyword {

        Format(Map<String, com.networknt.schema.format.Format> formats) {
            super(formats);
        }

        @Override
        public KeywordValidator newValidator(SchemaLocation at, JsonNode node, Schema parent, SchemaContext context) {
            Budget.current().spend(STEPS_TO_COMPILE);
            return new Counted(super.newValidator(at, node, parent, context), node);
        }
    }

    private static final class Counted extends AbstractKeywordValidator {

        private final KeywordValidator validator;
        private final long steps;

        Counted(KeywordValidator validator, JsonNode node) {
            super(validator.getKeyword(), node, validator.getSchemaLocation());
            this.validator = validator;
            steps = STEPS_TO_CHECK + (REPEATED.contains(getKeyword()) ? Budget.characters(node) : node.size());
        }

        @Override
        public void validate(ExecutionContext context, JsonNode node, JsonNode root, NodePath at) {
            Budget budget = Budget.current();
            budget.enter(steps + size(node) + budget.depth() * annotations(context, at));
            try {
                validator.validate(context, node, root, at);
            } catch (JacksonException e) {
                throw wrongKind(getKeyword());
            } finally {
                budget.leave();
            }
        }

        private static long size(JsonNode node) {
            if (node.isString()) {
                return node.stringValue().length();
            }
            // 1e999999999 is short, but has that many digits when a keyword calculates with it
            return node.isBigDecimal() ? Math.abs((long) node.decimalValue().scale()) : node.size();
        }

        /**
         * The number of annotations that a failing schema and {@code unevaluatedProperties} search, each with its whole
         * path.
         */
        private static int annotations(ExecutionContext context, NodePath at) {
            return context.getAnnotations().asMap().getOrDefault(at, List.of()).size();
        }

        @Override
        public void preloadSchema() {
            validator.preloadSchema();
        }
    }
}
