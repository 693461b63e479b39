// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskFilter;
import io.longhaul.engine.task.TaskId;
import io.longhaul.reliability.Verdict.Broken;
import io.longhaul.reliability.Verdict.Counted;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does to a real server and to a real host with clients of every generation what happens to programs: kills them, stops
 * them, fills their disk, fails their syncs, moves their clock. In the end all faults are healed, every call must come
 * to its end, and {@link History} judges. Not thread-safe.
 */
public final class Torture implements AutoCloseable {

    private static final int DISK_MEGABYTES = 256;
    private static final int LONGEST_MOMENT_MILLIS = 400;
    private static final int LONGEST_PAUSE_MILLIS = 2_500;
    private static final Duration HELD = Duration.ofSeconds(1);
    private static final Duration JUMP = Duration.ofHours(2);
    private static final int FEW_DESCRIPTORS = 400;
    private static final long LAST_ANSWERS_SECONDS = 300;
    private static final int PAGE = 500;

    /** The file of the server's store. */
    static final String TASKS = "tasks.db";

    private final Settings settings;
    private final Consumer<String> log;
    private final Random random;
    private final Path notes;
    private final SmallDisk disk;
    private final Optional<Preloaded> preloaded;
    private final int port;
    private final Set<Fault> possible = EnumSet.allOf(Fault.class);
    private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
    private final Thread hook = new Thread(this::release);
    private int unanswered;
    private @Nullable Victim server;
    private @Nullable Victim client;

    /**
     * Begins with a healthy server and a healthy host.
     *
     * @param folder empty, for everything; on another disk than a small one where that matters
     * @param log    takes a line for whoever watches
     * @throws IOException where the victims do not start
     */
    public Torture(Path folder, Settings settings, Consumer<String> log) throws IOException, InterruptedException {
        this.settings = settings;
        this.log = log;
        random = new Random(settings.seed());
        notes = Files.createDirectories(folder.resolve("notes"));
        disk = SmallDisk.at(folder.resolve("data"), DISK_MEGABYTES);
        preloaded = Preloaded.in(Files.createDirectories(folder.resolve("faults")));
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        leaveOut(!disk.canBeFilled(), "this user may not mount a disk of its own", Fault.DISK_FULL);
        leaveOut(
                preloaded.isEmpty(),
                "there is no C compiler (cc), which makes syncs and clocks fail",
                Fault.SYNC_FAILING,
                Fault.CLOCK_JUMP);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            startServer().end();
            server = startServer();
            client = startClient();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void leaveOut(boolean impossible, String why, Fault... faults) {
        if (impossible) {
            for (var fault : faults) {
                possible.remove(fault);
                log.accept("left out: " + fault.label() + ", because " + why);
            }
        }
    }

    /**
     * Runs until time or kills are used up, lets everything come to its end, and judges.
     *
     * @return what was found
     */
    public Verdict run() throws IOException, InterruptedException {
        long until = System.nanoTime() + settings.time().toNanos();
        int kills = 0;
        while (System.nanoTime() - until < 0 && kills < settings.kills()) {
            Thread.sleep(random.nextInt(LONGEST_MOMENT_MILLIS));
            var fault = next();
            strike(fault);
            revive();
            done.merge(fault, 1, Integer::sum);
            kills += fault.kills;
            int faults = done.values().stream().mapToInt(Integer::intValue).sum();
            if (faults % 25 == 0) {
                log.accept(faults + " faults, " + kills + " kills");
            }
        }
        return judge();
    }

    private Fault next() {
        int weights = possible.stream().mapToInt(fault -> fault.weight).sum();
        int drawn = random.nextInt(weights);
        for (var fault : possible) {
            drawn -= fault.weight;
            if (drawn < 0) {
                return fault;
            }
        }
        throw new IllegalStateException("no fault is possible");
    }

    private void strike(Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case SERVER_KILLED -> server().kill();
            case CLIENT_KILLED -> client().kill();
            case BOTH_KILLED -> {
                server().kill();
                client().kill();
            }
            case SERVER_PAUSED -> pause(server());
            case CLIENT_PAUSED -> pause(client());
            case DISK_FULL -> {
                disk.fill();
                Thread.sleep(HELD);
                disk.free();
            }
            case SYNC_FAILING -> {
                preloaded.orElseThrow().failSyncs();
                Thread.sleep(HELD);
                preloaded.orElseThrow().healSyncs();
            }
            case CLOCK_JUMP -> {
                preloaded.orElseThrow().clock(random.nextBoolean() ? JUMP : JUMP.negated());
                Thread.sleep(HELD);
                preloaded.orElseThrow().clock(Duration.ZERO);
            }
            case NO_DESCRIPTORS -> withoutDescriptors();
            case CROWD -> crowd();
        }
    }

