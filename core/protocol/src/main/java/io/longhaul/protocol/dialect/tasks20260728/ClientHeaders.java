// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20260728;

import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.dialect.ClientDialect.ToolTerms;
import io.longhaul.protocol.dialect.words.ClientReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Writes the headers that repeat parts of a request, and reads the annotations of a tool that ask for them. */
final class ClientHeaders {

    private static final String ANNOTATION = "x-mcp-header";
    private static final String TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

    private ClientHeaders() {}

    /** A value as a header can carry it: unchanged where it is plain ASCII, else in the Base64 form. */
    static String encode(String value) {
        var plain = value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'))
                && value.strip().equals(value)
                && !(value.startsWith("=?base64?") && value.endsWith("?="));
        return plain
                ? value
                : "=?base64?" + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)) + "?=";
    }

    /** The headers that repeat arguments; an absent or null argument has none. */
    static Map<String, String> mirrored(Map<List<String>, String> wanted, JsonNode arguments) {
        var headers = new LinkedHashMap<String, String>();
        wanted.forEach((path, header) -> {
            var value = arguments;
            for (var step : path) {
                value = value.path(step);
            }
            if (value.isValueNode() && !value.isNull()) {
                headers.put(header, encode(value.asString()));
            }
        });
        return headers;
    }

    /** The arguments of a tool that are repeated in headers, or the reason why its annotations are invalid. */
    static ToolTerms terms(JsonNode tool) {
        var found = new LinkedHashMap<List<String>, String>();
        var problem = collect(tool.path("inputSchema"), List.of(), found);
        if (!problem.isEmpty()) {
            return new ToolTerms.Invalid(problem);
        }
        if (count(tool.path("inputSchema")) != found.size()) {
            return new ToolTerms.Invalid("its " + ANNOTATION + " stands where no argument can be read");
        }
        var names = new HashSet<String>();
        for (var name : found.values()) {
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                return new ToolTerms.Invalid("two of its arguments have the same " + ANNOTATION);
            }
        }
        return new ToolTerms.Usable(TaskMode.OPTIONAL, Map.copyOf(found), ClientReader.repeats(tool));
    }

    private static String collect(JsonNode schema, List<String> path, Map<List<String>, String> found) {
        for (var entry : schema.path("properties").properties()) {
            var property = entry.getValue();
            var here = new ArrayList<>(path);
            here.add(entry.getKey());
            if (property.isObject() && property.has(ANNOTATION)) {
                var name = property.path(ANNOTATION).asString("");
                if (!name.matches(TOKEN)) {
                    return "its " + ANNOTATION + " is no header name";
                }
                if (!TYPES.contains(property.path("type").asString(""))) {
                    return "its " + ANNOTATION + " is on an argument that is no string, integer or boolean";
                }
                found.put(List.copyOf(here), "Mcp-Param-" + name);
            }
            var problem = collect(property, here, found);
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        return "";
    }

    /** Counts all annotations in a schema. An argument with the name of the annotation does not count. */
    private static int count(JsonNode schema) {
        var count = schema.isObject() && schema.has(ANNOTATION) ? 1 : 0;
        for (var entry : schema.properties()) {
            if (Set.of("properties", "$defs", "definitions", "patternProperties")
                    .contains(entry.getKey())) {
                for (var property : entry.getValue()) {
                    count += count(property);
                }
            } else if (!Set.of("const", "enum", "default", "examples").contains(entry.getKey())) {
                count += count(entry.getValue());
            }
        }
        if (schema.isArray()) {
            for (var element : schema) {
                count += count(element);
            }
        }
        return count;
    }
}
