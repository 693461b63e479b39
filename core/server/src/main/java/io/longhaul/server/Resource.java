// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.server.internal.codec.ContentCodec;
import io.longhaul.server.internal.feature.ResourceSpec;

/** A resource that a server can offer. {@link #define} starts its definition. Immutable. */
public final class Resource {

    final ResourceSpec spec;
    private final ResourceInfo info;

    Resource(ResourceInfo info, ResourceSpec spec) {
        this.info = info;
        this.spec = spec;
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
    public static Resource listed(Json definition, ForwardHandler<ResourceRequest> way) {
        var info = ContentCodec.listed(definition, "uri");
        return new Resource(info, ResourceSpec.forwarded(info, definition, way));
    }

    public String uri() {
        return info.uri();
    }

    /** The description of the resource in lists and links. */
    public ResourceInfo info() {
        return info;
    }
}
