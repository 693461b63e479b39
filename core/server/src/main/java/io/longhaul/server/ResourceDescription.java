// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.server.internal.codec.ContentCodec;
import io.longhaul.server.internal.feature.ResourceSpec;
import io.longhaul.server.internal.feature.Scopes;
import java.util.Set;

/**
 * The common base of builders of resources and of templates of resources. Not thread-safe.
 *
 * @param <D> the type of the builder itself
 */
public abstract sealed class ResourceDescription<D extends ResourceDescription<D>>
        permits ResourceDefinition, ResourceTemplateDefinition {

    ResourceInfo info;
    private Caching caching = Caching.DEFAULT;
    private Set<String> scopes = Set.of();

    ResourceDescription(ResourceInfo info) {
        this.info = info;
    }

    /** Sets the name for programs. */
    public D name(String name) {
        return saying(info.withName(name));
    }

    /** Sets the display name. */
    public D title(String title) {
        return saying(info.withTitle(title));
    }

    /** Sets a description of the contents, for a model. */
    public D description(String description) {
        return saying(info.withDescription(description));
    }

    /** Sets the type of the contents. */
    public D mimeType(String type) {
        return saying(info.withMimeType(type));
    }

    /** Sets hints for a client that shows the resource. */
    public D annotations(Annotations hints) {
        return saying(info.with(hints));
    }

    /** Sets the icons of the resource. */
    public D icons(Icon... pictures) {
        return saying(info.withIcons(pictures));
    }

    /** Sets how long a client may cache the contents; a minute by default. */
    public D caching(Caching caching) {
        this.caching = caching;
        return self();
    }

    /**
     * Refuses requests to read the resource, to watch it, and to complete the variables of its template, whose
     * authorization lacks one of these scopes, as {@link ToolDefinition#scopes} does for tools. The resource stays
     * listed for all callers.
     *
     * @throws IllegalArgumentException where a text cannot be a scope
     */
    public D scopes(String... needed) {
        scopes = Scopes.checked("resource '" + info.uri() + "'", needed);
        return self();
    }

    /** @param address the member of the definition that holds the URI */
    ResourceSpec spec(String address, ResourceHandler handler) {
        var definition = ContentCodec.definition(info, address);
        return new ResourceSpec(info.uri(), info.mimeType(), definition, caching, scopes, handler);
    }

    D saying(ResourceInfo changed) {
        info = changed;
        return self();
    }

    @SuppressWarnings("unchecked")
    final D self() {
        return (D) this;
    }
}
