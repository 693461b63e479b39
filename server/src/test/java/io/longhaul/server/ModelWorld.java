package io.longhaul.server;

import io.longhaul.testkit.FakeTime;
import io.longhaul.testkit.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A server with tasks that do what they are told, and model clients, driven from one seed on fake time. */
final class ModelWorld implements AutoCloseable {

    /** What a task does next. */
    enum Does {
        PROGRESS,
        LOG,
        PARTIAL,
        ASK,
        END
    }

    /** What a call is given. */
    record Named(String name) {}

    private record Command(Does what, int number, CountDownLatch done) {}

    /** A task, and what the model knows of it. */
    static final class Work {
        final String name;
        private final LinkedBlockingQueue<Command> commands = new LinkedBlockingQueue<>();
        String id = "";
        int progress;
        boolean asks;
        boolean over;
        boolean cancelled;

        Work(String name) {
            this.name = name;
        }
    }

    private static final long TIMEOUT_NANOS = 20_000_000_000L;
    private static final int CLIENTS = 3;
    private static final int LIVE = 2;

    final Random random;
    private final FakeTime time = new FakeTime();
    private final Map<String, Work> works = new ConcurrentHashMap<>();
    private final List<ModelClient> clients = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final Served served;
    private int named;
    private int who;

    ModelWorld(int seed) {
        random = new Random(seed);
        served = Served.on(new MemoryTaskStore(), server -> server.time(time).tool(tool()));
        for (int client = 0; client < CLIENTS; client++) {
            clients.add(new ModelClient(this, served.handshake("2025-11-25", Served.ELICITS)));
        }
    }

    private Tool tool() {
        return Tool.define("works").input(Named.class).longRunning().handler((arguments, task) -> {
            var work = works.get(arguments.name());
            while (true) {
                var command = work.commands.take();
                switch (command.what()) {
                    case PROGRESS -> task.progress(command.number(), "step");
                    case LOG -> task.log("info", "line");
                    case PARTIAL -> task.partial("piece");
                    case ASK -> {
                        command.done().countDown();
                        task.elicit("Who?", Tools.Name.class);
                    }
                    case END -> {
                        command.done().countDown();
                        return "done";
                    }
                }
                command.done().countDown();
            }
        });
    }

    Work work() {
        var work = new Work("w" + named++);
        works.put(work.name, work);
        return work;
    }

    /** One step of one client, after which all have read what they were to be told. */
    void step() {
        who = random.nextInt(clients.size());
        var client = clients.get(who);
        var live = client.works().stream().filter(work -> !work.over).toList();
        var work = live.isEmpty() ? null : live.get(random.nextInt(live.size()));
        int chance = random.nextInt(100);
        if (work == null || chance < 5 && live.size() < LIVE) {
            said("creates", client.start());
        } else if (chance < 45) {
            tell(client, work, Does.values()[random.nextInt(10) < 7 ? random.nextInt(3) : random.nextInt(5)]);
        } else if (chance < 55) {
            said("opens", client.openGet());
        } else if (chance < 63) {
            said("breaks", client.breakGet());
        } else if (chance < 73) {
            said("resumes", client.resumeGet());
        } else if (chance < 80) {
            said("waits", client.await(work));
        } else if (chance < 85) {
            said("leaves its wait", client.breakWait());
        } else if (chance < 93) {
            said("answers", client.answer());
        } else if (chance < 95) {
            said("cancels", client.cancel(work));
        } else {
            time.advance(Duration.ofSeconds(2));
            said("time goes by", true);
        }
        // Progress is stored ten times a second at most.
        time.advance(Duration.ofMillis(150));
        clients.forEach(this::settle);
    }

    /** What has happened so far, in words. */
    String trace() {
        return String.join(", ", trace.subList(Math.max(0, trace.size() - 60), trace.size()));
    }

    private void said(String what, boolean done) {
        if (done) {
            trace.add(who + " " + what);
        }
    }

    private void tell(ModelClient client, Work work, Does what) {
        if (work.asks) {
            return;
        }
        var command = new Command(what, work.progress + 1, new CountDownLatch(1));
        work.commands.add(command);
        try {
            command.done().await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        said(work.name + " " + what, true);
        switch (what) {
            case PROGRESS -> {
                work.progress++;
                client.progressed(work);
            }
            case ASK -> {
                work.asks = true;
                client.awaitStatus(work, "input_required");
            }
            case END -> {
                work.over = true;
                client.awaitStatus(work, "completed");
            }
            default -> {
                // The session is told of no more than is looked at in the end.
            }
        }
    }

    private void settle(ModelClient client) {
        await(client::isSettled, client::owed);
    }

    /** Waits until something is so, without time going by in the world. */
    void await(BooleanSupplier condition, Supplier<String> otherwise) {
        long until = System.nanoTime() + TIMEOUT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("not so: " + otherwise.get());
            }
            Thread.onSpinWait();
        }
    }

    int read() {
        return clients.stream().mapToInt(ModelClient::read).sum();
    }

    @Override
    public void close() {
        clients.forEach(ModelClient::close);
        works.values().forEach(work -> work.commands.add(new Command(Does.END, 0, new CountDownLatch(1))));
        served.close();
    }
}
