// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static io.longhaul.reliability.Fault.CLOCK_JUMP;
import static io.longhaul.reliability.Fault.DATABASE_RESTARTED;
import static io.longhaul.reliability.Fault.DISK_FULL;
import static io.longhaul.reliability.Fault.NO_DESCRIPTORS;
import static io.longhaul.reliability.Fault.ROLLING_RESTART;
import static io.longhaul.reliability.Fault.SERVER_LOST;
import static io.longhaul.reliability.Fault.SYNC_FAILING;

import com.sun.management.UnixOperatingSystemMXBean;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.reliability.Settings.Nodes;
import io.longhaul.reliability.Verdict.Broken;
import io.longhaul.reliability.Verdict.Counted;
import io.longhaul.store.postgres.PostgresNodes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
 * Injects faults into real servers, and into a real host with clients of every generation: kills and pauses processes,
 * fills their disk, fails their syncs, shifts their clock. At the end, all faults are healed, every call must end, and
 * {@link HistoryCheck} judges. Not thread-safe.
 */
public final class Torture implements AutoCloseable {

    private static final int DISK_MEGABYTES = 256;
    private static final int LONGEST_MOMENT_MILLIS = 400;
    private static final int LONGEST_PAUSE_MILLIS = 2_500;
    /** Longer than the lease of a silent node is valid. */
    private static final Duration GONE = Duration.ofSeconds(16);

    private static final Duration HELD = Duration.ofSeconds(1);

    /** The longest wait until a drained server has given its tasks away. */
    private static final Duration GIVEN_AWAY = Duration.ofMinutes(1);

    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration JUMP = Duration.ofHours(2);
    private static final int FEW_DESCRIPTORS = 400;
    private static final int SPARE_DESCRIPTORS = 1_000;
    private static final int OPEN_CALLS = 3;
    private static final long LAST_ANSWERS_SECONDS = 300;

    private final Settings settings;
    private final Consumer<String> log;
    private final Random random;
    private final Path notes;
    private final String place;
    private final Optional<SmallDisk> disk;
    private final Optional<Preloaded> preloaded;
    /** The store that the nodes share; empty for one server, whose file no other process can open. */
    private final Optional<TaskStore> shared;

    private final TorturedServers servers;
    private final Set<Fault> possible = EnumSet.allOf(Fault.class);
    private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
    private final List<Absence> absences = new ArrayList<>();
    private final Thread hook = new Thread(this::release);
    private int kills;
    private int unanswered;
    /** The server that is spared until another was gone: only a server that has run for a term takes tasks over. */
    private int spared;

    private @Nullable Victim client;

