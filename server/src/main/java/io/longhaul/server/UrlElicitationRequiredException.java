// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;

/**
 * Something has to be done at an address before the call can be answered, such as signing in somewhere. A client of
 * 2025-11-25 gets the error -32042 that names it, and calls again when it is done; a client of 2026-07-28, and a task
 * of it, is asked, and the handler is run again from its start once its user has agreed.
 */
public final class UrlElicitationRequiredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<ElicitUrlRequest> requests;

    /** @param questions what has to be done, at least one */
    public UrlElicitationRequiredException(ElicitUrlRequest... questions) {
        super("something has to be done at an address first");
        if (questions.length == 0) {
            throw new IllegalArgumentException("say what has to be done");
        }
        this.requests = List.of(questions);
    }

    public List<ElicitUrlRequest> requests() {
        return requests;
    }
}
