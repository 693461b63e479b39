// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.handle;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallOutcome.Kind;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of outcomes in handles. */
public final class CallOutcomeCodec {

    private static final String KIND = "kind";
    private static final String RESULT = "result";
    private static final String REASON = "reason";

    private CallOutcomeCodec() {}

    static ObjectNode write(CallOutcome outcome) {
        var json = JsonTree.object().put(KIND, outcome.kind().name());
        switch (outcome) {
            case CallOutcome.ToolResult(var result) -> json.set(RESULT, JsonTree.read(result));
            case CallOutcome.ToolError(var result) -> json.set(RESULT, JsonTree.read(result));
            case CallOutcome.ProtocolError(var error) -> {
                json.put("code", error.code()).put("message", error.message());
                if (error.data() != null) {
                    json.set("data", JsonTree.read(error.data()));
                }
            }
            case CallOutcome.Failed failed -> json.put(REASON, failed.reason());
        }
        return json;
    }

    /** @throws IllegalArgumentException where the JSON is no outcome */
    static CallOutcome read(JsonNode json) {
        var result = json.path(RESULT);
        var reason = json.path(REASON).asString("");
        return switch (Kind.valueOf(json.path(KIND).asString(""))) {
            case SUCCESS -> new CallOutcome.ToolResult(JsonTree.write(result));
            case TOOL_ERROR -> new CallOutcome.ToolError(JsonTree.write(result));
            case PROTOCOL_ERROR -> {
                var data = json.path("data");
                yield new CallOutcome.ProtocolError(new RpcError(
                        json.path("code").asInt(RpcError.INTERNAL_ERROR),
                        json.path("message").asString(""),
                        data.isMissingNode() ? null : JsonTree.write(data)));
            }
            case UNUSABLE -> new CallOutcome.Unusable(reason);
            case TIMED_OUT -> new CallOutcome.TimedOut(reason);
            case CANCELLED -> new CallOutcome.Cancelled();
            case UNANSWERED -> new CallOutcome.Unanswered(reason);
            case LOST -> new CallOutcome.Lost(reason);
            case OUTCOME_UNKNOWN -> new CallOutcome.OutcomeUnknown(reason);
            case LEFT -> new CallOutcome.Left(reason);
        };
    }
}
