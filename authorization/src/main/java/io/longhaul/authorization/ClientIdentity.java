// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What a client has to be known by to authorization servers.
 *
 * @param name     for people who are asked whether they let the client in
 * @param id       of a registration that somebody made by hand, or null
 * @param secret   of that registration, or null where it is public
 * @param document the address of the client's metadata document, or null
 * @param redirect on this machine where a browser brings answers; port 0 for any
 */
record ClientIdentity(
        String name,
        @Nullable String id,
        @Nullable String secret,
        @Nullable URI document,
        URI redirect) {

    /** "All redirect URIs MUST be either `localhost` or use HTTPS"; this client waits on its own machine. */
    static final URI ANY_PORT = URI.create("http://127.0.0.1:0/callback");

    static ClientIdentity named(String name) {
        return new ClientIdentity(name, null, null, null, ANY_PORT);
    }

    ClientIdentity named(String newName, URI newRedirect) {
        return new ClientIdentity(newName, id, secret, document, newRedirect);
    }

    ClientIdentity registered(String newId, @Nullable String newSecret) {
        return new ClientIdentity(name, newId, newSecret, document, redirect);
    }

    /** "MUST use the https scheme and contain a path component". */
    ClientIdentity documented(URI newDocument) {
        if (!"https".equals(newDocument.getScheme())
                || newDocument.getHost() == null
                || newDocument.getPath().length() < 2) {
            throw new IllegalArgumentException(newDocument + " cannot be a client id: it takes https and a path");
        }
        return new ClientIdentity(name, id, secret, newDocument, redirect);
    }
}
