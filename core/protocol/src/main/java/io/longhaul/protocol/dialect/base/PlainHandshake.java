// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.base;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.Streams;
import io.longhaul.protocol.dialect.words.CallReader;
import io.longhaul.protocol.dialect.words.FeatureWriter;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.ProfileReader;
import io.longhaul.protocol.dialect.words.QuestionRewriter;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.dialect.words.RevisionFilter;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of the revisions that open a session with {@code initialize}, without tasks. The revisions differ so
 * little from a server's side that one class serves them all. Content that an older revision does not know is left out
 * or sent as another kind. A client is asked the questions that it declares, even where its revision has no method for
 * them. A generation with tasks in such sessions extends the class.
 */
public class PlainHandshake extends NamedDialect {

    private final Revision revision;
    private final @Nullable Related related;

    /** Writes definitions and results for the revision. */
    protected final RevisionFilter wording;

    public PlainHandshake(Revision revision) {
        this("plain-" + revision.version(), UnaryOperator.identity(), revision, null);
    }

    /**
     * Sessions with tasks.
     *
     * @param traits  gives the traits of the generation from those of its sessions
     * @param related where messages name their task, or null
     */
    protected PlainHandshake(String name, UnaryOperator<Traits> traits, Revision revision, @Nullable Related related) {
        super(name, traits.apply(traits(revision)));
        this.revision = revision;
        this.related = related;
        wording = new RevisionFilter(revision);
    }

    /** The traits of a revision's sessions without tasks. */
    static Traits traits(Revision revision) {
        return Traits.plain(true, revision.has(Capability.POLLED_STREAMS) ? Streams.POLLED : Streams.RESUMED);
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
                var call = CallReader.IN_SESSIONS.read(method, params);
                yield call == null ? CallReader.unknown(method, 200) : call;
            }
        };
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
                        FeatureWriter.list(JsonWriter.object(1024), listed, wording)
                                .end());
            case CallResponse.ResourceRead read -> Encoded.result(id, contents(read.contents()));
            case CallResponse.PromptResult prompt -> Encoded.result(id, wording.promptResult(prompt.result()));
            case CallResponse.Completions found ->
                Encoded.result(
                        id,
                        FeatureWriter.completions(JsonWriter.object(), found).end());
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
                var method = FeatureWriter.method(notice);
                yield method == null
                        ? null
                        : new JsonRpcMessage.Notification(
                                method, FeatureWriter.params(notice).end());
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
    public final Optional<String> answeredTask(Json result) {
        return related == null ? Optional.empty() : related.task(result);
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
        FeatureWriter.capabilities(writer, server.offer(), revision.has(Capability.COMPLETIONS));
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
        return new Call.Initialize(version, ProfileReader.ofSession(version, params));
    }

    private static Call setLevel(Params params) {
        params.string("level");
        var level = CallReader.level(params, "level");
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
