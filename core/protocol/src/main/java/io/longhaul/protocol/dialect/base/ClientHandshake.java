// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.base;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish.Terms;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientFeatures;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.ClientWriter;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.json.ParamsException;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The client's side of sessions: by itself without tasks, in all versions, which differ only in their capabilities. A
 * generation with tasks extends it, and overrides what it says in words of its own.
 */
public class ClientHandshake implements ClientDialect {

    private final Generation generation;
    private final Traits traits;
    private final @Nullable Related related;

    /** Sessions of a version, without tasks. */
    public ClientHandshake(Generation version) {
        this(version, UnaryOperator.identity(), null);
    }

    /**
     * Sessions with tasks.
     *
     * @param traits  gives the traits of the generation from those of its sessions
     * @param related where messages name their task, or null
     */
    protected ClientHandshake(Generation generation, UnaryOperator<Traits> traits, @Nullable Related related) {
        this.generation = generation;
        this.traits = traits.apply(PlainHandshake.traits(generation.revision()));
        this.related = related;
    }

    @Override
    public final Generation generation() {
        return generation;
    }

    @Override
    public final Traits traits() {
        return traits;
    }

    @Override
    public final Map<String, String> headers() {
        return generation.revision().has(Capability.VERSION_HEADER)
                ? Map.of("MCP-Protocol-Version", generation.version())
                : Map.of();
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.Initialize(var wanted, var client) ->
                new Outgoing("initialize", JsonTree.write(initialize(client)), Map.of());
            case Call.Initialized initialized -> out("notifications/initialized", JsonTree.object());
            case Call.Ping ping -> out("ping", JsonTree.object());
            case Call.SetLogLevel log ->
                out("logging/setLevel", JsonTree.object().put("level", log.level()));
            case Call.ListTools list -> out("tools/list", ClientWriter.cursor(list.cursor()));
            case Call.CallTool tool -> out("tools/call", callTool(tool));
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

    private ObjectNode initialize(ClientProfile client) {
        var params = JsonTree.object().put("protocolVersion", generation.version());
        var capabilities = ClientWriter.capabilities(client.capabilities(), generation.revision());
        declare(capabilities, client.capabilities());
        params.set("capabilities", capabilities);
        params.set("clientInfo", JsonTree.read(client.info()));
        return params;
    }

    /** Adds to the capabilities of a client what it declares in this generation. */
    protected void declare(ObjectNode capabilities, Capabilities can) {}

    private ObjectNode callTool(Call.CallTool call) {
        var params = ClientWriter.callTool(call);
        if (call.wish() instanceof Terms terms) {
            wish(params, terms);
        }
        return params;
    }

    /** Adds to the params of a request the wish that it becomes a task. */
    protected void wish(ObjectNode params, Terms terms) {}

    @Override
    public final JsonRpcMessage.Request asking(JsonRpcMessage.Request question, Terms wish) {
        var params = (ObjectNode) JsonTree.read(question.params());
        wish(params, wish);
        return new JsonRpcMessage.Request(question.id(), question.method(), JsonTree.write(params));
    }

    @Override
    public final Optional<Terms> wanted(JsonRpcMessage.Request question) throws UnusableMessageException {
        try {
            return wished(question.method(), Params.of(question.params()));
        } catch (ParamsException e) {
            throw new UnusableMessageException(e.getMessage());
        }
    }

    /** Reads the wish of a server that its question becomes a task. */
    protected Optional<Terms> wished(String method, Params question) {
        return Optional.empty();
    }

    /** A message of this generation's own. */
    protected final Outgoing out(String method, ObjectNode params) {
        return new Outgoing(method, JsonTree.write(params), headers());
    }

    @Override
    public final Hello hello(Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "answer to initialize");
        var version = ClientReader.text(node, "protocolVersion", "answer to initialize");
        return offered(ClientReader.hello(List.of(version), node.path("serverInfo"), node));
    }

    /** Adds to the description of a server what it can do with tasks in this generation. */
    protected Hello offered(Hello said) {
        return said;
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.ListTools list -> ClientReader.tools(node, this::mode);
            case Call.CallTool tool -> new CallResponse.ToolResult(result);
            default -> ClientFeatures.answer(call, result).orElseGet(CallResponse.Done::new);
        };
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        var task = relatedTask(notification.params()).orElse(null);
        return ClientReader.notice(notification).map(notice -> switch (notice) {
            case Notice.Progress(var token, var progress, var none, var resources) ->
                new Notice.Progress(token, progress, task, resources);
            case Notice.Log(var level, var logger, var data, var none) -> new Notice.Log(level, logger, data, task);
            default -> notice;
        });
    }

    @Override
    public final Optional<String> relatedTask(Json params) {
        return related == null ? Optional.empty() : related.task(params);
    }

    @Override
    public final Json reply(CallResponse.Question question, Json result) {
        return related == null
                ? result
                : related.to(relatedTask(question.params()).orElse(null), result);
    }

    @Override
    public final ToolTerms terms(Json definition) {
        var tool = JsonTree.read(definition);
        return new ToolTerms.Usable(mode(tool), Map.of(), ClientReader.repeats(tool));
    }

    /** How a listed tool may be called as a task. */
    protected TaskMode mode(JsonNode tool) {
        return TaskMode.NEVER;
    }
}
