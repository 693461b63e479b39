// SPDX-License-Identifier: Apache-2.0
package io.longhaul.crash;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** All that a server has acknowledged so far, over all its lives, and every contradiction seen. Thread-safe. */
final class Acknowledged {

    /** One task as its clients know it. */
    static final class Known {
        final String id;
        final String tool;
        final AtomicReference<@Nullable String> answer = new AtomicReference<>();
        final AtomicReference<@Nullable JsonNode> end = new AtomicReference<>();
        volatile boolean cancelAcknowledged;

        Known(String id, String tool) {
            this.id = id;
            this.tool = tool;
        }
    }

    private final Map<String, Known> byKey = new ConcurrentHashMap<>();
    private final List<Known> tasks = new CopyOnWriteArrayList<>();
    private final List<String> contradictions = new CopyOnWriteArrayList<>();
    final AtomicInteger reads = new AtomicInteger();

    /** The creation under {@code key} was answered with {@code taskId}; a repeated one must name the same task. */
    void created(String key, String tool, String taskId) {
        Known known = byKey.computeIfAbsent(key, k -> {
            Known fresh = new Known(taskId, tool);
            tasks.add(fresh);
            return fresh;
        });
        if (!known.id.equals(taskId)) {
            contradictions.add("key " + key + " named task " + known.id + " and then " + taskId);
        }
    }

    /** A read was answered with {@code task}: what a client knows of its end can never change again. */
    void seen(Known known, JsonNode task) {
        reads.incrementAndGet();
        String status = task.path("status").asString();
        if (!List.of("completed", "failed", "cancelled").contains(status)) {
            JsonNode before = known.end.get();
            if (before != null) {
                contradictions.add(known.id + " was " + before.path("status").asString() + " and is " + status);
            }
            return;
        }
        JsonNode before = known.end.compareAndExchange(null, essence(task));
        if (before != null && !before.equals(essence(task))) {
            contradictions.add(known.id + " changed after its end: " + before + " became " + essence(task));
        }
    }

    void contradiction(String text) {
        contradictions.add(text);
    }

    private static JsonNode essence(JsonNode task) {
        return ((tools.jackson.databind.node.ObjectNode) task)
                .deepCopy()
                .retain("taskId", "status", "result", "error", "createdAt", "lastUpdatedAt", "statusMessage");
    }

    List<Known> tasks() {
        return tasks;
    }

    @Nullable
    Known any() {
        return tasks.isEmpty() ? null : tasks.get(ThreadLocalRandom.current().nextInt(tasks.size()));
    }

    List<String> contradictions() {
        return contradictions;
    }
}
