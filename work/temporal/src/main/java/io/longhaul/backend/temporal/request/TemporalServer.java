// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

import io.longhaul.engine.secret.Secret;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of the connection to Temporal. Jobs with equal settings share a connection.
 *
 * @param address {@code host:port} of the frontend
 * @param key     the API key, which is read for each request
 */
public record TemporalServer(String address, String namespace, Optional<Encryption> encryption, Optional<Secret> key) {

    /**
     * TLS.
     *
     * @param authority the trusted certificate authority, in place of those that Java trusts
     * @param identity  the certificate of the client
     */
    public record Encryption(Optional<Path> authority, Optional<Identity> identity) {}

    /** A certificate chain and its key (PKCS 8), in PEM. */
    public record Identity(Path certificate, Path key) {}
}
