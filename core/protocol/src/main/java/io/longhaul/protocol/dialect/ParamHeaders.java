// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.Json.Kind;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.RpcError;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Checks the headers that repeat the arguments of a tool which its schema marks with {@code x-mcp-header}. */
public final class ParamHeaders {

    private static final String MARK = "x-mcp-header";

    private ParamHeaders() {}

    /**
     * Compares headers and arguments; needed for the stateless revision over HTTP only.
     *
     * @param schema    of the tool's input
     * @param arguments of the call
     * @return the error to send with status 400, or null where all headers match
     */
    public static @Nullable RpcError check(Json schema, Json arguments, RequestHeaders headers) {
        return headers.http() && schema.toString().contains(MARK) ? object(schema, arguments, headers) : null;
    }

    /**
     * Checks one level: only a chain of {@code properties} leads to marks. The {@code value} is null where the
     * arguments have no value here.
     */
    private static @Nullable RpcError object(Json schema, @Nullable Json value, RequestHeaders headers) {
        var properties =
                schema.kind() == Kind.OBJECT ? JsonReader.members(schema).get("properties") : null;
        if (properties == null || properties.kind() != Kind.OBJECT) {
            return null;
        }
        var values = value == null || value.kind() != Kind.OBJECT ? null : JsonReader.members(value);
        for (var property : JsonReader.members(properties).asMap().entrySet()) {
            var inner = values == null ? null : values.get(property.getKey());
            var error = property(property.getValue(), inner, headers);
            if (error != null) {
                return error;
            }
        }
        return null;
    }

    private static @Nullable RpcError property(Json schema, @Nullable Json value, RequestHeaders headers) {
        var mark = schema.kind() == Kind.OBJECT ? JsonReader.members(schema).get(MARK) : null;
        return mark == null || mark.kind() != Kind.STRING
                ? object(schema, value, headers)
                : header("Mcp-Param-" + JsonReader.text(mark), value, headers);
    }

    private static @Nullable RpcError header(String name, @Nullable Json value, RequestHeaders headers) {
        var header = headers.get(name);
        if (value == null || value.kind() == Kind.NULL) {
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
