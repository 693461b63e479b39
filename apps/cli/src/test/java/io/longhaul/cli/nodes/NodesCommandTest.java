// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.server.LogLines;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.postgres.PostgresTaskStore;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NeedsPostgres
@Timeout(120)
class NodesCommandTest {

    private static final Owner ANN = new Owner("ann");

    @TempDir
    Path folder;

    private final CountDownLatch begun = new CountDownLatch(2);
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<TaskEngine> engines = new ArrayList<>();
    private final TestTerminal user = TestTerminal.silent();
    private EmbeddedPostgres database;
    private final List<PostgresTaskStore> stores = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        database = EmbeddedPostgres.builder().setServerConfig("fsync", "on").start();
    }

    @AfterEach
    void end() throws IOException {
        go.countDown();
        engines.forEach(TaskEngine::close);
        stores.forEach(PostgresTaskStore::close);
        database.close();
    }

    private String url() {
        return "jdbc:postgresql://localhost:" + database.getPort() + "/postgres?user=postgres";
    }

    private TaskEngine engine(String name) {
        return engine(name, NodeRole.ALL);
    }

    private TaskEngine engine(String name, NodeRole role) {
        var store = PostgresTaskStore.at(url(), null, null, DataKeys.NONE);
        store.role(role);
        stores.add(store);
        var engine = DurableEngine.builder()
                .store(store)
                .limits(TaskLimits.builder().running(1).build())
                .node(name)
                .work(new Work(
                        "render",
                        run -> {
                            begun.countDown();
                            go.await();
                            return new Outcome.Result(Payload.EMPTY, false);
                        },
                        CrashPolicy.RESTART,
                        null,
                        Integer.MAX_VALUE))
                .work(new Work(
                        "publish",
                        run -> new Outcome.Result(run.ask("q", "ask", Payload.ofText("?"), Duration.ofDays(1)), false),
                        CrashPolicy.FAIL,
                        null,
                        Integer.MAX_VALUE))
                .start();
        engines.add(engine);
        return engine;
    }

    private static void create(TaskEngine engine) {
        create(engine, "render");
    }

    private static Task create(TaskEngine engine, String work) {
        var creation = new Creation(ANN, work, Payload.EMPTY, Payload.EMPTY, null, null);
        return ((TaskEngine.Created.New) engine.create(creation)).task();
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    @Test
    void the_nodes_of_a_database_are_listed_with_what_they_run() throws Exception {
        create(engine("east-1", new NodeRole(NodeRole.Kind.WORK, Set.of("gpu", "eu"))));
        engine("east-2").close();
        var file = Files.writeString(
                folder.resolve("tools.yaml"),
                "store: {url: '" + url() + "'}\ntools: {render: {command: [echo, hello]}}\n");
        assertThat(run("nodes", file.toString())).isZero();
        assertThat(user.out().lines())
                .satisfiesExactly(
                        head -> assertThat(head).matches("NODE +STATE +ROLE +SINCE +BEGUN +WAITING +OLDEST +TOOLS"),
                        up -> assertThat(up).matches("east-1 +up +work eu, gpu +\\d+s +1 +0 +- +render 1"),
                        gone -> assertThat(gone).matches("east-2 +gone +all +\\d+s +0 +0 +-"));
    }

    @Test
    void the_nodes_are_told_to_a_program() {
        create(engine("east-1", new NodeRole(NodeRole.Kind.WORK, Set.of("gpu"))));
        assertThat(run("nodes", "--store", url(), "--output", "json")).isZero();
        assertThat(user.out())
                .containsSubsequence(
                        "\"name\" : \"east-1\"",
                        "\"role\" : \"work\"",
                        "\"state\" : \"up\"",
                        "\"labels\" : [ \"gpu\" ]",
                        "\"tool\" : \"render\"",
                        "\"begun\" : 1",
                        "\"waiting\" : 0",
                        "\"oldestMs\" : 0",
                        "\"free\" : [ ]");
    }

    @Test
    void a_node_that_is_drained_is_waited_for_until_nothing_runs_there() throws Exception {
        var one = engine("east-1");
        create(one);
        create(one);
        engine("east-2");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var drained = threads.submit(() -> run("drain", "east-1", "--store", url()));
            user.awaitErr("1 task left at east-1: render 1");
            assertThat(user.err())
                    .contains("the tasks that run at east-1 are waited for; where one waits for an answer")
                    .doesNotContain("names tasks");
            // The other one has what waited there.
            begun.await();
            go.countDown();
            assertThat(drained.get()).isZero();
        }
        assertThat(user.err()).endsWith("longhaul: nothing runs at east-1 any more: end its server\n");
        run("nodes", "--store", url());
        assertThat(user.out()).containsPattern("east-1 +draining");
        assertThat(run("drain", "east-1", "--undo", "--store", url())).isZero();
        assertThat(run("drain", "east-1", "--no-wait", "--store", url())).isZero();
        assertThat(user.err())
                .contains("east-1 begins tasks again", "east-1 begins nothing any more; `longhaul nodes` shows");
    }

    @Test
    void a_task_that_waits_for_an_answer_and_cannot_go_elsewhere_is_named_and_a_cancel_lets_the_node_go()
            throws Exception {
        var one = engine("east-1");
        var waits = create(one, "publish");
        try (var log = new LogLines("io.longhaul.engine.attempt.Runner");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var drained = threads.submit(() -> run("drain", "east-1", "--store", url()));
            user.awaitErr("1 task left at east-1: publish 1");
            assertThat(user.err()).contains("the log of east-1 names it: an answer or a cancel ends its wait");
            while (log.all().isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .contains(waits.id().value(), "publish waits for an answer");
            one.cancel(ANN, waits.id(), null);
            assertThat(drained.get()).isZero();
        }
    }

    @Test
    void a_node_that_begins_tasks_again_is_waited_for_no_longer() throws Exception {
        create(engine("east-1"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var drained = threads.submit(() -> run("drain", "east-1", "--store", url()));
            user.awaitErr("1 task left at east-1: render 1");
            assertThat(new Cli(TestTerminal.silent().terminal())
                            .run(List.of("drain", "east-1", "--undo", "--store", url())))
                    .isZero();
            assertThat(drained.get()).isEqualTo(3);
        }
        assertThat(user.err()).endsWith("longhaul: east-1 begins tasks again before its running ones have ended\n");
    }

    @Test
    void a_node_that_is_not_there_is_told_with_those_that_are() {
        engine("east-1");
        assertThat(run("drain", "east-7", "--store", url())).isEqualTo(3);
        assertThat(user.err()).contains("no node that is up is called \"east-7\"", "east-1");
    }

    @Test
    void a_database_that_is_not_there_or_not_named_is_told_with_what_to_do() {
        assertThat(run("nodes")).isEqualTo(2);
        assertThat(user.err()).contains("which database? Write --store jdbc:postgresql://");
        assertThat(run("nodes", "--store", "jdbc:postgresql://localhost:1/none?user=none"))
                .isEqualTo(4);
        assertThat(user.err()).contains("the database cannot be reached");
    }
}
