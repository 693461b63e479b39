package io.longhaul.server;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Java values as JSON, and back. */
final class Values {

    private static final JsonMapper JSON = JsonMapper.shared();

    private Values() {}

    static JsonNode tree(Json json) {
        return JSON.readTree(json.bytes());
    }

    static Json json(@Nullable Object value) {
        return Json.raw(JSON.writeValueAsBytes(value));
    }

    static Payload payload(@Nullable Object value) {
        return Payload.of(JSON.writeValueAsBytes(value));
    }

    static JsonNode tree(Payload payload) {
        return JSON.readTree(payload.bytes());
    }

    static JsonNode toTree(Object value) {
        return JSON.valueToTree(value);
    }

    @SuppressWarnings("unchecked")
    static <T> T bind(JsonNode tree, Class<T> type) {
        return type == JsonNode.class ? (T) tree : JSON.treeToValue(tree, type);
    }

    /**
     * The arguments as a handler takes them; what a schema lets through and a class does not is the model's to mend.
     */
    static Object arguments(JsonNode tree, Class<?> type) {
        try {
            return bind(tree, type);
        } catch (JacksonException e) {
            throw new ToolException("The arguments cannot be used: " + where(e), e);
        }
    }

    private static String where(JacksonException e) {
        String path =
                e.getPath().isEmpty() ? "" : " at " + e.getPath().getLast().getPropertyName();
        return "a value has the wrong form" + path;
    }
}
