// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20260728;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.Streams;
import io.longhaul.protocol.dialect.UnreadableCallException;
import io.longhaul.protocol.dialect.base.NamedDialect;
import io.longhaul.protocol.dialect.words.CallCodec;
import io.longhaul.protocol.dialect.words.FeatureCodec;
import io.longhaul.protocol.dialect.words.Listening;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.RevisionFilter;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The stateless revision, for requests that do not declare the tasks extension. */
public class PlainStateless extends NamedDialect {

    /** The description of a server is the same for every caller. */
    private static final Freshness SAME_FOR_ALL = new Freshness(Freshness.DEFAULT.time(), true);

    static final Traits TRAITS = Traits.plain(false, Streams.LOST);

    private static final Revision REVISION = Generation.V2026_07_28.revision();

    private static final RevisionFilter WORDING = new RevisionFilter(REVISION);

    /** Writes the results. */
    final StatelessResults results;

    public PlainStateless(StatelessResults results) {
        this("plain-" + REVISION.version(), TRAITS, results);
    }

    PlainStateless(String name, Traits traits, StatelessResults results) {
        super(name, traits);
        this.results = results;
    }

    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case "server/discover" -> new Call.Discover();
            case "subscriptions/listen" -> listen(params);
            case "tasks/get", "tasks/update", "tasks/cancel" -> throw tasksMissing();
            default -> {
                var call = CallCodec.ALONE.read(method, params);
                yield call == null ? CallCodec.unknown(method, 404) : call;
            }
        };
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        return switch (response) {
            case CallResponse.Discovered discovered -> Encoded.result(id, discovered(discovered));
            case CallResponse.Done done when call instanceof Call.Listen -> Encoded.result(id, results.streamEnded(id));
            case CallResponse.Done done -> Encoded.result(id, results.done());
            case CallResponse.Tools tools -> Encoded.result(id, tools(tools));
            case CallResponse.Listed listed ->
                Encoded.result(
                        id, fresh(FeatureCodec.list(results.begin("complete"), listed, WORDING), listed.fresh()));
            case CallResponse.ResourceRead read ->
                Encoded.result(id, fresh(results.begin("complete").member("contents", read.contents()), read.fresh()));
            case CallResponse.PromptResult prompt -> Encoded.result(id, results.complete(prompt.result()));
            case CallResponse.Completions found ->
                Encoded.result(id, results.end(FeatureCodec.completions(results.begin("complete"), found), Map.of()));
            case CallResponse.ToolResult tool -> Encoded.result(id, results.complete(tool.result()));
            case CallResponse.TaskOutcome outcome -> outcome(id, outcome.task());
            case CallResponse.InputNeeded needed -> Encoded.result(id, inputNeeded(needed));
            case CallResponse.Refused refused -> refused(id, refused.why());
            default -> throw new IllegalArgumentException(name() + " has no words for " + response);
        };
    }

    /** Progress and logs belong to the stream of their request, never to that of a subscription. */
    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        return switch (notice) {
            case Notice.Progress progress
            when subscription == null ->
                new JsonRpcMessage.Notification("notifications/progress", MessageWriter.progress(progress, Map.of()));
            case Notice.Log log
            when subscription == null ->
                new JsonRpcMessage.Notification("notifications/message", MessageWriter.log(log, Map.of()));
            case Notice.Subscribed subscribed
            when subscription != null ->
                new JsonRpcMessage.Notification(
                        "notifications/subscriptions/acknowledged", acknowledged(subscribed, subscription));
            case Notice.Unsubscribed unsubscribed
            when subscription != null ->
                new JsonRpcMessage.Notification("notifications/cancelled", unsubscribed(subscription));
            default -> subscription == null ? null : changed(notice, subscription);
        };
    }

    private static JsonRpcMessage.@Nullable Notification changed(Notice notice, RequestId subscription) {
        var method = FeatureCodec.method(notice);
        return method == null
                ? null
                : new JsonRpcMessage.Notification(
                        method, MessageWriter.meta(FeatureCodec.params(notice), tag(subscription)));
    }

    /** "The server MUST NOT send independent JSON-RPC requests". */
    @Override
    public JsonRpcMessage.@Nullable Request encode(
            RequestId id, CallResponse.Question question, @Nullable String taskId) {
        return null;
    }

    /** The {@code _meta} that names the subscription of a notification. */
    public static Map<String, Json> tag(RequestId subscription) {
        return Map.of(Meta.SUBSCRIPTION_ID, JsonRpcCodec.encode(subscription));
    }

    private static Call listen(Params params) {
        var listen = Listening.read(params);
        if (!listen.wanted().taskIds().isEmpty()) {
            throw tasksMissing();
        }
        return listen;
    }

    private static UnreadableCallException tasksMissing() {
        return new UnreadableCallException(Refusals.tasksMissing(), 400);
    }

    /**
     * The result also names the versions of sessions: a client that shares no newer version with us can still open a
     * session.
     */
    private Json discovered(CallResponse.Discovered discovered) {
        var versions = results.begin("complete").name("supportedVersions").beginArray();
        supported().forEach(versions::string);
        var offer = discovered.server().offer();
        FeatureCodec.capabilities(versions.endArray().name("capabilities").beginObject(), offer, true);
        var experimental = discovered.server().riding().experimental();
        if (!experimental.isEmpty()) {
            versions.name("experimental").beginObject();
            experimental.forEach((name, settings) -> versions.member(name, settings));
            versions.endObject();
        }
        versions.name("extensions").beginObject();
        if (offer.tasks()) {
            versions.member(Meta.TASKS_EXTENSION, Json.EMPTY_OBJECT);
            versions.member(Meta.CREATION_KEY, Json.EMPTY_OBJECT);
        }
        offer.extensions().forEach((id, settings) -> versions.member(id, settings));
        discovered.server().riding().extensions().forEach((id, settings) -> versions.member(id, settings));
        versions.endObject().endObject();
        versions.optional("instructions", discovered.server().instructions());
        var self = Map.of(Meta.SERVER_INFO, discovered.server().self());
        return MessageWriter.meta(freshness(versions, SAME_FOR_ALL), self);
    }

    /** All versions, newest first. */
    public static List<String> supported() {
        return Generation.versions().stream()
                .filter(Generation::isPublished)
                .map(Generation::version)
                .toList();
    }

    private Json tools(CallResponse.Tools tools) {
        var writer = results.begin("complete").name("tools").beginArray();
        tools.tools().forEach(tool -> writer.raw(listed(tool)));
        writer.endArray().optional("nextCursor", tools.nextCursor());
        return fresh(writer, tools.fresh());
    }

    /**
     * A tool as it is listed. In this revision each call decides whether it is a task; Longhaul adds whether all calls
     * of the tool are tasks.
     */
    private static Json listed(CallResponse.ToolInfo tool) {
        if (tool.taskMode() != TaskMode.REQUIRED) {
            return tool.definition();
        }
        var definition = JsonReader.members(tool.definition());
        var meta = definition.get(Meta.META);
        var writer = JsonWriter.object(tool.definition().size() + 64)
                .membersBut(Set.of(Meta.META), definition)
                .name(Meta.META)
                .beginObject();
        if (meta != null) {
            writer.members(meta);
        }
        return writer.member(Meta.TASK_SUPPORT, "required").endObject().end();
    }

    /** Ends a result that can be cached. */
    private Json fresh(JsonWriter writer, Freshness fresh) {
        return results.end(freshness(writer, fresh), Map.of());
    }

    private static JsonWriter freshness(JsonWriter writer, Freshness fresh) {
        writer.member("ttlMs", fresh.time().toMillis());
        return writer.member("cacheScope", fresh.shared() ? "public" : "private");
    }

    private Json inputNeeded(CallResponse.InputNeeded needed) {
        var writer = results.begin("input_required");
        if (!needed.questions().isEmpty()) {
            writer.member("inputRequests", MessageWriter.questions(REVISION, needed.questions()));
        }
        return results.end(writer.optional("requestState", needed.requestState()), Map.of());
    }

    private Encoded outcome(RequestId id, TaskView task) {
        return task.end() instanceof TaskView.End.Result ended
                ? Encoded.result(id, results.complete(ended.result()))
                : Encoded.failure(id, Refusals.ended(Objects.requireNonNull(task.end())));
    }

    private Encoded refused(RequestId id, Refusal why) {
        return switch (why) {
            case Refusal.InvalidArguments invalid -> Encoded.result(id, results.complete(Refusals.result(invalid)));
            case Refusal.TaskRequired required -> failure(id, Refusals.tasksMissing(), 400);
            case Refusal.CapabilityMissing missing -> failure(id, Refusals.capabilityMissing(missing.missing()), 400);
            case Refusal.UnknownResource unknown ->
                Encoded.failure(id, FeatureCodec.unknownResource(RpcError.INVALID_PARAMS, unknown.uri()));
            case Refusal.NoSuchMethod no -> failure(id, Refusals.error(no), 404);
            case Refusal.NotForAnonymous not -> failure(id, Refusals.error(not), 404);
            default -> Encoded.failure(id, Refusals.error(why));
        };
    }

    private static Json acknowledged(Notice.Subscribed subscribed, RequestId subscription) {
        var writer = JsonWriter.object().member("notifications", Listening.write(subscribed.honoured()));
        return MessageWriter.meta(writer, tag(subscription));
    }

    /** "Server-sent cancellation notifications MUST reference a `subscriptions/listen` request". */
    private static Json unsubscribed(RequestId subscription) {
        var writer = JsonWriter.object().member("requestId", JsonRpcCodec.encode(subscription));
        return MessageWriter.meta(writer, tag(subscription));
    }

    private static Encoded failure(RequestId id, RpcError error, int httpStatus) {
        return new Encoded(new JsonRpcMessage.Failure(id, error), httpStatus);
    }
}
