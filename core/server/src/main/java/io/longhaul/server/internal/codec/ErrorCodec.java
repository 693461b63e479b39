// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.codec;

import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.server.ClientException;
import io.longhaul.server.DeclinedException;
import io.longhaul.server.McpException;
import io.longhaul.server.ToolException;
import io.longhaul.server.ToolResult;
import io.longhaul.server.internal.schema.Values;

/** Converts exceptions of handlers to errors and error results of the protocol, and errors of clients to exceptions. */
public final class ErrorCodec {

    private ErrorCodec() {}

    public static RpcError error(McpException e) {
        var data = e.data() == null ? null : Values.json(e.data());
        return new RpcError(e.code(), String.valueOf(e.getMessage()), data);
    }

    public static ClientException ofClient(RpcError error) {
        return new ClientException(error.code(), error.message(), error.data());
    }

    public static ToolResult result(ToolException e) {
        var result = ToolResult.error(String.valueOf(e.getMessage()));
        return e instanceof DeclinedException ? result.withMeta(Meta.DECLINED, true) : result;
    }
}
