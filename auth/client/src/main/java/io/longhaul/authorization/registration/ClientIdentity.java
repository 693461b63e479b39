// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.registration;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a client for authorization servers.
 *
 * @param name     the name that people see when they are asked to admit the client
 * @param id       the client id of a manual registration, or null
 * @param secret   the secret of that registration, or null for a public client
 * @param document the address of the client's metadata document, or null
 * @param redirect the address on this machine to which a browser brings answers; port 0 for any port
 */
public record ClientIdentity(
        String name,
        @Nullable String id,
        @Nullable String secret,
        @Nullable URI document,
        URI redirect) {

    /** "All redirect URIs MUST be either `localhost` or use HTTPS"; this client waits on its own machine. */
    public static final URI ANY_PORT = URI.create("http://127.0.0.1:0/callback");

    public static ClientIdentity named(String name) {
        return new ClientIdentity(name, null, null, null, ANY_PORT);
    }

    public ClientIdentity named(String newName, URI newRedirect) {
        return new ClientIdentity(newName, id, secret, document, newRedirect);
    }

    public ClientIdentity registered(String newId, @Nullable String newSecret) {
        return new ClientIdentity(name, newId, newSecret, document, redirect);
    }

    /** "MUST use the https scheme and contain a path component". */
    public ClientIdentity documented(URI newDocument) {
        if (!"https".equals(newDocument.getScheme())
                || newDocument.getHost() == null
                || newDocument.getPath().length() < 2) {
            throw new IllegalArgumentException(newDocument + " cannot be a client id: it takes https and a path");
        }
        return new ClientIdentity(name, id, secret, newDocument, redirect);
    }
}
