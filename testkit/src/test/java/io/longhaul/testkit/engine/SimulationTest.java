package io.longhaul.testkit.engine;

import static io.longhaul.testkit.engine.Site.ANN;
import static io.longhaul.testkit.engine.Site.creation;
import static io.longhaul.testkit.engine.Site.result;
import static io.longhaul.testkit.engine.Site.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.testkit.FakeTime;
import io.longhaul.testkit.FaultyTaskStore;
import io.longhaul.testkit.FaultyTaskStore.Fault;
import io.longhaul.testkit.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Creates, answers, cancels, completes and crashes in an order drawn from a seed, over a store that fails now and
 * then, and holds the engine to what it has promised. Threads still interleave as they like: a seed narrows a failure
 * down, and {@code -Dlonghaul.seed=N} runs that one alone.
 */
class SimulationTest {
    private static final int STEPS = 120;
    private static final double FAULTS = 0.03;
    private static final List<String> WORKS = List.of("fail", "restart", "reattach");

    private record Known(TaskId id, CreationKey key) {}

    private final FakeTime time = new FakeTime();
    private final List<Known> created = new ArrayList<>();
    private final Map<TaskId, Map<String, Payload>> answered = new HashMap<>();
    private final Map<TaskId, Outcome> ended = new HashMap<>();
    private final List<TaskId> deleted = new ArrayList<>();
    private final Map<TaskId, Retention> retained = new HashMap<>();
    private final Map<TaskId, AtomicInteger> runsOfFail = new ConcurrentHashMap<>();
    private final Map<TaskId, CountDownLatch> gates = new ConcurrentHashMap<>();
    private volatile boolean faulty = true;
    private MemoryTaskStore store = new MemoryTaskStore();
    private TaskEngine engine;
    private Random random;
    private Random faults;

    static List<Long> seeds() {
        var wanted = Long.getLong("longhaul.seed");
        if (wanted != null) {
            return List.of(wanted);
        }
        var seeds = new ArrayList<Long>();
        for (long seed = 1; seed <= 40; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothing_that_was_promised_is_lost_or_changed(long seed) throws Exception {
        try {
            random = new Random(seed);
            faults = new Random(~seed);
            engine = start();
            for (int step = 0; step < STEPS; step++) {
                step();
                check();
            }
            faulty = false;
            crash();
            check();
            finishEverything();
            check();
        } catch (Throwable e) {
            throw new AssertionError("with -Dlonghaul.seed=" + seed, e);
        }
    }

    @AfterEach
    void close() {
        gates.values().forEach(CountDownLatch::countDown);
        engine.close();
    }

    private TaskEngine start() {
        return DurableEngine.builder()
                .store(new FaultyTaskStore(store, change -> fault()))
                .time(time)
                .limits(TaskLimits.builder()
                        .handBackGrace(Duration.ofMillis(100))
                        .livePerOwner(1_000)
                        .running(8)
                        .crashAttempts(1_000)
                        .build())
                .works(List.of(
                        new Work("fail", this::work, CrashPolicy.FAIL, null, 4),
                        new Work("restart", this::work, CrashPolicy.RESTART, null, 4),
                        new Work("reattach", this::work, CrashPolicy.REATTACH, null, 4)))
                .start();
    }

    private synchronized Fault fault() {
        if (!faulty || faults.nextDouble() >= FAULTS) {
            return Fault.NONE;
        }
        return faults.nextBoolean() ? Fault.FAIL_BEFORE : Fault.FAIL_AFTER;
    }

    /** Two steps, two questions, and an end that the simulation allows. */
    private Outcome work(Run run) throws Exception {
        if (run.spec().work().equals("fail")) {
            runsOfFail.computeIfAbsent(run.id(), id -> new AtomicInteger()).incrementAndGet();
        }
        run.step("load", () -> text("rows"));
        var first = run.ask(null, "ask", text("first"), Duration.ofDays(300));
        var second = run.ask(null, "ask", text("second"), Duration.ofDays(300));
        gate(run.id()).await();
        return result(first.text() + second.text());
    }

    private CountDownLatch gate(TaskId id) {
        return gates.computeIfAbsent(id, key -> new CountDownLatch(1));
    }

    private void step() {
        int choice = random.nextInt(100);
        try {
            if (created.isEmpty() || choice < 25) {
                create();
            } else if (choice < 60) {
                answer(anyTask());
            } else if (choice < 65) {
                retain(anyTask());
            } else if (choice < 72) {
                cancel(anyTask());
            } else if (choice < 77) {
                delete(anyTask());
            } else if (choice < 88) {
                gate(anyTask()).countDown();
            } else if (choice < 94) {
                time.advance(Duration.ofSeconds(random.nextInt(40)));
            } else if (choice < 96) {
                engine.close();
                crash();
            } else {
                crash();
            }
        } catch (StoreException e) {
            assertThat(faulty).isTrue();
        }
    }

    private TaskId anyTask() {
        return created.get(random.nextInt(created.size())).id();
    }

    private void create() {
        var key = new CreationKey("key " + random.nextLong(), "digest");
        var work = WORKS.get(random.nextInt(WORKS.size()));
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                var answer = engine.create(creation(work, key, null));
                var task = answer instanceof Created.New fresh ? fresh.task() : ((Created.Same) answer).task();
                created.add(new Known(task.id(), key));
                return;
            } catch (StoreException e) {
                // Not acknowledged: a client asks again with the same key.
            }
        }
    }

