// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import static io.longhaul.engine.TestEngine.STEP;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of a tool and of an owner hold over all nodes of one store, within bounds that docs/DATABASE.md has. */
@Timeout(60)
class LimitsOfNodesTest {

    private static final Duration TERM = Duration.ofSeconds(15);

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = MemoryTaskStore.shared(time);
    private final List<TaskEngine> all = new ArrayList<>();
    /** The runs, in the order in which they began, each with what it waits for. */
    private final BlockingQueue<Begun> begun = new LinkedBlockingQueue<>();

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();

    private record Begun(String node, Run run, CountDownLatch end) {}

    private final class Node {
        final String name;
        final FaultyTaskStore link;
        final TaskEngine engine;

        Node(String name, TaskLimits limits, int concurrency) {
            this(name, limits, concurrency, work -> true);
        }

        Node(String name, TaskLimits limits, int concurrency, Predicate<String> runs) {
            this.name = name;
            link = new FaultyTaskStore(new CountedStore(), 0);
            engine = DurableEngine.builder()
                    .store(link)
                    .time(time)
                    .limits(limits)
                    .node(name)
                    .runs(runs)
                    .work(new Work("work", this::run, CrashPolicy.RESTART, null, concurrency))
                    .start();
            all.add(engine);
        }

        private Outcome run(Run run) throws InterruptedException {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            var end = new CountDownLatch(1);
            begun.add(new Begun(name, run, end));
            try {
                end.await();
            } finally {
                running.decrementAndGet();
            }
            return result("done by " + name);
        }

        Created create() {
            return engine.create(creation("work"));
        }

        /** Creates tasks until one is refused, and says how many were not. */
        int fill() {
            int made = 0;
            while (create() instanceof Created.New) {
                made++;
            }
            return made;
        }
    }

    /** Counts what a node asks of the store beside its tasks. */
    private final class CountedStore extends ForwardingStore {

        CountedStore() {
            super(store);
        }

