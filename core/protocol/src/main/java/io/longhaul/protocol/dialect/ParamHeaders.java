// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.dialect.ClientDialect.ToolTerms;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.Json.Kind;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.RpcError;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The headers that repeat the arguments of a tool which its schema marks with {@code x-mcp-header}: a client writes
 * them, and a server checks them.
 */
public final class ParamHeaders {

    private static final String MARK = "x-mcp-header";
    private static final String PREFIX = "Mcp-Param-";
    private static final String TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

    /** The keywords whose values are schemas by their names. */
    private static final Set<String> OF_SCHEMAS = Set.of("properties", "$defs", "definitions", "patternProperties");

    /** The keywords whose values are no schemas. */
    private static final Set<String> OF_VALUES = Set.of("const", "enum", "default", "examples");

    private ParamHeaders() {}

    /** The marked properties of a schema, by the paths of their arguments: only {@code properties} lead to one. */
    private static Map<List<String>, JsonMembers> marked(Json schema) {
        var found = new LinkedHashMap<List<String>, JsonMembers>();
        collect(schema, List.of(), found);
        return found;
    }

    private static void collect(Json schema, List<String> path, Map<List<String>, JsonMembers> found) {
        members(schema).object("properties").asMap().forEach((name, property) -> {
            var here = Stream.concat(path.stream(), Stream.of(name)).toList();
            if (members(property).has(MARK)) {
                found.put(here, members(property));
            }
            collect(property, here, found);
        });
    }

    private static JsonMembers members(Json value) {
        return value.kind() == Kind.OBJECT ? JsonReader.members(value) : JsonMembers.NONE;
    }

    /** The argument at a path, or null where there is none. */
    private static @Nullable Json at(List<String> path, Json arguments) {
        Json value = arguments;
        for (var step : path) {
            value = value == null ? null : members(value).get(step);
        }
        return value == null || value.kind() == Kind.NULL ? null : value;
    }

    /** How a client calls a tool whose arguments are repeated in headers, or why its marks are invalid. */
    public static ToolTerms terms(Json tool, boolean repeats) {
        var schema = Objects.requireNonNullElse(members(tool).get("inputSchema"), Json.EMPTY_OBJECT);
        var headers = new LinkedHashMap<List<String>, String>();
        var names = new HashSet<String>();
        for (var mark : marked(schema).entrySet()) {
            var name = mark.getValue().text(MARK);
            var type = mark.getValue().text("type");
            if (name == null || !name.matches(TOKEN)) {
                return new ToolTerms.Invalid("its " + MARK + " is no header name");
            }
            if (type == null || !TYPES.contains(type)) {
                return new ToolTerms.Invalid(
                        "its " + MARK + " is on an argument that is no string, integer or boolean");
            }
            headers.put(mark.getKey(), PREFIX + name);
            names.add(name.toLowerCase(Locale.ROOT));
        }
        if (count(schema) != headers.size()) {
            return new ToolTerms.Invalid("its " + MARK + " stands where no argument can be read");
        }
        return names.size() < headers.size()
                ? new ToolTerms.Invalid("two of its arguments have the same " + MARK)
                : new ToolTerms.Usable(TaskMode.OPTIONAL, Map.copyOf(headers), repeats);
    }

    /** Counts all marks in a schema. An argument with the name of the mark does not count. */
    private static int count(Json schema) {
        if (schema.kind() == Kind.ARRAY) {
            return JsonReader.elements(schema).stream()
                    .mapToInt(ParamHeaders::count)
                    .sum();
        }
        int count = members(schema).has(MARK) ? 1 : 0;
        for (var keyword : members(schema).asMap().entrySet()) {
            if (OF_SCHEMAS.contains(keyword.getKey())) {
                count += members(keyword.getValue()).asMap().values().stream()
                        .mapToInt(ParamHeaders::count)
                        .sum();
            } else if (!OF_VALUES.contains(keyword.getKey())) {
                count += count(keyword.getValue());
            }
        }
        return count;
    }

    /** The headers that repeat arguments; an absent or null argument has none. */
    public static Map<String, String> write(Map<List<String>, String> wanted, Json arguments) {
        var headers = new LinkedHashMap<String, String>();
        wanted.forEach((path, header) -> {
            var value = at(path, arguments);
            if (value != null && value.kind() != Kind.OBJECT && value.kind() != Kind.ARRAY) {
                headers.put(header, HeaderText.encode(JsonReader.shown(value)));
            }
        });
        return headers;
    }

    /**
     * Compares headers and arguments; needed for the stateless revision over HTTP only.
     *
     * @param schema    of the tool's input
     * @param arguments of the call
     * @return the error to send with status 400, or null where all headers match
     */
    public static @Nullable RpcError check(Json schema, Json arguments, RequestHeaders headers) {
        if (headers.http() && schema.toString().contains(MARK)) {
            for (var mark : marked(schema).entrySet()) {
                var name = mark.getValue().text(MARK);
                var error = name == null ? null : header(PREFIX + name, at(mark.getKey(), arguments), headers);
                if (error != null) {
                    return error;
                }
            }
        }
        return null;
    }

    private static @Nullable RpcError header(String name, @Nullable Json value, RequestHeaders headers) {
        var header = headers.get(name);
        if (value == null) {
            return header.isEmpty() ? null : StandardHeaders.mismatch(name, "names an argument that the body has not");
        }
        if (header.isEmpty()) {
            return StandardHeaders.mismatch(name, "is missing: it must say the argument that the tool marks with it");
        }
        var text = HeaderText.decode(header.get());
        if (text.isEmpty()) {
            return StandardHeaders.mismatch(name, "is no header text: it must be visible ASCII or exact Base64");
        }
        return same(text.get(), value) ? null : StandardHeaders.mismatch(name, "is not the argument of the body");
    }

    /** Numbers are compared as numbers: {@code 42.0} is {@code 42}. */
    private static boolean same(String header, Json value) {
        return switch (value.kind()) {
            case STRING -> header.equals(JsonReader.text(value));
            case BOOLEAN -> header.equals(value.toString());
            case NUMBER -> sameNumber(header, value.toString());
            default -> false;
        };
    }

    private static boolean sameNumber(String header, String value) {
        try {
            return header.length() <= 40
                    && value.length() <= 40
                    && new BigDecimal(header).compareTo(new BigDecimal(value)) == 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
