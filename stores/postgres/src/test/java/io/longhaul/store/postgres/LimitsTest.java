// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits hold over several engines that have one database. */
@NeedsPostgres
@Timeout(120)
final class LimitsTest {

    private static final Owner ANN = new Owner("ann");

    private final String schema = TestDatabase.newSchema();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Semaphore ended = new Semaphore(0);
    private final CountDownLatch end = new CountDownLatch(1);

    private TaskEngine engine(String node, Backend backend, int live, int concurrency) {
        var store = TestDatabase.store(schema);
        var engine = DurableEngine.builder()
                .store(store)
                .node(node)
                .limits(TaskLimits.builder().livePerOwner(live).build())
                .work(new Work("work", backend, CrashPolicy.RESTART, null, concurrency))
                .start();
        open.addFirst(store);
        open.addFirst(engine);
        return engine;
    }

    private Outcome brief(Run run) {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        run.log("info", null, Payload.ofText("it takes as long as a write"));
        running.decrementAndGet();
        ended.release();
        return done();
    }

    private Outcome held() throws InterruptedException {
        end.await();
        return done();
    }

    private static Outcome done() {
        return new Outcome.Result(Payload.EMPTY, false);
    }

    private static Created create(TaskEngine engine) {
        return engine.create(new Creation(ANN, "work", Payload.ofText("{}"), Payload.EMPTY, null, null));
    }

    @AfterEach
    void close() throws Exception {
        end.countDown();
        for (var one : open) {
            one.close();
        }
    }

    @Test
    void no_more_runs_of_a_tool_than_its_concurrency_are_under_way_at_all_nodes_together() throws Exception {
        var nodes = List.of(
                engine("one", this::brief, 1_000, 2),
                engine("other", this::brief, 1_000, 2),
                engine("third", this::brief, 1_000, 2));
        for (int task = 0; task < 40; task++) {
            nodes.forEach(LimitsTest::create);
        }
        ended.acquire(120);
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void a_node_that_is_alone_writes_what_it_holds_once_in_a_thousand_runs() throws Exception {
        countWritesOfSlots();
        var one = engine("one", this::brief, 2_000, 4);
        for (int task = 0; task < 1_000; task++) {
            create(one);
        }
        ended.acquire(1_000);
        assertThat(most.get()).isBetween(1, 4);
        assertThat(TestDatabase.query("SELECT count(*) FROM " + schema + ".written"))
                .containsExactly("1");
    }

    private void countWritesOfSlots() throws SQLException {
        TestDatabase.store(schema).close();
        TestDatabase.run("""
                CREATE TABLE %1$s.written (held integer);
                CREATE FUNCTION %1$s.note() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN INSERT INTO %1$s.written VALUES (NEW.held); RETURN NEW; END';
                CREATE TRIGGER noted AFTER INSERT OR UPDATE ON %1$s.slot
                    FOR EACH ROW EXECUTE FUNCTION %1$s.note();
                """.formatted(schema));
    }

    @Test
    void nodes_that_create_at_once_let_in_less_than_twice_what_an_owner_may_have() throws Exception {
        var nodes = List.of(
                engine("one", run -> held(), 60, Integer.MAX_VALUE),
                engine("other", run -> held(), 60, Integer.MAX_VALUE));
        var made = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < 20; thread++) {
                var node = nodes.get(thread % 2);
                threads.submit(() -> {
                    while (create(node) instanceof Created.New) {
                        made.incrementAndGet();
                    }
                });
            }
        }
        assertThat(made.get()).isBetween(60, 119);
    }
}
