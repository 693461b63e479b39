// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.base;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish.Terms;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.ClientDialect.ToolTerms;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.dialect.StandardHeaders;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.Streams;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.CallCodec;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.FeatureCodec;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.ProfileCodec;
import io.longhaul.protocol.dialect.words.QuestionRewriter;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.dialect.words.RevisionFilter;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.json.ParamsException;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The dialect of the revisions that open a session with {@code initialize}, without tasks, for both sides. The
 * revisions differ so little that one class serves them all. Content that an older revision does not know is left out
 * or sent as another kind. A client is asked the questions that it declares, even where its revision has no method for
 * them. A generation with tasks in such sessions extends the class, and overrides what it says in words of its own.
 */
public class PlainHandshake extends NamedDialect implements ClientDialect {

    private final Generation generation;
    private final Revision revision;
    private final @Nullable Related related;

    /** Writes definitions and results for the revision. */
    protected final RevisionFilter wording;

    /** Sessions of a version, without tasks. */
    public PlainHandshake(Revision version) {
        this("plain", Generation.of(version.version()).orElseThrow(), version, traits(version), null);
    }

    /**
     * Sessions with tasks.
     *
     * @param kind     begins the name of the dialect
     * @param revision of the sessions; for an overlay, of the sessions in which it is used
     * @param related  where messages name their task, or null
     */
    protected PlainHandshake(
            String kind, Generation generation, Revision revision, Traits traits, @Nullable Related related) {
        super(kind + "-" + revision.version(), traits);
        this.generation = generation;
        this.revision = revision;
        this.related = related;
        wording = new RevisionFilter(revision);
    }

    /** The traits of a revision's sessions without tasks. */
    public static Traits traits(Revision revision) {
        return Traits.plain(true, revision.has(Capability.POLLED_STREAMS) ? Streams.POLLED : Streams.RESUMED);
    }

    @Override
    public final Generation generation() {
        return generation;
    }

