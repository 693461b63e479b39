// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import tools.jackson.databind.JsonNode;

/** The task of a tool that a handler has called, see {@link TaskContext#call}. Thread-safe. */
public interface ChildTask {

    /** The task's id. */
    String id();

    /**
     * Blocks until the tool has ended, and gives its structured content, or its text where it has none.
     *
     * @throws ChildFailedException where it has not ended with a good result; a handler that lets that through ends
     *                              as the tool has
     */
    <T> T await(Class<T> type) throws InterruptedException;

    /** The same, as the whole result of the tool. */
    JsonNode await() throws InterruptedException;

    /** Cancels the tool where it has not ended; who waits for it gets a {@link ChildFailedException}. */
    void cancel();
}
