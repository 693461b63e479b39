// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.Require;
import java.util.List;

/**
 * Thrown by a handler when the user must do something at a URL before the call can be answered, such as signing in. A
 * client of 2025-11-25 gets the error -32042 with the URL, and calls again when the user is done. A client of
 * 2026-07-28 is asked, also by its tasks, and the handler is run again from its start once the user has agreed.
 */
public final class UrlElicitationRequiredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<ElicitUrlRequest> requests;

    /** @param questions what the user has to do, at least one request */
    public UrlElicitationRequiredException(ElicitUrlRequest... questions) {
        super("something has to be done at an address first");
        Require.that(questions.length != 0, "say what has to be done");
        this.requests = List.of(questions);
    }

    public List<ElicitUrlRequest> requests() {
        return requests;
    }
}
