// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where workflows run, and how Temporal is spoken to. Jobs with equal ones share a connection.
 *
 * @param address {@code host:port} of the frontend
 */
record TemporalServer(String address, String namespace, Optional<Encryption> encryption, Optional<TemporalKey> key) {

    /**
     * TLS.
     *
     * @param authority whose certificates are trusted, in place of those that Java trusts
     * @param identity  that this side shows
     */
    record Encryption(Optional<Path> authority, Optional<Identity> identity) {}

    /** A certificate chain and its key (PKCS 8), in PEM. */
    record Identity(Path certificate, Path key) {}
}
