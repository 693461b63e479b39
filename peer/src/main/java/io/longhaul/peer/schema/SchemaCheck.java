package io.longhaul.peer.schema;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;
import io.longhaul.peer.schema.BoundedPattern.TooManyStepsException;
import io.longhaul.protocol.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One compiled JSON Schema 2020-12. References to other documents are refused, not fetched. Thread-safe. */
public final class SchemaCheck {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaCheck.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int TOLD = 5;

    /** Words that it does not know, such as {@code x-mcp-header}, are for others: no line in the log for them. */
    private static final Dialect DIALECT = Dialect.builder(Dialects.getDraft202012())
            .unknownKeywordFactory((word, context) -> new NonValidationKeyword(word))
            .build();

    private static final SchemaRegistry REGISTRY = registry(false);
    private static final SchemaRegistry FORMS = registry(true);

    private final Schema schema;
    private final UnaryOperator<JsonNode> read;

    private SchemaCheck(Schema schema, UnaryOperator<JsonNode> read) {
        this.schema = schema;
        this.read = read;
    }

    /**
     * Compiles a schema.
     *
     * @throws IllegalArgumentException with what is wrong with it, in one sentence
     */
    public static SchemaCheck of(String schema) {
        return of(schema, REGISTRY);
    }

    /** As {@link #of}, for what a person fills in: a {@code format} is no mere hint there. */
    public static SchemaCheck ofForm(String schema) {
        return of(schema, FORMS);
    }

    /** As {@link #of}, for arguments of a call: {@link OptionalNulls} in them are as good as absent. */
    public static SchemaCheck ofArguments(String schema) {
        var check = of(schema);
        return new SchemaCheck(check.schema, new OptionalNulls(JSON.readTree(schema))::without);
    }

    private static SchemaRegistry registry(boolean formats) {
        var config = SchemaRegistryConfig.builder()
                .regularExpressionFactory(BoundedPattern::new)
                .formatAssertionsEnabled(formats)
                .build();
        return SchemaRegistry.withDefaultDialect(
                DIALECT,
                builder -> builder.schemaCacheEnabled(false)
                        .schemaLoader(loader -> loader.fetchRemoteResources(false))
                        .schemaRegistryConfig(config));
    }

    private static SchemaCheck of(String schema, SchemaRegistry registry) {
        try {
            JsonNode tree = JSON.readTree(schema);
            if (!tree.isObject()) {
                throw new IllegalArgumentException("a schema must be a JSON object");
            }
            refuseForeign(tree);
            Schema compiled = registry.getSchema(tree);
            compiled.initializeValidators();
            return new SchemaCheck(compiled, value -> value);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "it is not JSON at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr(),
                    e);
        } catch (SchemaException e) {
            throw new IllegalArgumentException("it cannot be compiled: " + e.getMessage(), e);
        }
    }

    /** What is wrong with {@code value} in words for its sender, or empty where it is as it should be. */
    public Optional<String> problem(JsonNode value) {
        List<Error> errors;
        BoundedPattern.refill();
        try {
            errors = schema.validate(read.apply(value));
        } catch (TooManyStepsException e) {
            LOG.warn("the pattern {} of a schema takes too many steps for a text that was sent", e.getMessage());
            return Optional.of("a pattern of the schema takes too many steps: send a shorter or simpler text");
        } finally {
            BoundedPattern.forget();
        }
        if (errors.isEmpty()) {
            return Optional.empty();
        }
        String told = errors.stream()
                .limit(TOLD)
                .map(error -> {
                    String at = error.getInstanceLocation().toString();
                    return at.isEmpty() || at.equals("$") ? error.getMessage() : at + ": " + error.getMessage();
                })
                .collect(Collectors.joining("; "));
        return Optional.of(told);
    }

    /** As {@link #problem(JsonNode)}. */
    public Optional<String> problem(Json value) {
        return problem(JSON.readTree(value.bytes()));
    }

    private static void refuseForeign(JsonNode node) {
        if (node.isObject()) {
            for (var field : node.properties()) {
                String key = field.getKey();
                JsonNode value = field.getValue();
                if ((key.equals("$ref") || key.equals("$dynamicRef"))
                        && value.isString()
                        && !value.asString().startsWith("#")) {
                    throw new IllegalArgumentException(key + " '" + value.asString()
                            + "' leads out of the schema: only references within it are taken");
                }
                refuseForeign(value);
            }
        } else if (node.isArray()) {
            node.forEach(SchemaCheck::refuseForeign);
        }
    }
}
