// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Offer;
import io.longhaul.protocol.call.CallResponse.Resources;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RpcError;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes the features of a server, and its answers about resources, prompts and completion. */
public final class FeatureWriter {

    /** The most values of one completion. */
    private static final int VALUES = 100;

    private FeatureWriter() {}

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
        out.name(
                        switch (listed.what()) {
                            case RESOURCES -> "resources";
                            case TEMPLATES -> "resourceTemplates";
                            case PROMPTS -> "prompts";
                        })
                .beginArray();
        listed.definitions().forEach(definition -> out.raw(wording.listed(definition)));
        return out.endArray().optional("nextCursor", listed.nextCursor());
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
