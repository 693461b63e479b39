// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.protocol.json.Json;
import io.longhaul.transport.Site;
import io.longhaul.transport.Site.Content;
import io.longhaul.transport.Site.Page;
import io.longhaul.transport.streamable.request.HttpPeer;
import io.longhaul.transport.streamable.request.RequestHead;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The paths that a server serves.
 *
 * @param path      the path of Streamable HTTP
 * @param legacySse whether the two paths of the deprecated HTTP with SSE are served too
 * @param site      the pages, feeds, hooks and downloads beside the endpoint
 */
public record Routes(String path, boolean legacySse, Site site) {

    /** The path at which a client opens a stream of the deprecated transport. */
    public static final String SSE = "/sse";

    static final String MESSAGES = "/messages";

    /** The path of the page for a person who opens the server in a browser. */
    static final String FIRST = "/";

    /** The kinds of paths. */
    enum Route {
        STREAMABLE("GET, POST, DELETE, OPTIONS"),
        LEGACY_STREAM("GET, OPTIONS"),
        LEGACY_MESSAGES("POST, OPTIONS"),
        PAGE("GET, HEAD, OPTIONS"),
        FEED("GET, OPTIONS"),
        HOOK("POST"),
        VISIT("GET"),
        DOWNLOAD("GET, HEAD");

        private final String methods;

        Route(String methods) {
            this.methods = methods;
        }

        /** The allowed methods, in the format of the header {@code Allow}. */
        String methods() {
            return methods;
        }

        boolean takes(String method) {
            return (", " + methods + ", ").contains(", " + method + ", ");
        }
    }

    public Routes {
        if (legacySse && (path.equals(SSE) || path.equals(MESSAGES))) {
            throw new IllegalStateException("The path " + path
                    + " is taken by the deprecated HTTP with SSE: choose another, or do without that transport");
        }
    }

    /** Public documents that seldom change, as pages. */
    public static Map<String, Page> pages(Map<String, Json> documents) {
        var headers = Map.of("Content-Type", "application/json", "Cache-Control", "max-age=300");
        var pages = new HashMap<String, Page>();
        documents.forEach((path, document) -> pages.put(path, Page.of(headers, document.bytes())));
        return pages;
    }

    /** The prefix of the hook or download to which the path {@code asked} belongs, or null. */
    private static @Nullable String beginOf(String asked, Map<String, ?> served) {
        return served.keySet().stream().filter(asked::startsWith).findFirst().orElse(null);
    }

    /**
     * Passes a request to the hook of its path.
     *
     * @param most bytes that its body may have
     */
    Page take(RequestHead request, HttpPeer peer, int most) throws IOException {
        var begin = Objects.requireNonNull(beginOf(request.path(), site.hooks()));
        return site.hooks()
                .get(begin)
                .take(new HookCall(request, peer, most, request.path().substring(begin.length())));
    }

    /** Opens the content at a path of a download. */
    Content open(String asked, @Nullable String range) throws InterruptedException {
        var begin = Objects.requireNonNull(beginOf(asked, site.downloads()));
        return site.downloads().get(begin).open(asked.substring(begin.length()), range);
    }

    /** The kind of the path {@code asked}, or null where it is not served. */
    @Nullable
    Route find(String asked) {
        if (asked.equals(path)) {
            return Route.STREAMABLE;
        }
        if (site.pages().containsKey(asked)) {
            return Route.PAGE;
        }
        if (site.feeds().containsKey(asked)) {
            return Route.FEED;
        }
        var hook = beginOf(asked, site.hooks());
        if (hook != null && site.hooks().get(hook).isServed()) {
            return site.hooks().get(hook).isVisited() ? Route.VISIT : Route.HOOK;
        }
        if (beginOf(asked, site.downloads()) != null) {
            return Route.DOWNLOAD;
        }
        if (!legacySse) {
            return null;
        }
        return switch (asked) {
            case SSE -> Route.LEGACY_STREAM;
            case MESSAGES -> Route.LEGACY_MESSAGES;
            default -> null;
        };
    }
}
