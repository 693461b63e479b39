// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Listing;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a client's requests for resources, prompts and completion, and reads the answers. All revisions spell these
 * alike.
 */
public final class ClientFeatures {

    private ClientFeatures() {}

    /**
     * A request without the additions of a revision.
     *
     * @param name the name of the requested resource or prompt, where a header repeats the name
     */
    public record Asked(
            String method, ObjectNode params, @Nullable String name) {
        private Asked(String method, ObjectNode params) {
            this(method, params, null);
        }
    }

    /** The request for a call; empty where the call is about something else. */
    public static Optional<Asked> asked(Call call) {
        return Optional.ofNullable(
                switch (call) {
                    case Call.ListResources list -> new Asked("resources/list", ClientWriter.cursor(list.cursor()));
                    case Call.ListTemplates list ->
                        new Asked("resources/templates/list", ClientWriter.cursor(list.cursor()));
                    case Call.ReadResource read -> new Asked("resources/read", read(read), read.uri());
                    case Call.ListPrompts list -> new Asked("prompts/list", ClientWriter.cursor(list.cursor()));
                    case Call.GetPrompt get -> new Asked("prompts/get", get(get), get.prompt());
                    case Call.Complete complete -> new Asked("completion/complete", complete(complete));
                    case Call.Extended extended ->
                        new Asked(extended.method(), (ObjectNode) JsonTree.read(extended.params()));
                    default -> null;
                });
    }

    private static ObjectNode read(Call.ReadResource call) {
        return ClientWriter.extras(JsonTree.object().put("uri", call.uri()), call.extras());
    }

    private static ObjectNode get(Call.GetPrompt call) {
        var params = JsonTree.object().put("name", call.prompt());
        texts(params.putObject("arguments"), call.arguments());
        return ClientWriter.extras(params, call.extras());
    }

    private static ObjectNode complete(Call.Complete call) {
        var params = JsonTree.object();
        var ref = params.putObject("ref");
        switch (call.of()) {
            case Call.Completed.Prompt(var name) ->
                ref.put("type", "ref/prompt").put("name", name);
            case Call.Completed.Template(var uri) ->
                ref.put("type", "ref/resource").put("uri", uri);
        }
        params.putObject("argument").put("name", call.argument()).put("value", call.typed());
        if (!call.others().isEmpty()) {
            texts(params.putObject("context").putObject("arguments"), call.others());
        }
        return params;
    }

    private static void texts(ObjectNode into, Map<String, String> texts) {
        texts.forEach(into::put);
    }

    /** The answer to such a call; empty where the call is about something else. */
    public static Optional<CallResponse> answer(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return Optional.ofNullable(
                switch (call) {
                    case Call.ListResources list -> listed(Listing.RESOURCES, node, "resources", "uri");
                    case Call.ListTemplates list -> listed(Listing.TEMPLATES, node, "resourceTemplates", "uriTemplate");
                    case Call.ReadResource read ->
                        new CallResponse.ResourceRead(array(node, "contents"), ClientReader.freshness(node));
                    case Call.ListPrompts list -> listed(Listing.PROMPTS, node, "prompts", "name");
                    case Call.GetPrompt get -> {
                        array(node, "messages");
                        yield new CallResponse.PromptResult(result);
                    }
                    case Call.Complete complete -> completions(node.path("completion"));
                    default -> null;
                });
    }

    /** Reads a list. An entry without {@code key} cannot be requested, and is left out. */
    private static CallResponse listed(Listing what, JsonNode node, String member, String key) {
        var definitions = new ArrayList<Json>();
        for (var definition : node.path(member)) {
            if (definition.path(key).isString()) {
                definitions.add(JsonTree.write(definition));
            }
        }
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
}
