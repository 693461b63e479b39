// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import java.util.Set;

/** A resource that a server can offer. {@link #define} starts its definition. Immutable. */
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
     * Starts the definition of the resource at {@code uri}. Its default name is the end of its path.
     *
     * @throws IllegalArgumentException where {@code uri} is not an absolute URI of RFC 3986
     */
    public static ResourceDefinition define(String uri) {
        return new ResourceDefinition(uri);
    }

    /**
     * A resource that another server lists.
     *
     * @param definition the resource as the other server lists it, an object
     * @param way        gives the contents of the resource
     */
    public static Resource listed(Json definition, Passing<ResourceRequest> way) {
        var info = ResourceInfo.listed(definition, "uri");
        return new Resource(
                info, definition, Caching.DEFAULT, Set.of(), (request, call) -> Passed.of(way, request, call));
    }

    public String uri() {
        return info.uri();
    }

    /** The description of the resource in lists and links. */
    public ResourceInfo info() {
        return info;
    }
}
