// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.Set;

/**
 * What is said of a resource, or of a template of resources, that is in the making. Not thread-safe.
 *
 * @param <D> its own kind
 */
public abstract sealed class ResourceDescription<D extends ResourceDescription<D>>
        permits ResourceDefinition, ResourceTemplateDefinition {

    ResourceInfo info;
    Caching caching = Caching.DEFAULT;
    Set<String> scopes = Set.of();

    ResourceDescription(ResourceInfo info) {
        this.info = info;
    }

    /** Its name for programs. */
    public D name(String name) {
        return saying(info.withName(name));
    }

    /** Its name for people. */
    public D title(String title) {
        return saying(info.withTitle(title));
    }

    /** What it holds, for a model. */
    public D description(String description) {
        return saying(info.withDescription(description));
    }

    /** The type of what it holds. */
    public D mimeType(String type) {
        return saying(info.withMimeType(type));
    }

    /** Hints for a client that shows it. */
    public D annotations(Annotations hints) {
        return saying(info.with(hints));
    }

    /** What stands for it, in clients that show pictures. */
    public D icons(Icon... pictures) {
        return saying(info.withIcons(pictures));
    }

    /** How long a client may keep what it has read: a minute, until it is told otherwise. */
    public D caching(Caching caching) {
        this.caching = caching;
        return self();
    }

    /**
     * Refuses to read it, to watch it and to complete the variables of its template where the authorization of a
     * message lacks one of these scopes, as {@link ToolDefinition#scopes} does for tools. It stays listed for all
     * callers.
     *
     * @throws IllegalArgumentException where one cannot be a scope
     */
    public D scopes(String... needed) {
        scopes = Scopes.checked("resource '" + info.uri() + "'", needed);
        return self();
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
