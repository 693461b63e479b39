// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes proofs with the nonces that servers want in them. The nonce of a server is valid until the server gives another
 * one, in a refusal or any other answer (RFC 9449, 8.2 and 9). Thread-safe.
 */
final class Proofs {

    /** The header with a proof. */
    static final String HEADER = "DPoP";

    /** The header by which a server gives a nonce. */
    static final String NONCE = "DPoP-Nonce";

    /** The error of a server that wants its nonce. */
    static final String WANTED = "use_dpop_nonce";

    private final InstantSource clock;

    /** The nonces by their addresses: the token endpoint and the resource give different ones, even on one machine. */
    private final ConcurrentMap<URI, String> nonces = new ConcurrentHashMap<>();

    Proofs(InstantSource clock) {
        this.clock = clock;
    }

    /** A proof for one request to an address, with the access token of the request, if any. */
    String proof(ProofKey key, String method, URI target, @Nullable String access) {
        return key.proof(method, target, access, nonces.get(target), clock.instant());
    }

    /** Remembers the nonce of an answer, if any. */
    void heard(URI target, Optional<String> nonce) {
        nonce.filter(value -> !value.isEmpty()).ifPresent(value -> nonces.put(target, value));
    }

    boolean hasNonce(URI target) {
        return nonces.containsKey(target);
    }
}
