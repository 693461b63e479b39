// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Listing;
import io.longhaul.protocol.call.CallResponse.Offer;
import io.longhaul.protocol.call.CallResponse.Resources;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RpcError;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The features of a server, and its answers about tools, resources, prompts and completion, for both sides. */
public final class FeatureCodec {

    /** The most values of one completion. */
    private static final int VALUES = 100;

    private FeatureCodec() {}

    /** Writes what a server can do, as members of its capabilities. */
    public static void capabilities(JsonWriter out, Offer offer, boolean completions) {
        out.member("logging", Json.EMPTY_OBJECT);
        if (offer.tools()) {
            changing(out, "tools", false);
        }
        if (offer.resources() != Resources.NONE) {
            changing(out, "resources", offer.resources() == Resources.WATCHED);
        }
        if (offer.prompts()) {
            changing(out, "prompts", false);
        }
        if (offer.completions() && completions) {
            out.member("completions", Json.EMPTY_OBJECT);
        }
    }

    /** Writes one page of a list, as members of its result. */
    public static JsonWriter list(JsonWriter out, CallResponse.Listed listed, RevisionFilter wording) {
        out.name(member(listed.what())).beginArray();
        listed.definitions().forEach(definition -> out.raw(wording.listed(definition)));
        return out.endArray().optional("nextCursor", listed.nextCursor());
    }

    private static String member(Listing what) {
        return switch (what) {
            case RESOURCES -> "resources";
            case TEMPLATES -> "resourceTemplates";
            case PROMPTS -> "prompts";
        };
    }

    /**
     * A page of tools.
     *
     * @param mark the member that says how a tool may be called as a task, by the value that {@code of} gives; the tool
     *             has no such member where the value is null
     */
    public static Json tools(
            CallResponse.Tools tools, RevisionFilter wording, String mark, Function<TaskMode, @Nullable Json> of) {
        var out = JsonWriter.object(1024).name("tools").beginArray();
        for (var tool : tools.tools()) {
            var definition = wording.tool(tool.definition());
            var value = of.apply(tool.taskMode());
            if (value == null) {
                out.raw(definition);
            } else {
                out.beginObject().members(definition).member(mark, value).endObject();
            }
        }
        return out.endArray().optional("nextCursor", tools.nextCursor()).end();
    }

    /** Writes the values of a completion, as a member of its result. */
    public static JsonWriter completions(JsonWriter out, CallResponse.Completions found) {
        List<String> told = found.values().size() > VALUES ? found.values().subList(0, VALUES) : found.values();
        out.name("completion").beginObject().name("values").beginArray();
        told.forEach(out::string);
        out.endArray().member("total", found.total());
        return out.member("hasMore", told.size() < found.total()).endObject();
    }

    /** Reads the answer to a call about such a feature; any other answer is done. The server is not trusted. */
    public static CallResponse answer(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.ListResources list -> listed(Listing.RESOURCES, node, "uri");
            case Call.ListTemplates list -> listed(Listing.TEMPLATES, node, "uriTemplate");
            case Call.ReadResource read ->
                new CallResponse.ResourceRead(array(node, "contents"), ClientReader.freshness(node));
            case Call.ListPrompts list -> listed(Listing.PROMPTS, node, "name");
            case Call.GetPrompt get -> {
                array(node, "messages");
                yield new CallResponse.PromptResult(result);
            }
            case Call.Complete complete -> completions(node.path("completion"));
            default -> new CallResponse.Done();
        };
    }

    /** Reads a list. An entry without {@code key} cannot be requested, and is left out. */
    private static CallResponse listed(Listing what, JsonNode node, String key) {
        var definitions = node.path(member(what))
                .valueStream()
                .filter(definition -> definition.path(key).isString())
                .map(JsonTree::write)
                .toList();
        return new CallResponse.Listed(
                what, definitions, ClientReader.optionalText(node, "nextCursor"), ClientReader.freshness(node));
    }

    private static Json array(JsonNode node, String member) throws UnusableMessageException {
        if (!node.path(member).isArray()) {
            throw new UnusableMessageException("The server's result has no " + member + ".");
        }
        return JsonTree.write(node.path(member));
    }

    /** "`total`" may be absent: at least one more value exists where "`hasMore`" says so. */
    private static CallResponse completions(JsonNode completion) {
        var values = Listening.texts(completion.path("values"));
        int atLeast = values.size() + (completion.path("hasMore").asBoolean(false) ? 1 : 0);
        return new CallResponse.Completions(
                values, Math.max(atLeast, completion.path("total").asInt(0)));
    }

    /** The method of a notice about a change, or null for any other notice. */
    public static @Nullable String method(Notice notice) {
        return switch (notice) {
            case Notice.ToolsChanged tools -> "notifications/tools/list_changed";
            case Notice.PromptsChanged prompts -> "notifications/prompts/list_changed";
            case Notice.ResourcesChanged resources -> "notifications/resources/list_changed";
            case Notice.ResourceUpdated updated -> "notifications/resources/updated";
            default -> null;
        };
    }

    /** Begins the params of such a notice. */
    public static JsonWriter params(Notice notice) {
        var out = JsonWriter.object(128);
        return notice instanceof Notice.ResourceUpdated(var uri) ? out.member("uri", uri) : out;
    }

    /** The error for an unknown resource. */
    public static RpcError unknownResource(int code, String uri) {
        var data = JsonWriter.object().member("uri", uri).endObject();
        return new RpcError(code, "Resource not found", data.toJson());
    }

    private static void changing(JsonWriter out, String what, boolean subscribe) {
        out.name(what).beginObject();
        if (subscribe) {
            out.member("subscribe", true);
        }
        out.member("listChanged", true).endObject();
    }
}
