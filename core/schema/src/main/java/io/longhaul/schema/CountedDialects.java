// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.NonValidationKeyword;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The dialects of JSON Schema with keywords that take steps from the {@link Budget}. */
final class CountedDialects {

    private static final Dialect DEFAULT = counted(Dialects.getDraft202012());

    private static final List<Dialect> ALL = Stream.concat(
                    Stream.of(DEFAULT),
                    Stream.of(
                                    Dialects.getDraft201909(),
                                    Dialects.getDraft7(),
                                    Dialects.getDraft6(),
                                    Dialects.getDraft4())
                            .map(CountedDialects::counted))
            .toList();

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDialects(
            ALL,
            builder -> builder.schemaCacheEnabled(false)
                    .schemaLoader(loader -> loader.fetchRemoteResources(false))
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .regularExpressionFactory(BoundedPattern::new)
                            .build()));

    private CountedDialects() {}

    /**
     * Compiles a schema with all its references.
     *
     * @throws com.networknt.schema.SchemaException where the schema is invalid
     */
    static Schema compiled(JsonNode schema) {
        Schema compiled = uncompiled(schema);
        compiled.initializeValidators();
        return compiled;
    }

    /** A schema whose parts are compiled when a value first reaches them. */
    static Schema uncompiled(JsonNode schema) {
        return REGISTRY.getSchema(schema);
    }

    private static Dialect counted(Dialect dialect) {
        List<Keyword> keywords = dialect.getKeywords().values().stream()
                .filter(keyword -> !keyword.getValue().equals("format"))
                .map(CountedDialects::counted)
                .toList();
        // Unknown keywords, such as x-mcp-header, are meant for other programs: they must not cause log lines.
        return Dialect.builder(dialect)
                .keywords(keywords)
                .formatKeywordFactory(CountedKeyword.Format::new)
                .unknownKeywordFactory((word, context) -> new CountedKeyword(new NonValidationKeyword(word)))
                .build();
    }

    private static Keyword counted(Keyword keyword) {
        String word = keyword.getValue();
        if (EqualValues.WORDS.contains(word)) {
            return new CountedKeyword(new EqualValues(word));
        }
        return new CountedKeyword(word.equals("oneOf") || word.equals("anyOf") ? new Choice(keyword) : keyword);
    }
}
