// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Owner;
import io.longhaul.receiver.Rounds;
import io.longhaul.receiver.simulation.ModelWork.Does;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.testkit.SeededScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A server with tasks that do what they are told, and model clients, driven from one seed on fake time. */
final class ModelWorld {

    private static final List<ModelWay> WAYS = driven(ModelWay.values());
    private static final List<ModelCaller.Way> CALLS = driven(ModelCaller.Way.values());
    private static final int CLIENTS = 3;
    private static final int ACTIONS = 3;
    private static final int SLICES = 40;
    private static final int FLOODS = 60;
    private static final Duration KEY_ROTATION = Duration.ofMinutes(1);
    private static final Duration SUSPEND_AFTER = Duration.ofMillis(300);

    /** How many handlers can wait for their answers. */
    private static final int MANY = 1_000;

    private static final int FEW = 1;

    /** After so long all nodes know what one of them did. */
    private static final Duration HEARD = Duration.ofMillis(2_100);

    /** How many nodes there are; 0 for what the seed draws. */
    private static final int NODES = Integer.getInteger("simulation.nodes", 0);

    private static final int TRACE = Integer.getInteger("simulation.trace", 80);

    final Random random;
    private final SeededScheduler scheduler;
    private final Map<String, ModelWork> works = new HashMap<>();
    private final Map<String, ModelTalk> talks = new HashMap<>();
    private final Map<String, ModelRuns> hosted = new HashMap<>();
    private final List<ModelClient> clients = new ArrayList<>();
    private final Deque<String> trace = new ArrayDeque<>();
    private final boolean crashes;
    private final boolean handlersWait;
    private final boolean suspends;
    private final ModelNodes nodes;
    private int steps;
    private int digest;

    ModelWorld(int seed) {
        random = new Random(seed);
        scheduler = new SeededScheduler(random);
        crashes = random.nextInt(3) > 0;
        handlersWait = random.nextInt(3) > 0;
        suspends = random.nextInt(3) == 0;
        int count = NODES > 0 ? NODES : Math.max(1, random.nextInt(6) - 2);
        nodes = new ModelNodes(scheduler, random, count, this::offer);
        for (int client = 0; client < CLIENTS && !WAYS.isEmpty(); client++) {
            clients.add(new ModelSession(this, client, WAYS.get(random.nextInt(WAYS.size()))));
        }
        if (!CALLS.isEmpty()) {
            clients.add(new ModelCaller(this, CALLS.get(random.nextInt(CALLS.size()))));
        }
        if (isDriven("TALKS")) {
            clients.add(new ModelTalker(this));
        }
        clients.add(new ModelSubscriber(this));
        if (isDriven("HOSTS")) {
            clients.add(new ModelHost(this));
        }
    }

    /** The ways that are driven: all of them, unless some are named. */
    private static <W extends Enum<W>> List<W> driven(W[] ways) {
        return Arrays.stream(ways).filter(way -> isDriven(way.name())).toList();
    }

    private static boolean isDriven(String way) {
        var named = System.getProperty("simulation.ways");
        return named == null || List.of(named.split(",")).contains(way);
    }

    private McpServerBuilder offer(McpServerBuilder server) {
        tools().forEach(server::tool);
        return server.rounds(new Rounds(KEY_ROTATION, handlersWait ? MANY : FEW));
    }

    private List<Tool> tools() {
        return List.of(
                tool("works", CrashPolicy.RESTART),
                tool("works_once", CrashPolicy.FAIL),
                Tool.define("hosted")
                        .input(ModelWork.Named.class)
                        .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                        .handler((arguments, task) ->
                                hosted.get(arguments.name()).run(task)),
                Tool.define("talks")
                        .input(ModelWork.Named.class)
                        .handler(
                                (arguments, call) -> talks.get(arguments.name()).run(call)));
    }