    /**
     * Starts healthy servers and a healthy host.
     *
     * @param folder an empty folder for all files; not on the small disk
     * @param log    takes lines for an observer
     * @throws IOException              where the victims do not start
     * @throws IllegalArgumentException where the database of several servers already has tasks
     */
    public Torture(Path folder, Settings settings, Consumer<String> log) throws IOException, InterruptedException {
        this.settings = settings;
        this.log = log;
        random = new Random(settings.seed());
        notes = Files.createDirectories(folder.resolve("notes"));
        if (settings.nodes().isPresent()) {
            var nodes = settings.nodes().get();
            place = nodes.database();
            shared = Optional.of(empty(place));
            disk = Optional.empty();
            preloaded = Optional.empty();
            leaveOut("the servers keep their tasks in a database", DISK_FULL, SYNC_FAILING, CLOCK_JUMP, NO_DESCRIPTORS);
            if (nodes.restart().isEmpty()) {
                leaveOut("no command says how", DATABASE_RESTARTED);
            }
        } else {
            var data = Files.createDirectories(folder.resolve("data"));
            place = data.resolve("tasks.db").toString();
            shared = Optional.empty();
            disk = SmallDisk.at(data, DISK_MEGABYTES);
            preloaded = Preloaded.in(Files.createDirectories(folder.resolve("faults")));
            leaveOutOfOne();
        }
        servers = new TorturedServers(settings.nodes().map(Nodes::count).orElse(1), notes, place, preloaded);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            servers.start();
            client = startClient();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static TaskStore empty(String database) {
        var store = Stored.open(database);
        if (store.list(TaskFilter.ALL, null, 1).tasks().isEmpty()) {
            return store;
        }
        store.close();
        throw new IllegalArgumentException("the database has tasks, which are not to be tortured: name an empty one, "
                + "or another schema by currentSchema in its address");
    }

    private void leaveOutOfOne() {
        possible.removeAll(Set.of(SERVER_LOST, ROLLING_RESTART, DATABASE_RESTARTED));
        if (disk.isEmpty()) {
            leaveOut("this user may not mount a disk of its own", DISK_FULL);
        }
        if (preloaded.isEmpty()) {
            leaveOut("there is no C compiler (cc), which makes syncs and clocks fail", SYNC_FAILING, CLOCK_JUMP);
        }
    }

    private void leaveOut(String why, Fault... faults) {
        for (var fault : faults) {
            possible.remove(fault);
            log.accept("left out: " + fault.label() + ", because " + why);
        }
    }

    /**
     * Runs until time, kills or calls are used up, lets all calls end, and judges.
     *
     * @return the verdict
     */
    public Verdict run() throws IOException, InterruptedException {
        long began = System.nanoTime();
        for (double passed = 0; passed < 1; passed = passed(began)) {
            Thread.sleep(random.nextInt(LONGEST_MOMENT_MILLIS));
            boolean isMiddle = passed >= 0.5 && possible.remove(DATABASE_RESTARTED);
            strike(isMiddle ? DATABASE_RESTARTED : next());
            int faults = done.values().stream().mapToInt(Integer::intValue).sum();
            if (faults % 25 == 0) {
                log.accept(faults + " faults, " + kills + " kills");
            }
        }
        var struck = Duration.ofNanos(System.nanoTime() - began);
        var verdict = judge();
        verdict.struck(kills, struck);
        return verdict;
    }

    /** The share of the time, of the kills or of the calls that is used up. */
    private double passed(long began) throws IOException {
        double time = (double) (System.nanoTime() - began) / settings.time().toNanos();
        double calls = (double) Lines.count(notes.resolve("told"), "called ")
                / settings.load().calls();
        return Math.max(Math.max(time, calls), (double) kills / settings.kills());
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

    /** Injects one of the faults, and heals it. */
    void strike(Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case SERVER_KILLED -> servers.get(drawn()).kill();
            case CLIENT_KILLED -> client().kill();
            case BOTH_KILLED -> {
                servers.get(drawn()).kill();
                client().kill();
            }
            case SERVER_PAUSED -> pauseServer();
            case SERVER_LOST -> {
                int server = drawn();
                servers.get(server).kill();
                awaitTakeover(server, false);
            }
            case ROLLING_RESTART -> restartInTurn();
            case CLIENT_PAUSED -> pause(client());
            case DISK_FULL -> {
                disk.orElseThrow().fill();
                Thread.sleep(HELD);
                disk.orElseThrow().free();
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
            case DATABASE_RESTARTED -> {
                settings.nodes().flatMap(Nodes::restart).orElseThrow().run();
                awaitDatabase();
            }
        }
        revive();
        done.merge(fault, 1, Integer::sum);
        kills += fault.kills;
    }

    /** Waits for the database, because the restart may return before the database takes connections again. */
    private void awaitDatabase() throws InterruptedException {
        while (true) {
            try {
                shared.orElseThrow().list(TaskFilter.ALL, null, 1);
                return;
            } catch (StoreException e) {
                Thread.sleep(HELD);
            }
        }
    }

    /** The server for the next fault. */
    private int drawn() {
        int one = random.nextInt(servers.size());
        return servers.size() > 1 && one == spared ? (one + 1) % servers.size() : one;
    }

    private void pauseServer() throws IOException, InterruptedException {
        int server = drawn();
        if (shared.isEmpty()) {
            pause(servers.get(server));
        } else {
            servers.get(server).pause();
            awaitTakeover(server, true);
            servers.get(server).resume();
        }
    }

    /** Waits for the takeover, and for a term of the others, so that each of them can be spared next. */
    private void awaitTakeover(int server, boolean resumes) throws InterruptedException {
        long since = System.nanoTime();
        absences.add(Absence.watch(shared.orElseThrow(), servers.name(server), resumes));
        Thread.sleep(Math.max(0, GONE.minusNanos(System.nanoTime() - since).toMillis()));
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
        spared = (server + 1 + random.nextInt(servers.size() - 1)) % servers.size();
    }

    /** Restarts each server as its operator would: drained, so that nothing runs at a server that is ended. */
    private void restartInTurn() throws IOException, InterruptedException {
        try (var nodes = PostgresNodes.at(place, null, System.getenv(Stored.PASSWORD))) {
            for (int server = 0; server < servers.size(); server++) {
                var name = servers.name(server);
                nodes.drain(name, true);
                var patience = Instant.now().plus(GIVEN_AWAY);
                while (Instant.now().isBefore(patience)
                        && nodes.list().stream().anyMatch(node -> node.name().equals(name) && hasTasks(node))) {
                    Thread.sleep(LOOK);
                }
                servers.get(server).end();
                servers.start(server);
            }
        }
    }

    private static boolean hasTasks(PostgresNodes.Node node) {
        return node.begun() + node.waiting() > 0;
    }

    private void pause(Victim victim) throws IOException, InterruptedException {
        victim.pause();
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
        victim.resume();
    }

    /** Restarts the server with few file descriptors, and has strangers take all connections. */
    private void withoutDescriptors() throws IOException, InterruptedException {
        servers.get(0).kill();
        servers.start(0, List.of("/bin/sh", "-c", "ulimit -n " + FEW_DESCRIPTORS + "; exec \"$@\"", "few"));
        try (var strangers = new Crowd(servers.address())) {
            strangers.connect(FEW_DESCRIPTORS);
            Thread.sleep(HELD);
        }
        servers.get(0).kill();
    }

    private void crowd() throws IOException, InterruptedException {
        int server = drawn();
        int size = Math.min(settings.load().crowd(), mostInCrowd());
        if (size < settings.load().crowd()) {
            log.accept("a crowd of " + size + ", because this process may not open more files: raise ulimit -n");
        }
        try (var crowd = new Crowd(servers.address())) {
            crowd.connect(size);
            servers.get(server).kill();
            servers.start(server);
            unanswered += crowd.comeBack(size);
        }
    }

    /** How many connections this process can open, with those of its balancer: each passes one on to a server. */
    private int mostInCrowd() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        if (!(system instanceof UnixOperatingSystemMXBean unix)) {
            return settings.load().crowd();
        }
        long free = unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount() - SPARE_DESCRIPTORS;
        return (int) Math.max(1, free / (servers.size() > 1 ? 3 : 1));
    }

    /** Restarts all dead processes, even those that a fault should not have killed. */
    private void revive() throws IOException, InterruptedException {
        servers.revive();
        if (!client().isAlive()) {
            client().kill();
            client = startClient();
        }
    }

    /** Lets all calls end, and judges. */
    Verdict judge() throws IOException, InterruptedException {
        Files.createFile(notes.resolve("enough"));
        log.accept("no more faults: all calls come to their end");
        if (shared.isEmpty()) {
            // The last fault may have been a failed sync, after which a server stores nothing until it starts again.
            servers.get(0).kill();
            servers.revive();
        }
        client().awaitEnd(LAST_ANSWERS_SECONDS);
        client().kill();
        servers.end();
        Verdict verdict;
        try (var store = shared.orElseGet(() -> Stored.open(place))) {
            verdict = HistoryCheck.judge(
                    Lines.read(notes.resolve("told")), Lines.read(notes.resolve("ledger")), Stored.in(store), absences);
        }
        for (int i = 0; i < unanswered; i++) {
            verdict.found(Broken.UNANSWERED, "one of the crowd");
        }
        if (verdict.counted(Counted.SUCCEEDED) == 0) {
            verdict.found(Broken.UNANSWERED, "no call came to its result: the logs of the victims may say why");
        }
        if (!verdict.isClean() && shared.isEmpty()) {
            Files.copy(Path.of(place), notes.resolve("tasks.db"));
        }
        done.forEach((fault, times) -> log.accept(String.format("%9d  %s", times, fault.label())));
        return verdict;
    }

    private Victim startClient() throws IOException {
        return Victim.start(
                notes,
                "client",
                List.of(),
                Optional.empty(),
                TortureClient.class,
                servers.address().toString(),
                notes.toString(),
                String.valueOf(OPEN_CALLS * servers.size()),
                settings.load().pause().toString());
    }

    private Victim client() {
        if (client == null) {
            throw new IllegalStateException("there is no client");
        }
        return client;
    }

    /** Ends the victims, and unmounts the disk. */
    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(hook);
        release();
    }

    private void release() {
        try {
            if (client != null) {
                client.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        servers.close();
        shared.ifPresent(TaskStore::close);
        disk.ifPresent(SmallDisk::close);
    }
}