        @Override
        public Optional<SharedTasks> sharedTasks() {
            return super.sharedTasks().map(real -> (SharedTasks) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {SharedTasks.class}, (self, method, values) -> {
                        asked.computeIfAbsent(method.getName(), name -> new AtomicInteger())
                                .incrementAndGet();
                        return method.invoke(real, values);
                    }));
        }
    }

    private int asked(String what) {
        return asked.getOrDefault(what, new AtomicInteger()).get();
    }

    private Node node(String name, int concurrency) {
        return new Node(name, TestEngine.LIMITS, concurrency);
    }

    private Node node(String name, int live, int queued) {
        var limits =
                TaskLimits.builder().livePerOwner(live).queuedPerOwner(queued).build();
        return new Node(name, limits, Integer.MAX_VALUE);
    }

    /** A node that runs no tasks. */
    private Node front(String name, int live) {
        return new Node(name, TaskLimits.builder().livePerOwner(live).build(), 1, work -> false);
    }

    private Begun next() throws InterruptedException {
        while (true) {
            var next = begun.poll(1, TimeUnit.MILLISECONDS);
            if (next != null) {
                return next;
            }
            TestEngine.pass(time);
        }
    }

    /** Lets time pass, and each node look at what others do: its next look and its next sweep are set again then. */
    private void pass(Duration duration) throws InterruptedException {
        for (var passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(STEP)) {
            TestEngine.pass(time);
            time.awaitAlarms(2 * all.size());
        }
    }

    /** Passes time until four seconds bring no such request; the timeout of the test ends a node that never stops. */
    private void untilNothingIsAsked(String what) throws InterruptedException {
        int before;
        do {
            before = asked(what);
            pass(Duration.ofSeconds(4));
        } while (asked(what) != before);
    }

    private void until(BooleanSupplier holds) throws InterruptedException {
        while (!holds.getAsBoolean()) {
            pass(STEP);
        }
    }

    @AfterEach
    void close() {
        all.forEach(TaskEngine::close);
        begun.forEach(run -> run.end.countDown());
    }

    @Test
    void no_more_runs_of_a_tool_than_its_concurrency_are_under_way_at_all_nodes_together() throws Exception {
        var nodes = List.of(node("one", 3), node("other", 3), node("third", 3));
        for (int task = 0; task < 10; task++) {
            nodes.forEach(Node::create);
        }
        var counts = new ConcurrentHashMap<String, Integer>();
        for (int ended = 0; ended < 30; ended++) {
            var run = next();
            counts.merge(run.node, 1, Integer::sum);
            assertThat(running).hasValueLessThanOrEqualTo(3);
            run.end.countDown();
        }
        assertThat(counts).isEqualTo(Map.of("one", 10, "other", 10, "third", 10));
        assertThat(most).hasValue(3);
    }

    @Test
    void a_slot_goes_round_by_the_age_of_tasks() throws Exception {
        var one = node("one", 1);
        var other = node("other", 1);
        one.create();
        var first = next();
        time.advance(STEP);
        other.create();
        time.advance(STEP);
        one.create();
        // With its beat, the node that has all slots learns of the others.
        pass(Duration.ofSeconds(2));
        first.end.countDown();
        var second = next();
        assertThat(second.node).isEqualTo("other");
        second.end.countDown();
        var third = next();
        assertThat(third.node).isEqualTo("one");
        third.end.countDown();
        assertThat(most).hasValue(1);
    }

    @Test
    void a_node_that_is_alone_asks_once_and_not_for_each_of_a_thousand_runs() throws Exception {
        var one = node("one", 4);
        for (int task = 0; task < 50; task++) {
            one.create();
        }
        for (int ended = 0; ended < 1_000; ended++) {
            one.create();
            next().end.countDown();
        }
        assertThat(most).hasValue(4);
        assertThat(asked("allot")).isEqualTo(1);
    }

    @Test
    void works_without_a_limit_and_owners_within_their_part_ask_nothing() throws Exception {
        var nodes = List.of(node("one", Integer.MAX_VALUE), node("other", Integer.MAX_VALUE));
        pass(Duration.ofSeconds(2));
        for (int task = 0; task < 20; task++) {
            nodes.forEach(Node::create);
        }
        for (int ended = 0; ended < 40; ended++) {
            next().end.countDown();
        }
        pass(Duration.ofSeconds(2));
        assertThat(asked("allot")).isZero();
        assertThat(asked("live")).isZero();
    }

    @Test
    void a_node_that_uses_no_slots_leaves_them_to_others_and_asks_no_more() throws Exception {
        var one = node("one", 2);
        var other = node("other", 2);
        one.create();
        one.create();
        next().end.countDown();
        next().end.countDown();
        untilNothingIsAsked("allot");
        other.create();
        other.create();
        // Nothing is on its way but what the creations began: no time has to pass.
        for (int ended = 0; ended < 2; ended++) {
            var run = begun.take();
            assertThat(run.node).isEqualTo("other");
            run.end.countDown();
        }
    }

    @Test
    void the_slots_of_a_dead_node_are_free_when_its_lease_is_void() throws Exception {
        var one = node("one", 1);
        var other = node("other", 1);
        one.create();
        var lost = next();
        one.link.breakDown();
        other.create();
        pass(TERM.dividedBy(2));
        assertThat(begun).isEmpty();
        // The task of the dead node goes on at the other one, and the slot of its run with it.
        for (int ended = 0; ended < 2; ended++) {
            var run = next();
            assertThat(run.node).isEqualTo("other");
            run.end.countDown();
        }
        lost.end.countDown();
    }

    @Test
    void a_node_that_stops_leaves_its_slots_at_once() throws Exception {
        var one = node("one", 1);
        var other = node("other", 1);
        one.create();
        next();
        other.create();
        var stopped = time.now();
        one.engine.close();
        all.remove(one.engine);
        pass(Duration.ofSeconds(2));
        assertThat(next().node).isEqualTo("other");
        assertThat(Duration.between(stopped, time.now())).isLessThan(TERM);
    }

    @Test
    void an_owner_has_no_more_live_tasks_than_allowed_where_requests_reach_nodes_in_turn() throws Exception {
        var nodes = List.of(node("one", 5, 0), node("other", 5, 0));
        pass(Duration.ofSeconds(2));
        int made = 0;
        for (int request = 0; request < 20; request++) {
            made += nodes.get(request % 2).create() instanceof Created.New ? 1 : 0;
        }
        assertThat(made).isEqualTo(5);
        next().end.countDown();
        until(() -> nodes.getLast().create() instanceof Created.New);
        assertThat(nodes.getFirst().create()).isInstanceOf(Created.TooManyLive.class);
    }

    @Test
    void an_owner_has_no_more_live_tasks_than_allowed_where_all_requests_reach_one_node() throws Exception {
        node("other", 5, 0);
        var one = node("one", 5, 0);
        pass(Duration.ofSeconds(2));
        assertThat(one.fill()).isEqualTo(5);
        int before = asked("live");
        assertThat(one.create()).isInstanceOf(Created.TooManyLive.class);
        assertThat(asked("live")).isEqualTo(before);
    }

    @Test
    void an_owner_has_less_than_twice_the_live_tasks_that_are_allowed_in_the_worst_order() throws Exception {
        var nodes = List.of(node("one", 6, 0), node("other", 6, 0), node("third", 6, 0));
        pass(Duration.ofSeconds(2));
        assertThat(nodes.stream().map(Node::fill)).containsExactly(6, 2, 2);
    }

    @Test
    void a_front_node_asks_for_as_many_tasks_at_once_as_its_part_of_what_is_left() throws Exception {
        var front = front("front", 12);
        front("other", 12);
        pass(Duration.ofSeconds(2));
        for (int task = 0; task < 6; task++) {
            assertThat(front.create()).isInstanceOf(Created.New.class);
        }
        assertThat(asked("live")).isEqualTo(1);
        // Three, one, one and one are left to it.
        assertThat(front.fill()).isEqualTo(6);
    }

    @Test
    void an_owner_has_no_more_live_tasks_than_allowed_at_front_nodes_in_turn_and_less_than_twice_in_the_worst_order()
            throws Exception {
        var nodes = List.of(front("one", 12), front("other", 12), front("third", 12));
        pass(Duration.ofSeconds(2));
        int made = 0;
        for (int request = 0; request < 60; request++) {
            made += nodes.get(request % 3).create() instanceof Created.New ? 1 : 0;
        }
        assertThat(made).isEqualTo(12);
        var worst = List.of(creator(nodes.get(0)), creator(nodes.get(1)), creator(nodes.get(2)));
        worst.forEach(create -> assertThat(create.getAsBoolean()).isTrue());
        made = 3;
        for (var create : worst.reversed()) {
            while (create.getAsBoolean()) {
                made++;
            }
        }
        assertThat(made).isLessThan(24).isGreaterThan(12);
    }

    /** Creates a task of another owner. */
    private static BooleanSupplier creator(Node node) {
        var creation = new Creation(new Owner("other"), "work", Payload.EMPTY, Payload.EMPTY, null, null);
        return () -> node.engine.create(creation) instanceof Created.New;
    }

    @Test
    void a_node_that_does_not_know_yet_how_many_there_are_asks_for_each_task() {
        var one = node("one", 4, 0);
        assertThat(one.fill()).isEqualTo(4);
        assertThat(node("other", 4, 0).fill()).isEqualTo(2);
        assertThat(one.fill()).isZero();
    }

    @Test
    void nodes_that_create_at_once_let_in_less_than_twice_the_limit() throws Exception {
        var nodes = List.of(node("one", 40, 0), node("other", 40, 0), node("third", 40, 0));
        pass(Duration.ofSeconds(2));
        var made = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int thread = 0; thread < 30; thread++) {
            var node = nodes.get(thread % 3);
            threads.add(Thread.ofVirtual().start(() -> made.addAndGet(node.fill())));
        }
        for (var thread : threads) {
            thread.join();
        }
        assertThat(made.get()).isBetween(40, 79);
    }

    @Test
    void anonymous_callers_are_counted_by_each_node() throws Exception {
        var nodes = List.of(node("one", 2, 0), node("other", 2, 0));
        pass(Duration.ofSeconds(2));
        for (var node : nodes) {
            for (int task = 0; task < 2; task++) {
                assertThat(node.engine.create(creation("work"), "somebody")).isInstanceOf(Created.New.class);
            }
            assertThat(node.engine.create(creation("work"), "somebody")).isInstanceOf(Created.TooManyLive.class);
        }
        assertThat(asked("live")).isZero();
    }

    @Test
    void turns_of_an_owner_are_shared_out_to_the_nodes_that_have_its_tasks() throws Exception {
        var one = node("one", 3, 20);
        var other = node("other", 3, 20);
        node("third", 3, 20);
        pass(Duration.ofSeconds(2));
        for (int task = 0; task < 5; task++) {
            one.create();
            other.create();
        }
        var counts = new ConcurrentHashMap<String, Integer>();
        for (int ended = 0; ended < 10; ended++) {
            var run = next();
            counts.merge(run.node, 1, Integer::sum);
            pass(Duration.ofMillis(400));
            run.end.countDown();
        }
        assertThat(counts).isEqualTo(Map.of("one", 5, "other", 5));
        // A turn that moves to another node begins there while the run that had it may go on: 3 * (1 + 1/2) at most.
        assertThat(most).hasValueLessThanOrEqualTo(4);
    }

    @Test
    void an_owner_whose_tasks_are_at_one_node_has_all_turns_there() throws Exception {
        node("other", 3, 20);
        var one = node("one", 3, 20);
        pass(Duration.ofSeconds(2));
        for (int task = 0; task < 5; task++) {
            one.create();
        }
        next();
        next();
        next();
        pass(Duration.ofSeconds(2));
        assertThat(begun).isEmpty();
        assertThat(most).hasValue(3);
    }

    @Test
    void turns_of_an_owner_go_beyond_the_limit_only_until_those_that_had_begun_have_ended() throws Exception {
        var one = node("one", 4, 20);
        var other = node("other", 4, 20);
        pass(Duration.ofSeconds(2));
        for (int task = 0; task < 8; task++) {
            one.create();
        }
        var old = List.of(next(), next(), next(), next());
        for (int task = 0; task < 8; task++) {
            other.create();
        }
        pass(Duration.ofSeconds(2));
        assertThat(most).hasValue(6);
        old.forEach(run -> run.end.countDown());
        until(() -> running.get() <= 4);
        pass(Duration.ofSeconds(2));
        until(() -> running.get() >= 4);
        assertThat(running).hasValue(4);
        assertThat(begun.stream().map(Begun::node)).containsExactlyInAnyOrder("one", "one", "other", "other");
    }
}
