// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.proof;

import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes proofs with the nonces that servers want in them. The nonce of a server is valid until the server gives another
 * one, in a refusal or any other response (RFC 9449, 8.2 and 9). Thread-safe.
 */
public final class Proofs {

    /** The header with a proof. */
    public static final String HEADER = "DPoP";

    /** The error of a server that wants its nonce. */
    public static final String WANTED = "use_dpop_nonce";

    private final InstantSource clock;

    /** The nonces by their addresses: the token endpoint and the resource give different ones, even on one machine. */
    private final ConcurrentMap<URI, String> nonces = new ConcurrentHashMap<>();

    public Proofs(InstantSource clock) {
        this.clock = clock;
    }

    /** A proof for one request to an address, with the access token of the request, if any. */
    public String proof(ProofKey key, String method, URI target, @Nullable String access) {
        return key.proof(method, target, access, nonces.get(target), clock.instant());
    }

    /** Remembers the nonce of a response, if any. */
    public void heard(URI target, Optional<String> nonce) {
        nonce.filter(value -> !value.isEmpty()).ifPresent(value -> nonces.put(target, value));
    }

    public boolean hasNonce(URI target) {
        return nonces.containsKey(target);
    }
}
