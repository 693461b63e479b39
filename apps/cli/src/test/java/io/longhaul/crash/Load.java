// SPDX-License-Identifier: Apache-2.0
package io.longhaul.crash;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Clients that create, read, answer and cancel at once, and survive the death of their server. */
final class Load {

    private static final List<String> TOOLS = List.of("charge", "survey", "replay", "survey", "charge");

    private final WireClient wire = new WireClient();
    private final Acknowledged acknowledged;
    /** Creations whose answer was lost with the server: repeated under the same key. */
    private final ConcurrentLinkedQueue<Creation> unanswered = new ConcurrentLinkedQueue<>();

    private final AtomicInteger turn = new AtomicInteger();

    private record Creation(String key, String tool) {}

    Load(Acknowledged acknowledged) {
        this.acknowledged = acknowledged;
    }

    /** Runs all clients against {@code server} until it is dead; {@code enough} counts what it acknowledged. */
    List<Thread> start(URI server, CountDownLatch enough) {
        List<Thread> clients = new ArrayList<>();
        for (Step step : List.<Step>of(this::create, this::create, this::read, this::answer, this::cancel)) {
            clients.add(Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        step.run(server);
                        enough.countDown();
                    }
                } catch (IOException dead) {
                    // The server was killed: the next one goes on.
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        return clients;
    }

    /** One round of a client: at least one request, so that no client misses the death of its server. */
    private interface Step {
        void run(URI server) throws IOException, InterruptedException;
    }

    private void create(URI server) throws IOException, InterruptedException {
        Creation lost = unanswered.poll();
        Creation creation = lost != null
                ? lost
                : new Creation(UUID.randomUUID().toString(), TOOLS.get(turn.getAndIncrement() % TOOLS.size()));
        JsonNode response;
        try {
            ObjectNode arguments = wire.object().put("label", creation.key());
            response = wire.callTool(server, creation.tool(), arguments, creation.key());
        } catch (IOException dead) {
            unanswered.add(creation);
            throw dead;
        }
        JsonNode id = response.path("result").path("taskId");
        if (id.isString()) {
            acknowledged.created(creation.key(), creation.tool(), id.asString());
        } else {
            acknowledged.contradiction("a creation was answered with " + response);
        }
    }

    private void read(URI server) throws IOException, InterruptedException {
        Acknowledged.Known known = acknowledged.any();
        if (known == null) {
            create(server);
        } else {
            readOne(server, known);
        }
    }

    /** Reads one task that was acknowledged: it must be there. */
    @Nullable
    JsonNode readOne(URI server, Acknowledged.Known known) throws IOException, InterruptedException {
        JsonNode response = wire.task(server, "tasks/get", known.id, Map.of());
        JsonNode task = response.path("result");
        if (!task.path("taskId").asString("").equals(known.id)) {
            acknowledged.contradiction("task " + known.id + " was acknowledged and is answered with " + response);
            return null;
        }
        acknowledged.seen(known, task);
        return task;
    }

    private void answer(URI server) throws IOException, InterruptedException {
        Acknowledged.Known known = acknowledged.any();
        if (known != null && known.tool.equals("survey")) {
            answerOne(server, known);
        } else {
            read(server);
        }
    }

    /** Answers the outstanding question of a task, if it has one; only one client does, so the answer is known. */
    void answerOne(URI server, Acknowledged.Known known) throws IOException, InterruptedException {
        JsonNode task = readOne(server, known);
        if (task == null || known.answer.get() != null) {
            return;
        }
        for (String key : task.path("inputRequests").propertyNames()) {
            // The same word for the same task: an answer whose acknowledgement was lost is given again.
            String word = "answer-" + known.id;
            ObjectNode responses = wire.object();
            responses
                    .putObject(key)
                    .put("action", "accept")
                    .putObject("content")
                    .put("word", word);
            JsonNode response = wire.task(server, "tasks/update", known.id, Map.of("inputResponses", responses));
            if (response.has("result")) {
                known.answer.set(word);
            }
        }
    }

    private void cancel(URI server) throws IOException, InterruptedException {
        Acknowledged.Known known = acknowledged.any();
        if (known == null || Math.floorMod(known.id.hashCode(), 4) != 0) {
            read(server);
            return;
        }
        JsonNode response = wire.task(server, "tasks/cancel", known.id, Map.of());
        if (response.has("result")) {
            known.cancelAcknowledged = true;
        }
    }
}
