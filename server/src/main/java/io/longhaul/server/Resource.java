// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import java.util.Set;

/** A resource ready to be served. Made by {@link #define}. Immutable. */
public final class Resource {

    final ResourceInfo info;
    final Json definition;
    final Caching caching;
    final Set<String> scopes;
    final ResourceHandler handler;

    Resource(ResourceInfo info, Json definition, Caching caching, Set<String> scopes, ResourceHandler handler) {
        this.info = info;
        this.definition = definition;
        this.caching = caching;
        this.scopes = scopes;
        this.handler = handler;
    }

    /**
     * Starts the definition of the resource at {@code uri}, whose name is the end of its path until it is told another.
     *
     * @throws IllegalArgumentException where that is no absolute URI of RFC 3986
     */
    public static ResourceDefinition define(String uri) {
        return new ResourceDefinition(uri);
    }

    /**
     * A resource that another server lists.
     *
     * @param definition as it was listed, an object
     * @param way        gives what it holds
     */
    public static Resource listed(Json definition, Passing<ResourceRequest> way) {
        var info = ResourceInfo.listed(definition, "uri");
        return new Resource(
                info, definition, Caching.DEFAULT, Set.of(), (request, call) -> Passed.of(way, request, call));
    }

    public String uri() {
        return info.uri();
    }

    /** What is said of it where it is listed, or where a tool links to it. */
    public ResourceInfo info() {
        return info;
    }
}
