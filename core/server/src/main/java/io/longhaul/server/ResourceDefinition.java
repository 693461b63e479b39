// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.Require;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;

/**
 * A builder of a resource. {@link #text}, {@link #blob} and {@link #handler} finish the definition; other methods
 * return this. Not thread-safe.
 */
public final class ResourceDefinition extends ResourceDescription<ResourceDefinition> {

    ResourceDefinition(String uri) {
        super(ResourceInfo.of(checked(uri), lastOf(uri)));
    }

    /** Sets the size in bytes before any encoding. */
    public ResourceDefinition size(long bytes) {
        return saying(info.withSize(bytes));
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

    /** Finishes the definition with the handler that gives the contents of the resource. */
    public Resource handler(ResourceHandler handler) {
        return new Resource(info, spec("uri", handler));
    }

    private static String checked(String uri) {
        try {
            Require.that(new URI(uri).isAbsolute(), "the URI '" + uri + "' of a resource must have a scheme");
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
