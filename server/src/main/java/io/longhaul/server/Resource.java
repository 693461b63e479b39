// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.Set;

/** A resource ready to be served. Made by {@link #define}. Immutable. */
public final class Resource {

    final ResourceInfo info;
    final Caching caching;
    final Set<String> scopes;
    final ResourceHandler handler;

    Resource(ResourceInfo info, Caching caching, Set<String> scopes, ResourceHandler handler) {
        this.info = info;
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

    public String uri() {
        return info.uri();
    }

    /** What is said of it where it is listed, or where a tool links to it. */
    public ResourceInfo info() {
        return info;
    }
}
