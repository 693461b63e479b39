// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.caller;

import io.longhaul.protocol.transport.client.Authorization;
import java.net.URI;
import java.util.Optional;

/** The logins of one caller at one upstream, each of which a person makes at a page. Thread-safe. */
public interface CallerLogin {

    /** The authorization by the last login. It throws where there is none, or none that is good. */
    Authorization authorization();

    /**
     * Prepares a login.
     *
     * @return its id, which cannot be guessed, and says nothing of the caller
     */
    String prepare();

    /** The page of a login. It lets nobody in by itself, and makes sure that its visitor is the caller. */
    URI page(String id) throws InterruptedException;

    /** Waits for the end of a login: empty where it has succeeded, else a clause that says why not. */
    Optional<String> await(String id) throws InterruptedException;
}
