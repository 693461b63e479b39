package io.longhaul.generations;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** What has come and was not read yet. Thread-safe. */
final class Inbox {

    private static final long TIMEOUT_SECONDS = 20;

    private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();

    void put(JsonNode message) {
        messages.add(message);
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** The next one; waits for it. */
    JsonNode take() {
        try {
            var message = messages.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("nothing came for " + TIMEOUT_SECONDS + " s");
            }
            return message;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
