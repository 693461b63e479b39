// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import org.jspecify.annotations.Nullable;

/** Reads the few values inside of messages that a relay needs. */
final class RelayedMessages {

    private RelayedMessages() {}

    static @Nullable Json progressToken(Json params) {
        return meta(params, Meta.PROGRESS_TOKEN);
    }

    /** The request that opened the subscription of a notification. */
    static @Nullable RequestId subscription(Json params) {
        return JsonRpcCodec.id(meta(params, Meta.SUBSCRIPTION_ID));
    }

    /** The request that a cancellation names. */
    static @Nullable RequestId cancelled(Json params) {
        return JsonRpcCodec.id(JsonReader.members(params).get("requestId"));
    }

    static double number(Json value) {
        return value.kind() == Json.Kind.NUMBER ? Double.parseDouble(value.toString()) : Double.NaN;
    }

    /** A request for the state of the task whose repeated cancel was refused, under the id of the cancel. */
    static byte[] look(HostRequest cancel) {
        return JsonRpcCodec.encode(new JsonRpcMessage.Request(cancel.id, "tasks/get", cancel.params))
                .bytes();
    }

    static boolean isOfCancelled(JsonRpcMessage.@Nullable Result result) {
        if (result == null || result.result().kind() != Json.Kind.OBJECT) {
            return false;
        }
        Json status = JsonReader.members(result.result()).get("status");
        return status != null && status.toString().equals("\"cancelled\"");
    }

    private static @Nullable Json meta(Json params, String name) {
        Json meta = JsonReader.members(params).get(Meta.META);
        return meta != null && meta.kind() == Json.Kind.OBJECT
                ? JsonReader.members(meta).get(name)
                : null;
    }
}
