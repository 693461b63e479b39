// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import tools.jackson.databind.JsonNode;

/** The task of a tool that a handler has called, see {@link TaskContext#call}. Thread-safe. */
public interface ChildTask {

    /** The task's id. */
    String id();

    /**
     * Blocks until the tool has ended, and gives its structured content, or its text where there is no structured
     * content. As a {@code String} the result is its text. For any other type a text that is JSON is read as JSON.
     *
     * @throws ChildFailedException     where the tool has not ended with a good result; a handler that does not catch
     *                                  this ends as the tool did
     * @throws IllegalArgumentException where the result is no value of this type
     */
    <T> T await(Class<T> type) throws InterruptedException;

    /** Blocks until the tool has ended, and gives its whole result. */
    JsonNode await() throws InterruptedException;

    /** Cancels the tool unless it has ended; a thread that waits for the tool gets a {@link ChildFailedException}. */
    void cancel();
}
