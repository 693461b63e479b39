// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import java.nio.charset.StandardCharsets;

/** JSON-RPC errors of the transport itself, which belong to no request and have no id. */
final class Errors {

    static final int INVALID_REQUEST = -32600;
    static final int INTERNAL_ERROR = -32603;

    private Errors() {}

    /** An error as one line. */
    static byte[] body(int code, String message) {
        var text = new StringBuilder("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":")
                .append(code)
                .append(",\"message\":\"");
        message.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c < ' ' ? ' ' : (char) c);
        });
        return text.append("\"}}").toString().getBytes(StandardCharsets.UTF_8);
    }
}
