// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.protocol.dialect.words.ClientReader.optionalText;

import io.longhaul.client.change.ServerChanges;
import io.longhaul.client.list.KeptList;
import io.longhaul.client.list.Listings;
import io.longhaul.client.request.QuestionRounds;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.call.Requestor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The resources of a server. Blocking, thread-safe.
 *
 * <p>Every method throws {@link RefusedException} where the server refuses, as a server without resources does.
 */
public final class RemoteResources {

    private final Requestor requestor;
    private final ServerChanges changes;
    private final KeptList<Json> resources;
    private final KeptList<Json> templates;

    RemoteResources(Requestor requestor, ServerChanges changes) {
        this.requestor = requestor;
        this.changes = changes;
        resources = Listings.of("resources", "resources", requestor, Call.ListResources::new);
        templates = Listings.of("templates", "resources", requestor, Call.ListTemplates::new);
    }

    /**
     * All resources that the server lists, in its order. The list may be as old as the server allows, as {@link
     * McpClient#tools()} says.
     */
    public List<ListedResource> list() {
        return resources.items().stream()
                .map(each -> listed(each, "uri", ListedResource::new))
                .toList();
    }

    /** All templates that the server lists, as {@link #list()} gives resources. */
    public List<ListedTemplate> templates() {
        return templates.items().stream()
                .map(each -> listed(each, "uriTemplate", ListedTemplate::new))
                .toList();
    }

    /** The constructor of a listed resource or template. */
    private interface Listed<T> {
        T of(
                String address,
                String name,
                @Nullable String title,
                @Nullable String description,
                @Nullable String mimeType,
                Json definition);
    }

    private static <T> T listed(Json definition, String address, Listed<T> made) {
        var shown = JsonTree.read(definition);
        return made.of(
                shown.path(address).asString(""),
                shown.path("name").asString(""),
                optionalText(shown, "title"),
                optionalText(shown, "description"),
                optionalText(shown, "mimeType"),
                definition);
    }

    /**
     * Reads a resource, whether or not the server lists the resource.
     *
     * @throws UnusableAnswerException also where the server asks a question that this client cannot answer
     */
    public List<ResourcePart> read(String uri) {
        var parts = new ArrayList<ResourcePart>();
        for (var content :
                JsonReader.elements(contents(uri, requestor.settings().answerer()))) {
            parts.add(part(uri, JsonTree.read(content)));
        }
        return List.copyOf(parts);
    }

    /**
     * The contents of a resource as the JSON array that the server sent; {@link #read} gives its parts.
     *
     * @param answerer answers what the server asks because of this request, in place of the client's own answerer
     */
    public Json contents(String uri, Answerer answerer) {
        return QuestionRounds.read(requestor, answerer, uri);
    }

    private static ResourcePart part(String asked, JsonNode content) {
        var uri = content.path("uri").asString(asked);
        var mimeType = content.path("mimeType").asString(null);
        try {
            if (content.path("text").isString()) {
                return new ResourcePart.Text(uri, mimeType, content.path("text").stringValue());
            }
            if (content.path("blob").isString()) {
                return new ResourcePart.Bytes(
                        uri, mimeType, content.path("blob").stringValue());
            }
        } catch (IllegalArgumentException e) {
            throw new UnusableAnswerException("The server's resource is no Base64: " + e.getMessage(), e);
        }
        throw new UnusableAnswerException("The server's resource holds neither text nor bytes.", null);
    }

    /**
     * Tells when the contents of a resource have changed, until the registration is closed. Where changes may have been
     * missed, as while the server was away, the resource counts as changed.
     *
     * @param listener is called on a thread of the client, one call at a time, and may read the resource
     * @throws UnsupportedByServerException where the server does not tell of changes of this resource
     */
    public Registration onChange(String uri, Runnable listener) {
        return changes.onResource(uri, listener);
    }

    /**
     * Suggested values for a variable of a template.
     *
     * @param typed  what the user has typed
     * @param others the values of other variables, by their names
     */
    public Suggestions complete(String uriTemplate, String variable, String typed, Map<String, String> others) {
        return Listings.complete(
                requestor, new Call.Complete(new Call.Completed.Template(uriTemplate), variable, typed, others));
    }

    void forget() {
        resources.forget();
        templates.forget();
    }
}
