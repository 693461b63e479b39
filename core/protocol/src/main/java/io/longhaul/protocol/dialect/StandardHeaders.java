// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the headers that repeat fields of the body. A router, which reads the headers, and the server must see the
 * same values. So each such header has one line: of two, the router may read the other one.
 */
public final class StandardHeaders {

    public static final String VERSION = "MCP-Protocol-Version";
    public static final String METHOD = "Mcp-Method";
    public static final String NAME = "Mcp-Name";
    private static final String PREFIX = "Mcp-";

    /** The field of the params that has the name on which a method acts. */
    private static final Map<String, String> NAMED_BY = Map.of(
            "tools/call", "name",
            "prompts/get", "name",
            "resources/read", "uri",
            "tasks/get", "taskId",
            "tasks/update", "taskId",
            "tasks/cancel", "taskId");

    private StandardHeaders() {}

    /** The error for the first header that is missing or wrong, or null. Notifications need none of these headers. */
    static @Nullable RpcError check(RequestHeaders headers, String method, Json params) {
        if (!headers.http() || method.startsWith("notifications/")) {
            return null;
        }
        var repeated = headers.repeated().apply(PREFIX);
        if (repeated.isPresent()) {
            return mismatch(repeated.get(), "was sent more than once");
        }
        var named = headers.get(METHOD);
        if (!named.equals(Optional.of(method))) {
            return mismatch(
                    METHOD, named.isPresent() ? "is not the method of the body" : "is missing: it must be " + method);
        }
        var field = NAMED_BY.get(method);
        var value = field == null ? null : JsonReader.members(params).text(field);
        return value == null ? null : name(headers.get(NAME), value, "params." + field);
    }

    static RpcError mismatch(String header, String problem) {
        return new RpcError(RpcError.HEADER_MISMATCH, "Header " + header + " " + problem);
    }

    private static @Nullable RpcError name(Optional<String> header, String value, String field) {
        if (header.isEmpty()) {
            return mismatch(NAME, "is missing: it must be " + field);
        }
        var text = HeaderText.decode(header.get());
        if (text.isEmpty()) {
            return mismatch(NAME, "is no header text: it must be visible ASCII or exact Base64");
        }
        return text.get().equals(value) ? null : mismatch(NAME, "is not " + field + " of the body");
    }
}
