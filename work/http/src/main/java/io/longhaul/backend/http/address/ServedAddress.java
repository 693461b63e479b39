// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.address;

import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * The address by which APIs and callers reach this server.
 *
 * @param base the base of the address, which may be known only once the server listens
 */
record ServedAddress(Future<URI> base) {

    /** The address of a path of this server; waits until the server has an address. */
    URI of(String path) throws InterruptedException {
        try {
            return URI.create(base.get().toString().replaceFirst("/+$", "") + path);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the address of this server is not known", e);
        }
    }
}