    @Override
    public final Map<String, String> headers() {
        return revision.has(Capability.VERSION_HEADER) ? Map.of(StandardHeaders.VERSION, revision.version()) : Map.of();
    }

    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case "initialize" -> initialize(params);
            case "notifications/initialized" -> new Call.Initialized();
            case "ping" -> new Call.Ping();
            case "logging/setLevel" -> setLevel(params);
            case "resources/subscribe" -> new Call.SubscribeResource(params.string("uri"));
            case "resources/unsubscribe" -> new Call.UnsubscribeResource(params.string("uri"));
            default -> {
                var call = CallCodec.IN_SESSIONS.read(method, params);
                yield call == null ? CallCodec.unknown(method, 200) : call;
            }
        };
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.Initialize(var wanted, var client) ->
                new Outgoing("initialize", JsonTree.write(initialize(client)), Map.of());
            case Call.Initialized initialized -> out("notifications/initialized", JsonTree.object());
            case Call.Ping ping -> out("ping", JsonTree.object());
            case Call.SetLogLevel(var level) -> out("logging/setLevel", "level", level);
            case Call.SubscribeResource(var uri) -> out("resources/subscribe", "uri", uri);
            case Call.UnsubscribeResource(var uri) -> out("resources/unsubscribe", "uri", uri);
            case Call.RootsChanged changed -> out("notifications/roots/list_changed", JsonTree.object());
            default -> {
                var written = CallCodec.IN_SESSIONS.write(call);
                if (written == null) {
                    throw new IllegalArgumentException(
                            generation + " has no " + call.getClass().getSimpleName());
                }
                if (call instanceof Call.CallTool tool && tool.wish() instanceof Terms terms) {
                    wish(written.params(), terms);
                }
                yield out(written.method(), written.params());
            }
        };
    }

    /** A message of this generation's own. */
    protected final Outgoing out(String method, ObjectNode params) {
        return new Outgoing(method, JsonTree.write(params), headers());
    }

    /** A message of this generation's own with one text. */
    protected final Outgoing out(String method, String field, String text) {
        return out(method, JsonTree.object().put(field, text));
    }

    private ObjectNode initialize(ClientProfile client) {
        var params = JsonTree.object().put("protocolVersion", revision.version());
        var capabilities = ProfileCodec.capabilities(client.capabilities(), revision);
        declare(capabilities, client.capabilities());
        params.set("capabilities", capabilities);
        params.set("clientInfo", JsonTree.read(client.info()));
        return params;
    }

    /** Adds to the capabilities of a client what it declares in this generation. */
    protected void declare(ObjectNode capabilities, Capabilities can) {}

    /** Adds to the params of a request the wish that it becomes a task. */
    protected void wish(ObjectNode params, Terms terms) {}

    /** Reads the wish of a server that its question becomes a task. */
    protected Optional<Terms> wished(String method, Params question) {
        return Optional.empty();
    }

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
        return switch (call) {
            case Call.ListTools list -> ClientReader.tools(ClientReader.object(result, "result"), this::mode);
            case Call.CallTool tool -> ClientReader.toolResult(result);
            default -> FeatureCodec.answer(call, result);
        };
    }

    /** How a listed tool may be called as a task. */
    protected TaskMode mode(JsonNode tool) {
        return TaskMode.NEVER;
    }

    @Override
    public final ToolTerms terms(Json definition) {
        var tool = JsonTree.read(definition);
        return new ToolTerms.Usable(mode(tool), Map.of(), ClientReader.repeats(tool));
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        return ClientReader.notice(
                notification, relatedTask(notification.params()).orElse(null));
    }

    /**
     * "SDKs MUST NOT show LRO-only tools [...] to clients on old protocol versions" (SEP-1391), but clients that
     * declare another generation can call such tools. Newer versions have their own words for such tools.
     */
    @Override
    public boolean shows(CallResponse.ToolInfo tool, Capabilities client) {
        return tool.taskMode() != TaskMode.REQUIRED
                || revision.has(Capability.CORE_TASKS)
                || client.takes().later();
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        return switch (response) {
            case CallResponse.Opened opened -> Encoded.result(id, opened(opened, Json.EMPTY_OBJECT));
            case CallResponse.Done done -> Encoded.result(id, Json.EMPTY_OBJECT);
            case CallResponse.Tools tools -> Encoded.result(id, tools(tools));
            case CallResponse.Listed listed ->
                Encoded.result(
                        id,
                        FeatureCodec.list(JsonWriter.object(1024), listed, wording)
                                .end());
            case CallResponse.ResourceRead read -> Encoded.result(id, contents(read.contents()));
            case CallResponse.PromptResult prompt -> Encoded.result(id, wording.promptResult(prompt.result()));
            case CallResponse.Completions found ->
                Encoded.result(
                        id, FeatureCodec.completions(JsonWriter.object(), found).end());
            case CallResponse.ToolResult tool -> Encoded.result(id, wording.toolResult(tool.result()));
            case CallResponse.TaskOutcome outcome -> outcome(id, outcome.task());
            case CallResponse.Refused(Refusal.InvalidArguments why)
            when revision.has(Capability.ARGUMENT_ERRORS_IN_RESULTS) -> Encoded.result(id, Refusals.result(why));
            case CallResponse.Refused(Refusal.TaskRequired why)
            when !revision.has(Capability.CORE_TASKS) -> Encoded.failure(id, Refusals.outdated(why.tool()));
            case CallResponse.Refused refused -> Encoded.failure(id, Refusals.error(refused.why()));
            default -> throw new IllegalArgumentException(name() + " has no words for " + response);
        };
    }

    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        return encode(notice, Map.of());
    }

    /** The notification with a {@code _meta}, where it is one that can belong to a task. */
    public static JsonRpcMessage.@Nullable Notification encode(Notice notice, Map<String, Json> meta) {
        return switch (notice) {
            case Notice.Progress progress -> notification("progress", MessageWriter.progress(progress, meta));
            case Notice.Log log -> notification("message", MessageWriter.log(log, meta));
            case Notice.Withdrawn(var question, var reason, var task) ->
                notification("cancelled", withdrawn(question, reason, meta));
            case Notice.ElicitationCompleted(var elicitation) ->
                notification("elicitation/complete", MessageWriter.object("elicitationId", elicitation));
            default -> {
                var method = FeatureCodec.method(notice);
                yield method == null
                        ? null
                        : new JsonRpcMessage.Notification(
                                method, FeatureCodec.params(notice).end());
            }
        };
    }

    private static JsonRpcMessage.Notification notification(String method, Json params) {
        return new JsonRpcMessage.Notification("notifications/" + method, params);
    }

    @Override
    public JsonRpcMessage.Request encode(RequestId id, CallResponse.Question question, @Nullable String taskId) {
        var params = QuestionRewriter.params(revision, question);
        return new JsonRpcMessage.Request(id, question.method(), related == null ? params : related.to(taskId, params));
    }

    @Override
    public final Optional<String> relatedTask(Json object) {
        return related == null ? Optional.empty() : related.task(object);
    }

    @Override
    public final Json reply(CallResponse.Question question, Json result) {
        return related == null
                ? result
                : related.to(relatedTask(question.params()).orElse(null), result);
    }

    /** "The sender SHOULD issue a cancellation notification for that request and stop waiting for a response." */
    private static Json withdrawn(RequestId question, String reason, Map<String, Json> meta) {
        var params = JsonWriter.object().member("requestId", JsonRpcCodec.encode(question));
        return MessageWriter.meta(params.member("reason", reason), meta);
    }

    /** The result of {@code initialize}, with {@code more} capabilities. */
    protected final Json opened(CallResponse.Opened opened, Json more) {
        var server = opened.server();
        var writer = JsonWriter.object(512).member("protocolVersion", opened.version());
        writer.name("capabilities").beginObject();
        FeatureCodec.capabilities(writer, server.offer(), revision.has(Capability.COMPLETIONS));
        server.riding().further().forEach((name, value) -> writer.member(name, value));
        writer.name("experimental").beginObject();
        if (server.offer().tasks()) {
            writer.member(Meta.CREATION_KEY, Json.EMPTY_OBJECT);
        }
        server.riding().experimental().forEach((id, settings) -> writer.member(id, settings));
        server.offer().extensions().forEach((id, settings) -> writer.member(id, settings));
        server.riding().extensions().forEach((id, settings) -> writer.member(id, settings));
        return writer.endObject()
                .members(more)
                .endObject()
                .member("serverInfo", wording.implementation(server.self()))
                .optional("instructions", server.instructions())
                .end();
    }

    private static Call initialize(Params params) {
        var version = params.string("protocolVersion");
        return new Call.Initialize(version, ProfileCodec.ofSession(version, params));
    }

    private static Call setLevel(Params params) {
        params.string("level");
        var level = CallCodec.level(params, "level");
        return new Call.SetLogLevel(Objects.requireNonNull(level));
    }

    private Json tools(CallResponse.Tools tools) {
        var seen = tools.tools().stream().map(tool -> wording.tool(tool.definition()));
        return MessageWriter.page("tools", seen.toList(), tools.nextCursor());
    }

    private static Json contents(Json contents) {
        return JsonWriter.object(contents.size() + 32)
                .member("contents", contents)
                .end();
    }

    /** The response to a call that the server ran as a task without the caller's knowledge: the outcome of the work. */
    private Encoded outcome(RequestId id, TaskView task) {
        return task.end() instanceof TaskView.End.Result ended
                ? Encoded.result(id, wording.result(ended.result()))
                : Encoded.failure(id, Refusals.ended(Objects.requireNonNull(task.end())));
    }
}
