// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.base;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of a generation that extends another dialect, which decodes and encodes what a subclass does not
 * override.
 */
public abstract class ForwardingDialect extends NamedDialect {

    private final Dialect plain;

    /** @param plain the dialect that handles everything else */
    protected ForwardingDialect(String name, Traits traits, Dialect plain) {
        super(name, traits);
        this.plain = plain;
    }

    @Override
    public Call read(String method, Params params) {
        return plain.read(method, params);
    }

    @Override
    public boolean shows(CallResponse.ToolInfo tool, Capabilities client) {
        return plain.shows(tool, client);
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        return plain.encode(id, call, response);
    }

    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        return plain.encode(notice, subscription);
    }

    @Override
    public JsonRpcMessage.@Nullable Request encode(
            RequestId id, CallResponse.Question question, @Nullable String taskId) {
        return plain.encode(id, question, taskId);
    }

    @Override
    public Optional<String> relatedTask(Json result) {
        return plain.relatedTask(result);
    }
}