    private void answer(TaskId id) {
        var task = engine.find(ANN, id).orElseThrow();
        for (InputRequest question : task.outstanding()) {
            var given = text("answer " + random.nextInt());
            var done = (TaskEngine.Answered.Done) engine.answer(ANN, id, Map.of(question.key(), given));
            done.task().status().inputs().stream()
                    .filter(input -> input.key().equals(question.key()) && given.equals(input.answer()))
                    .forEach(input ->
                            answered.computeIfAbsent(id, key -> new HashMap<>()).put(input.key(), given));
        }
    }

    private void cancel(TaskId id) {
        if (engine.cancel(ANN, id, "no more") instanceof TaskEngine.Cancelled.Done done) {
            ended.put(id, Site.outcome(done.task()));
        }
    }

    private void retain(TaskId id) {
        var days = Duration.ofDays(random.nextInt(300));
        var wanted = random.nextBoolean() ? Retention.fromLeaving(days) : Retention.fromCompletion(days);
        // Not acknowledged: nobody knows which of the two it is.
        retained.remove(id);
        if (engine.retain(ANN, id, wanted) instanceof TaskEngine.Retained.Done) {
            retained.put(id, wanted);
        }
    }

    private void delete(TaskId id) {
        if (engine.delete(ANN, id) instanceof TaskEngine.Deleted.Done) {
            created.removeIf(known -> known.id().equals(id));
            deleted.add(id);
        }
    }

    /** The old engine is left to itself, its store shut under it, as after a kill. */
    private void crash() {
        store = store.reopen();
        engine = start();
    }

    private void finishEverything() throws InterruptedException {
        // All of them first: a task that is held at its gate keeps its slot, which another may be waiting for.
        created.forEach(known -> gate(known.id()).countDown());
        for (Known known : created) {
            var task = engine.find(ANN, known.id()).orElseThrow();
            while (task.ending() == null || !task.ending().workEnded()) {
                if (!task.outstanding().isEmpty()) {
                    answer(known.id());
                }
                task = engine.awaitChange(ANN, known.id(), task.stamp().version(), Site.NEVER)
                        .orElseThrow();
            }
        }
    }

    private void check() {
        for (Known known : created) {
            Task task = store.find(known.id()).orElseThrow(() -> new AssertionError("lost " + known));
            assertThat(task.spec().creationKey()).isEqualTo(known.key());
            var wanted = retained.getOrDefault(known.id(), task.status().retention());
            assertThat(task.status().retention()).isEqualTo(wanted);
            checkAnswers(task);
            checkEnd(task);
            checkHistory(task);
        }
        assertThat(deleted).allSatisfy(id -> {
            assertThat(store.find(id)).isEmpty();
            assertThat(store.history(id, 0, 1)).isEmpty();
        });
        runsOfFail.forEach((id, runs) -> assertThat(runs.get())
                .as("runs of %s, which must not run twice", id)
                .isLessThanOrEqualTo(1));
    }

    private void checkAnswers(Task task) {
        var inputs = new HashMap<String, InputRequest>();
        for (InputRequest input : task.status().inputs()) {
            assertThat(inputs.put(input.key(), input)).as("key used twice").isNull();
        }
        answered.getOrDefault(task.id(), Map.of())
                .forEach((key, given) -> assertThat(inputs.get(key).answer()).isEqualTo(given));
    }

    private void checkEnd(Task task) {
        var known = ended.get(task.id());
        if (known != null) {
            assertThat(Site.outcome(task)).as("a final state has changed").isEqualTo(known);
        } else if (task.ending() != null) {
            ended.put(task.id(), Site.outcome(task));
        }
    }

    private void checkHistory(Task task) {
        var events = store.history(task.id(), 0, 10_000);
        for (int i = 0; i < events.size(); i++) {
            assertThat(events.get(i).seq()).isEqualTo(i + 1);
        }
        assertThat(events.stream()
                        .map(TaskEvent::what)
                        .filter(Happening.Ended.class::isInstance)
                        .count())
                .as("ends once")
                .isLessThanOrEqualTo(1);
    }
}
