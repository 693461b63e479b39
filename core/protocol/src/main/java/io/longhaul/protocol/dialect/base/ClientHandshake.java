// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.base;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientFeatures;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.ClientWriter;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * The client's side of sessions without tasks. One class serves all versions, which differ only in their capabilities.
 */
public record ClientHandshake(Generation generation) implements ClientDialect {

    @Override
    public Traits traits() {
        return PlainHandshake.traits(generation.revision());
    }

    @Override
    public Map<String, String> headers() {
        return generation.revision().has(Capability.VERSION_HEADER)
                ? Map.of("MCP-Protocol-Version", generation.version())
                : Map.of();
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.Initialize initialize ->
                new Outgoing("initialize", JsonTree.write(initialize(initialize)), Map.of());
            case Call.Initialized initialized -> out("notifications/initialized", JsonTree.object());
            case Call.Ping ping -> out("ping", JsonTree.object());
            case Call.SetLogLevel log ->
                out("logging/setLevel", JsonTree.object().put("level", log.level()));
            case Call.ListTools list -> out("tools/list", ClientWriter.cursor(list.cursor()));
            case Call.CallTool tool -> out("tools/call", ClientWriter.callTool(tool));
            case Call.SubscribeResource watch ->
                out("resources/subscribe", JsonTree.object().put("uri", watch.uri()));
            case Call.UnsubscribeResource ignore ->
                out("resources/unsubscribe", JsonTree.object().put("uri", ignore.uri()));
            case Call.RootsChanged changed -> out("notifications/roots/list_changed", JsonTree.object());
            case Call.CancelRequest cancel -> out("notifications/cancelled", ClientWriter.cancelRequest(cancel));
            default ->
                ClientFeatures.asked(call)
                        .map(asked -> out(asked.method(), asked.params()))
                        .orElseThrow(() -> new IllegalArgumentException(
                                generation + " has no " + call.getClass().getSimpleName()));
        };
    }

    private ObjectNode initialize(Call.Initialize call) {
        var params = JsonTree.object().put("protocolVersion", generation.version());
        params.set("capabilities", ClientWriter.capabilities(call.client().capabilities(), generation.revision()));
        params.set("clientInfo", JsonTree.read(call.client().info()));
        return params;
    }

    private Outgoing out(String method, ObjectNode params) {
        return new Outgoing(method, JsonTree.write(params), headers());
    }

    @Override
    public Hello hello(Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "answer to initialize");
        var version = ClientReader.text(node, "protocolVersion", "answer to initialize");
        return ClientReader.hello(List.of(version), node.path("serverInfo"), node);
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.ListTools list -> ClientReader.tools(node, tool -> TaskMode.NEVER);
            case Call.CallTool tool -> new CallResponse.ToolResult(result);
            default -> ClientFeatures.answer(call, result).orElseGet(CallResponse.Done::new);
        };
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        return ClientReader.notice(notification);
    }

    @Override
    public ToolTerms terms(Json definition) {
        return new ToolTerms.Usable(TaskMode.NEVER, Map.of(), ClientReader.repeats(JsonTree.read(definition)));
    }
}