    private void pause(Victim victim) throws IOException, InterruptedException {
        victim.pause();
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
        victim.resume();
    }

    /** A server that can open few files, and strangers who take all connections. */
    private void withoutDescriptors() throws IOException, InterruptedException {
        server().kill();
        server = startServer(List.of("/bin/sh", "-c", "ulimit -n " + FEW_DESCRIPTORS + "; exec \"$@\"", "few"));
        try (var strangers = new Crowd(address())) {
            strangers.connect(FEW_DESCRIPTORS);
            Thread.sleep(HELD);
        }
        server().kill();
    }

    private void crowd() throws IOException, InterruptedException {
        try (var crowd = new Crowd(address())) {
            crowd.connect(settings.crowd());
            server().kill();
            server = startServer();
            unanswered += crowd.comeBack(settings.crowd());
        }
    }

    /** Whoever is dead starts again, also by a fault that should not kill. */
    private void revive() throws IOException, InterruptedException {
        if (!server().isAlive()) {
            server().kill();
            server = startServer();
        }
        if (!client().isAlive()) {
            client().kill();
            client = startClient();
        }
    }

    private Verdict judge() throws IOException, InterruptedException {
        Files.createFile(notes.resolve("enough"));
        log.accept("no more faults: all calls come to their end");
        client().awaitEnd(LAST_ANSWERS_SECONDS);
        client().kill();
        server().end();
        Verdict verdict;
        try (var store = SqliteTaskStore.at(disk.folder().resolve(TASKS))) {
            verdict = History.judge(
                    Lines.read(notes.resolve("told")),
                    Lines.read(notes.resolve("ledger")),
                    History.stored(tasks(store), task -> events(store, task)));
        }
        for (int i = 0; i < unanswered; i++) {
            verdict.found(Broken.UNANSWERED, "one of the crowd");
        }
        if (verdict.counted(Counted.SUCCEEDED) == 0) {
            verdict.found(Broken.UNANSWERED, "no call came to its result: client.log and server.log may say why");
        }
        if (!verdict.isClean()) {
            Files.copy(disk.folder().resolve(TASKS), notes.resolve(TASKS));
        }
        done.forEach((fault, times) -> log.accept(String.format("%9d  %s", times, fault.label())));
        return verdict;
    }

    private static List<Task> tasks(SqliteTaskStore store) {
        List<Task> all = new ArrayList<>();
        TaskId next = null;
        do {
            var page = store.list(TaskFilter.ALL, next, PAGE);
            all.addAll(page.tasks());
            next = page.next();
        } while (next != null);
        return all;
    }

    private static List<TaskEvent> events(SqliteTaskStore store, Task task) {
        List<TaskEvent> all = new ArrayList<>();
        var page = store.history(task.id(), 0, PAGE);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = store.history(task.id(), page.getLast().seq(), PAGE);
        }
        return all;
    }

    private URI address() {
        return URI.create(server().greeting());
    }

    private Victim startServer() throws IOException {
        return startServer(List.of());
    }

    private Victim startServer(List<String> prefix) throws IOException {
        var words = new String[] {disk.folder().toString(), notes.toString(), String.valueOf(port)};
        return Victim.start(notes, "server", prefix, preloaded, TortureServer.class, words);
    }

    private Victim startClient() throws IOException {
        return Victim.start(
                notes,
                "client",
                List.of(),
                Optional.empty(),
                TortureClient.class,
                address().toString(),
                notes.toString());
    }

    private Victim server() {
        if (server == null) {
            throw new IllegalStateException("there is no server");
        }
        return server;
    }

    private Victim client() {
        if (client == null) {
            throw new IllegalStateException("there is no client");
        }
        return client;
    }

    /** Ends the victims, and gives the disk back. */
    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(hook);
        release();
    }

    private void release() {
        try {
            for (var victim : new Victim[] {client, server}) {
                if (victim != null) {
                    victim.kill();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        disk.close();
    }
}