    private Tool tool(String name, CrashPolicy policy) {
        return Tool.define(name)
                .input(ModelWork.Named.class)
                .longRunning(options -> {
                    options.onCrash(policy);
                    if (suspends && policy == CrashPolicy.RESTART) {
                        options.suspendAfter(SUSPEND_AFTER);
                    }
                })
                .handler((arguments, task) -> works.get(arguments.name()).run(task));
    }

    /** The server is killed wherever its threads are, and starts again some time later. */
    private void crash() {
        log("the server is killed");
        clients.forEach(ModelClient::lost);
        works.values().forEach(work -> work.crashes++);
        var store = nodes.crash(Duration.ofMillis(1 + random.nextInt(1_500)));
        var stored =
                store
                        .list(TaskFilter.of(new Owner(ModelTransport.ALICE.name())), null, Integer.MAX_VALUE)
                        .tasks()
                        .stream()
                        .collect(Collectors.toMap(
                                task -> Served.json(task.spec().request().text())
                                        .path("name")
                                        .asString(),
                                Function.identity(),
                                (one, equal) -> equal));
        clients.forEach(client -> client.recover(work -> stored.get(work.name)));
    }

    ModelServer server() {
        return nodes.current();
    }

    /** Several nodes share the store: what one of them does the others learn of some time later. */
    boolean hasNodes() {
        return nodes.areSeveral();
    }

    /** Lets time go by. */
    void advance(Duration duration) {
        nodes.advance(duration);
    }

    /** Lets all threads run until none can go on. */
    void rest() {
        scheduler.run();
    }

    /** Lets threads run for a moment. */
    void rest(int slices) {
        scheduler.run(slices);
    }

    /** The number of the process that serves now. */
    int processes() {
        return nodes.current().number;
    }

    /** Whether there is room for all handlers that wait for answers. */
    boolean handlersWait() {
        return handlersWait;
    }

    /** Has the tool that asks in rounds know a talk. */
    void talk(ModelTalk talk) {
        talks.put(talk.work.name, talk);
    }

    /** Has the tool of hosts without tasks know what they call. */
    void hosted(ModelRuns runs) {
        hosted.put(runs.name, runs);
    }

    /** Some actions, between which threads run for a moment, after which all have read what they were to be told. */
    void step() {
        steps++;
        clients.forEach(ModelClient::next);
        // Progress is stored ten times a second at most.
        advance(Duration.ofMillis(random.nextInt(8) == 0 ? 2_150 : 150));
        for (int action = random.nextInt(ACTIONS); action >= 0; action--) {
            act();
            scheduler.run(random.nextInt(SLICES));
        }
        settle();
        if (hasNodes()) {
            advance(HEARD);
            settle();
        }
        clients.forEach(ModelClient::check);
        works.values().stream().filter(ModelWork::ranTooOften).findAny().ifPresent(work -> {
            throw new AssertionError(work.name + " was run " + work.runs + " times");
        });
    }

    /** Lets all threads run until all clients have read what is there. */
    void settle() {
        do {
            rest();
        } while (clients.stream().filter(ModelClient::take).count() > 0);
    }

    private void act() {
        nodes.draw();
        if (crashes && random.nextInt(120) == 0) {
            crash();
        } else {
            clients.get(random.nextInt(clients.size())).act();
        }
    }

    /** Work that a client has not created yet. */
    ModelWork work() {
        var work = new ModelWork("w" + works.size(), random.nextInt(3) > 0);
        works.put(work.name, work);
        return work;
    }

    /** Has a task do something; false where it cannot now. */
    boolean tell(ModelWork work) {
        var does = Does.values();
        var what = random.nextInt(FLOODS) == 0
                ? Does.FLOOD
                : does[random.nextInt(random.nextInt(10) < 7 ? 3 : Does.FLOOD.ordinal())];
        boolean done = work.tell(what, nodes.now());
        if (done) {
            log(work.name + " " + what);
        }
        return done;
    }

    /** Keeps what happens for the reader of a failure. */
    void log(String what) {
        digest = digest * 31 + what.hashCode();
        trace.add(steps + " " + what);
        if (trace.size() > TRACE) {
            trace.removeFirst();
        }
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
