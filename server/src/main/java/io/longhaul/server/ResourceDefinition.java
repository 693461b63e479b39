package io.longhaul.server;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;

/** A resource in the making. Every method but the last three gives the definition back. Not thread-safe. */
public final class ResourceDefinition {

    private ResourceInfo info;
    private Caching caching = Caching.DEFAULT;

    ResourceDefinition(String uri) {
        info = ResourceInfo.of(checked(uri), lastOf(uri));
    }

    /** Its name for programs. */
    public ResourceDefinition name(String name) {
        info = info.withName(name);
        return this;
    }

    /** Its name for people. */
    public ResourceDefinition title(String title) {
        info = info.withTitle(title);
        return this;
    }

    /** What it holds, for a model. */
    public ResourceDefinition description(String description) {
        info = info.withDescription(description);
        return this;
    }

    /** The type of what it holds. */
    public ResourceDefinition mimeType(String type) {
        info = info.withMimeType(type);
        return this;
    }

    /** Hints for whoever shows it. */
    public ResourceDefinition annotations(Annotations hints) {
        info = info.with(hints);
        return this;
    }

    /** What stands for it, in clients that show pictures. */
    public ResourceDefinition icons(Icon... pictures) {
        info = info.withIcons(pictures);
        return this;
    }

    /** How long a client may keep what it has read: a minute, until it is told otherwise. */
    public ResourceDefinition caching(Caching caching) {
        this.caching = caching;
        return this;
    }

    /** Its size in bytes before any encoding. */
    public ResourceDefinition size(long bytes) {
        info = info.withSize(bytes);
        return this;
    }

    /** Finishes the definition of a text that never changes. */
    public Resource text(String text) {
        size(text.getBytes(StandardCharsets.UTF_8).length);
        return handler((request, call) -> text);
    }

    /** Finishes the definition of bytes that never change. */
    public Resource blob(byte[] bytes) {
        byte[] own = bytes.clone();
        size(own.length);
        return handler((request, call) -> own);
    }

    /** Finishes the definition with what gives its contents. */
    public Resource handler(ResourceHandler handler) {
        return new Resource(info, caching, handler);
    }

    private static String checked(String uri) {
        try {
            if (!new URI(uri).isAbsolute()) {
                throw new IllegalArgumentException("the URI '" + uri + "' of a resource must have a scheme");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the URI '" + uri + "' of a resource is none: " + e.getReason(), e);
        }
    }

    private static String lastOf(String uri) {
        int end = uri.length();
        while (end > 1 && uri.charAt(end - 1) == '/') {
            end--;
        }
        int slash = Math.max(uri.lastIndexOf('/', end - 1), uri.lastIndexOf(':', end - 1));
        return uri.substring(slash + 1, end);
    }
}
