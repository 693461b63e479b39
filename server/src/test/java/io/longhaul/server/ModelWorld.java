package io.longhaul.server;

import io.longhaul.server.ModelWork.Does;
import io.longhaul.testkit.FakeTime;
import io.longhaul.testkit.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A server with tasks that do what they are told, and model clients, driven from one seed on fake time. */
final class ModelWorld {

    private static final int CLIENTS = 3;
    private static final int LIVE = 2;
    private static final int ACTIONS = 3;
    private static final int SLICES = 40;
    private static final int TRACE = Integer.getInteger("delivery.trace", 80);

    final Random random;
    private final SeededScheduler scheduler;
    private final Map<String, ModelWork> works = new HashMap<>();
    private final List<ModelClient> clients = new ArrayList<>();
    private final Deque<String> trace = new ArrayDeque<>();
    private final ModelServer server;
    private int steps;
    private int digest;

    ModelWorld(int seed) {
        random = new Random(seed);
        scheduler = new SeededScheduler(random);
        server = new ModelServer(scheduler, random, new MemoryTaskStore(), FakeTime.START, tool());
        for (int client = 0; client < CLIENTS; client++) {
            clients.add(new ModelClient(this, client, ModelWay.values()[random.nextInt(ModelWay.values().length)]));
        }
    }

    private Tool tool() {
        return Tool.define("works")
                .input(ModelWork.Named.class)
                .longRunning()
                .handler((arguments, task) -> works.get(arguments.name()).run(task));
    }

    ModelServer server() {
        return server;
    }

    /** Lets all threads run until none can go on. */
    void rest() {
        scheduler.run();
    }

    /** Some actions, between which threads run for a moment, after which all have read what they were to be told. */
    void step() {
        steps++;
        clients.forEach(ModelClient::next);
        // Progress is stored ten times a second at most.
        server.advance(Duration.ofMillis(random.nextInt(8) == 0 ? 2_150 : 150));
        for (int action = random.nextInt(ACTIONS); action >= 0; action--) {
            act(random.nextInt(clients.size()));
            scheduler.run(random.nextInt(SLICES));
        }
        do {
            rest();
        } while (clients.stream().filter(ModelClient::take).count() > 0);
        clients.forEach(ModelClient::check);
    }

    private void act(int who) {
        var client = clients.get(who);
        var live = client.live();
        int chance = random.nextInt(100);
        if (live.isEmpty() || chance < 5 && live.size() < LIVE) {
            var work = new ModelWork("w" + works.size());
            works.put(work.name, work);
            said(who + " creates " + work.name, client.create(work));
            return;
        }
        var work = live.get(random.nextInt(live.size()));
        if (chance < 40) {
            tell(work);
        } else if (chance < 50) {
            said(who + " opens", client.get());
        } else if (chance < 59) {
            said(who + " leaves", client.leave());
        } else if (chance < 70) {
            said(who + " resumes", client.resume());
        } else if (chance < 78) {
            said(who + " waits for " + work.name, client.await(work));
        } else if (chance < 88) {
            said(who + " answers", client.answer());
        } else if (chance < 90) {
            said(who + " cancels " + work.name, client.cancel(work));
        } else if (chance < 92) {
            said(who + " stalls", client.stall());
        } else {
            said(who + " goes on", client.goOn());
        }
    }

    private void tell(ModelWork work) {
        var does = Does.values();
        var what = does[random.nextInt(10) < 7 ? random.nextInt(3) : random.nextInt(does.length)];
        said(work.name + " " + what, work.tell(what, server.now()));
    }

    private void said(String what, boolean done) {
        if (done) {
            log(what);
        }
    }

    /** Keeps what happens for the reader of a failure. */
    void log(String what) {
        digest = digest * 31 + what.hashCode();
        trace.add(steps + " " + what);
        if (trace.size() > TRACE) {
            trace.removeFirst();
        }
    }

    /** A client was sent an event. */
    void saw(int client, ModelStream stream, ModelWire.Event event) {
        log("  " + client + " " + stream.kind + (stream.broken ? " (lost) " : " ") + event.id() + " " + event.data());
    }

    /** What has happened so far, in words. */
    String trace() {
        return String.join("\n", trace);
    }

    /** A number that differs where anything differs that any client did or read. */
    int digest() {
        return digest;
    }

    int read() {
        return clients.stream().mapToInt(ModelClient::read).sum();
    }
}
