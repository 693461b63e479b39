// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.fakes.Blocking;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import tools.jackson.databind.JsonNode;

/** What has come and was not read yet. Thread-safe. */
final class Inbox {

    private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();

    void put(JsonNode message) {
        messages.add(message);
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** The next one; waits for it. */
    JsonNode take() {
        return Blocking.take(messages);
    }
}
