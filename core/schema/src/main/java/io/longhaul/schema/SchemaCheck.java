// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import io.longhaul.protocol.Require;
import io.longhaul.protocol.json.Json;
import io.longhaul.schema.Budget.SpentException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One compiled JSON Schema 2020-12. References to other documents are refused, not fetched. Schemas and values may come
 * from untrusted peers: compiling and checking take a limited number of steps, and end when their thread is
 * interrupted. Thread-safe.
 */
public final class SchemaCheck {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaCheck.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");
    private static final int LONGEST_TOLD = 300;
    private static final int MOST_BREACHES = 1_000;

    private final Schema schema;
    private final boolean formats;
    private final UnaryOperator<JsonNode> read;

    private SchemaCheck(Schema schema, boolean formats, UnaryOperator<JsonNode> read) {
        this.schema = schema;
        this.formats = formats;
        this.read = read;
    }

    /** The result of checking a value. */
    public sealed interface Verdict {

        /** The value matches the schema. */
        record Fits() implements Verdict {}

        /**
         * The value does not match the schema.
         *
         * @param problem the problem in words for the sender of the value
         */
        record Breaks(String problem) implements Verdict {}

        /** The check was aborted without a result: it took too many steps, or its thread was interrupted. */
        record GivenUp() implements Verdict {}
    }

    /**
     * Compiles a schema.
     *
     * @throws IllegalArgumentException with the fault of the schema, in one sentence
     */
    public static SchemaCheck of(String schema) {
        return of(schema, false);
    }

    /** As {@link #of}, for forms that a person fills in: {@code format} is checked, not only a hint. */
    public static SchemaCheck ofForm(String schema) {
        return of(schema, true);
    }

    /** As {@link #of}, for arguments of a call: {@link OptionalNulls} in them count as absent. */
    public static SchemaCheck ofArguments(String schema) {
        var check = of(schema);
        return new SchemaCheck(check.schema, false, new OptionalNulls(JSON.readTree(schema))::without);
    }

    /**
     * A valid schema of this program itself. Only the parts that a value reaches are compiled: for a large schema of
     * which a check needs little.
     */
    public static SchemaCheck ofOwn(JsonNode schema) {
        Schema own = Budget.ofCompiling().spendOn(() -> CountedDialects.uncompiled(schema));
        return new SchemaCheck(own, false, value -> value);
    }

    private static SchemaCheck of(String schema, boolean formats) {
        try {
            JsonNode tree = JSON.readTree(schema);
            Require.that(tree.isObject(), "a schema must be a JSON object");
            refuseForeign(tree);
            Schema compiled = Budget.ofCompiling().spendOn(() -> CountedDialects.compiled(tree));
            return new SchemaCheck(compiled, formats, value -> value);
        } catch (JacksonException e) {
            var at = e.getLocation();
            String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new IllegalArgumentException("it is not JSON" + where, e);
        } catch (SpentException e) {
            throw new IllegalArgumentException("it is too large or too deep to be compiled: " + e.getMessage(), e);
        } catch (SchemaException e) {
            String why = String.valueOf(e.getMessage());
            String told = why.length() > LONGEST_TOLD ? why.substring(0, LONGEST_TOLD) + "…" : why;
            throw new IllegalArgumentException("it cannot be compiled: " + told, e);
        }
    }

    /** Checks {@code value}. */
    public Verdict verdict(JsonNode value) {
        return verdict(value, Budget.of(value));
    }

    Verdict verdict(JsonNode value, Budget budget) {
        try {
            var problems = new Problems(formats);
            budget.spendOn(() -> problems.of(schema, read.apply(value)));
            return problems.isEmpty() ? new Verdict.Fits() : new Verdict.Breaks(problems.told());
        } catch (SpentException e) {
            LOG.warn("a check of a value against its schema was given up: {}", e.getMessage());
            return new Verdict.GivenUp();
        } catch (SchemaException e) {
            // Some keywords are compiled only when a value reaches them.
            LOG.warn("a schema cannot be applied to a value ({})", e.getClass().getSimpleName());
            return new Verdict.Breaks("its schema has a reference that leads nowhere, or a keyword of the wrong kind");
        }
    }

    /**
     * All keywords that {@code value} breaks, up to a thousand.
     *
     * @throws IllegalArgumentException where the check takes too many steps
     */
    public List<Breach> breaches(JsonNode value) {
        try {
            var problems = new Problems(formats, MOST_BREACHES);
            Budget.of(value).spendOn(() -> problems.of(schema, read.apply(value)));
            return problems.breaches();
        } catch (SpentException e) {
            throw new IllegalArgumentException("checking it takes too many steps", e);
        }
    }

    /** The problems of {@code value} in words for its sender; empty where the value matches the schema. */
    public Optional<String> problem(JsonNode value) {
        return switch (verdict(value)) {
            case Verdict.Fits fits -> Optional.empty();
            case Verdict.Breaks(String problem) -> Optional.of(problem);
            case Verdict.GivenUp spent ->
                Optional.of("checking it takes too many steps: send something shorter or simpler");
        };
    }

    /** As {@link #problem(JsonNode)}. */
    public Optional<String> problem(Json value) {
        return problem(JSON.readTree(value.bytes()));
    }

    /**
     * Whether a reference stays within the schema. A schema as the value belongs to a property named like the keyword.
     */
    private static boolean isWithin(JsonNode reference) {
        return reference.isString() ? reference.stringValue().startsWith("#") : isSchema(reference);
    }

    private static boolean isSchema(JsonNode node) {
        return node.isObject() || node.isBoolean();
    }

    private static void refuseForeign(JsonNode node) {
        if (node.isObject()) {
            for (var field : node.properties()) {
                String key = field.getKey();
                JsonNode value = field.getValue();
                if (REFERENCES.contains(key) && !isWithin(value)) {
                    throw new IllegalArgumentException(key + " '" + value.asString(value.toString())
                            + "' leads out of the schema: only references within it are taken");
                }
                refuseForeign(value);
            }
        } else if (node.isArray()) {
            node.forEach(SchemaCheck::refuseForeign);
        }
    }
}
