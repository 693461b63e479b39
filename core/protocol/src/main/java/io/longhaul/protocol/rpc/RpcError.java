// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC error object: everything that a peer may see of a failure.
 *
 * @param code    the JSON-RPC error code
 * @param message one sentence that says what to do
 * @param data    more about it, or null
 */
public record RpcError(int code, String message, @Nullable Json data) {

    public static final int PARSE_ERROR = -32700;
    public static final int INVALID_REQUEST = -32600;
    public static final int METHOD_NOT_FOUND = -32601;
    public static final int INVALID_PARAMS = -32602;
    public static final int INTERNAL_ERROR = -32603;
    public static final int RESOURCE_NOT_FOUND = -32002;
    public static final int HEADER_MISMATCH = -32020;
    public static final int URL_ELICITATION_REQUIRED = -32042;
    public static final int MISSING_CLIENT_CAPABILITY = -32021;
    public static final int UNSUPPORTED_PROTOCOL_VERSION = -32022;

    public RpcError(int code, String message) {
        this(code, message, null);
    }
}
