package io.longhaul.server;

import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import io.longhaul.peer.schema.SchemaCheck;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON Schemas of records, and schemas that people wrote. */
final class Schemas {

    static final String NO_ARGUMENTS = "{\"type\":\"object\",\"additionalProperties\":false}";

    private static final SchemaGenerator GENERATOR = generator();

    private Schemas() {}

    /** The schema of a record: every component is required unless it is nullable or optional. */
    static String of(Class<?> type) {
        synchronized (GENERATOR) {
            return GENERATOR.generateSchema(type).toString();
        }
    }

    static String checked(String tool, String what, String schema) {
        try {
            SchemaCheck.of(schema);
            JsonNode tree = JsonMapper.shared().readTree(schema);
            if (what.equals("input") && !"object".equals(tree.path("type").asString(""))) {
                throw new IllegalArgumentException("its type must be \"object\"");
            }
            return tree.toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the " + what + " schema of tool '" + tool + "' is not usable: " + e.getMessage(), e);
        }
    }

    private static SchemaGenerator generator() {
        var config = new SchemaGeneratorConfigBuilder(SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                .with(Option.INLINE_ALL_SCHEMAS)
                .without(Option.SCHEMA_VERSION_INDICATOR);
        config.forFields().withRequiredCheck(field -> !isOptional(field)).withNullableCheck(field -> false);
        return new SchemaGenerator(config.build());
    }

    private static boolean isOptional(FieldScope field) {
        var raw = field.getRawMember();
        return raw.getType() == Optional.class || raw.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
}
