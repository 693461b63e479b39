// SPDX-License-Identifier: Apache-2.0
package io.longhaul.crash;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebReply;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Clients that create, read, answer and cancel at once, and survive the death of their server. */
final class Load {

    private static final List<String> TOOLS = List.of("charge", "survey", "replay", "survey", "charge");

    private final Acknowledged acknowledged;
    /** Creations whose answer was lost with the server: repeated under the same key. */
    private final ConcurrentLinkedQueue<Creation> unanswered = new ConcurrentLinkedQueue<>();

    private final AtomicInteger turn = new AtomicInteger();

    private record Creation(String key, String tool) {}

    Load(Acknowledged acknowledged) {
        this.acknowledged = acknowledged;
    }

    /** Runs all clients against {@code server} until it is dead; {@code enough} counts what it acknowledged. */
    List<Thread> start(StatelessClient<WebReply> server, CountDownLatch enough) {
        List<Thread> clients = new ArrayList<>();
        for (Step step : List.<Step>of(this::create, this::create, this::read, this::answer, this::cancel)) {
            clients.add(Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        step.run(server);
                        enough.countDown();
                    }
                } catch (UncheckedIOException dead) {
                    // The server was killed: the next one goes on.
                }
            }));
        }
        return clients;
    }

    /** One round of a client: at least one request, so that no client misses the death of its server. */
    private interface Step {
        void run(StatelessClient<WebReply> server);
    }

    private void create(StatelessClient<WebReply> server) {
        Creation lost = unanswered.poll();
        Creation creation = lost != null
                ? lost
                : new Creation(UUID.randomUUID().toString(), TOOLS.get(turn.getAndIncrement() % TOOLS.size()));
        JsonNode response;
        try {
            response = server.ask(
                    "tools/call",
                    json(
                            "{'name':'%s','arguments':{'label':'%s'},'_meta':{'io.longhaul/creation-key':'%s'}}",
                            creation.tool(), creation.key(), creation.key()));
        } catch (UncheckedIOException dead) {
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

    private void read(StatelessClient<WebReply> server) {
        Acknowledged.Known known = acknowledged.any();
        if (known == null) {
            create(server);
        } else {
            readOne(server, known);
        }
    }

    /** Reads one task that was acknowledged: it must be there. */
    @Nullable
    JsonNode readOne(StatelessClient<WebReply> server, Acknowledged.Known known) {
        JsonNode response = server.ask("tasks/get", json("{'taskId':'%s'}", known.id));
        JsonNode task = response.path("result");
        if (!task.path("taskId").asString("").equals(known.id)) {
            acknowledged.contradiction("task " + known.id + " was acknowledged and is answered with " + response);
            return null;
        }
        acknowledged.seen(known, task);
        return task;
    }

    private void answer(StatelessClient<WebReply> server) {
        Acknowledged.Known known = acknowledged.any();
        if (known != null && known.tool.equals("survey")) {
            answerOne(server, known);
        } else {
            read(server);
        }
    }

    /** Answers the outstanding question of a task, if it has one; only one client does, so the answer is known. */
    void answerOne(StatelessClient<WebReply> server, Acknowledged.Known known) {
        JsonNode task = readOne(server, known);
        if (task == null || known.answer.get() != null) {
            return;
        }
        for (String key : task.path("inputRequests").propertyNames()) {
            // The same word for the same task: an answer whose acknowledgement was lost is given again.
            String word = "answer-" + known.id;
            JsonNode response = server.ask(
                    "tasks/update",
                    json(
                            "{'taskId':'%s','inputResponses':{'%s':{'action':'accept','content':{'word':'%s'}}}}",
                            known.id, key, word));
            if (response.has("result")) {
                known.answer.set(word);
            }
        }
    }

    private void cancel(StatelessClient<WebReply> server) {
        Acknowledged.Known known = acknowledged.any();
        if (known == null || Math.floorMod(known.id.hashCode(), 4) != 0) {
            read(server);
            return;
        }
        JsonNode response = server.ask("tasks/cancel", json("{'taskId':'%s'}", known.id));
        if (response.has("result")) {
            known.cancelAcknowledged = true;
        }
    }
}
