// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.backend.http.job.Paging;
import io.longhaul.backend.http.job.ResponseMapping;
import java.io.IOException;
import java.net.URI;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pages of one list, made one response: the first page with the items of all. Where pages are left, the response
 * names the next one.
 */
record PagedList(Paging pages, long most) {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Reads a page. */
    @FunctionalInterface
    interface Reader {
        ApiResponse read(URI page) throws IOException, InterruptedException;
    }

    /**
     * Reads the pages after the first one. A page that cannot be read is the response.
     *
     * @throws IOException where a connection breaks, or a page is at a host that may not be called
     */
    ApiResponse whole(ApiResponse first, Reader reader) throws IOException, InterruptedException {
        var body = first.json();
        if (!(body.at(pages.items()) instanceof ArrayNode items)) {
            return first;
        }
        var page = first;
        var last = body;
        long bytes = first.body().length;
        Set<URI> read = new HashSet<>(Set.of(first.uri()));
        Optional<URI> next = pages.after(first, body);
        for (int count = 1; count < pages.most() && next.filter(read::add).isPresent(); count++) {
            page = reader.read(next.get());
            last = page.json();
            if (!page.isSuccess()) {
                return page;
            }
            boolean isTooMuch = page.isCut() || bytes + page.body().length > most;
            if (isTooMuch || !(last.at(pages.items()) instanceof ArrayNode more)) {
                return written(first, body, next.get(), null);
            }
            bytes += page.body().length;
            items.addAll(more);
            next = pages.after(page, last);
        }
        return written(first, body, next.filter(uri -> !read.contains(uri)).orElse(null), last);
    }

    /**
     * @param next the page that was not read, or null
     * @param last the last page that was read; null where the first one names {@code next} in its own way
     */
    private ApiResponse written(ApiResponse first, JsonNode body, @Nullable URI next, @Nullable JsonNode last) {
        var whole = body;
        if (next != null && body.isArray()) {
            whole = JsonNodeFactory.instance.objectNode().set("items", body);
        }
        if (whole instanceof ObjectNode object) {
            continued(object, next, last);
        }
        return first.with(JSON.writeValueAsBytes(whole));
    }

    private void continued(ObjectNode object, @Nullable URI next, @Nullable JsonNode last) {
        var place = pages.next();
        if (place == null || last == null) {
            if (next != null) {
                object.put("next", next.toString());
            }
            return;
        }
        if (object.at(place.head()) instanceof ObjectNode around) {
            var name = place.last().getMatchingProperty();
            ResponseMapping.present(last.at(place))
                    .ifPresentOrElse(value -> around.set(name, value), () -> around.remove(name));
        }
    }
}
