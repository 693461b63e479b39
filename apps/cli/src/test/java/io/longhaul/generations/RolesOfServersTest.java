// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.store.NodeRole.Kind;
import io.longhaul.generations.Caller.Order;
import io.longhaul.generations.Caller.Ref;
import io.longhaul.store.postgres.PostgresNodes;
import io.longhaul.store.postgres.PostgresNodes.Node;
import io.longhaul.store.postgres.PostgresNodes.Tasks;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of {@code serve} over one PostgreSQL: one takes all calls and runs none, the others have no port. */
@NeedsPostgres
@Timeout(240)
class RolesOfServersTest {

    private static final List<Tongue> TONGUES = List.of(Tongue.PLAIN, Tongue.HANDSHAKE_TASKS, Tongue.STATELESS_TASKS);

    private static final String TOOLS = """
        store: {url: 'jdbc:postgresql://localhost:%d/postgres', user: postgres}
        limits: {nodeLostAfter: 1s}
        tools:
          asks:
            command: [echo, 'It is {question1.name}']
            elicit: {message: 'Who?', fields: {name: string}}
          waits:
            command: [sh, '%s']
          again:
            command: [sh, '%2$s']
            onCrash: restart
          trains:
            command: [echo, trained]
            on: gpu
        """;

    @TempDir
    Path folder;

    private EmbeddedPostgres database;
    private Gate gate;
    private Path file;
    private ProcessesWay way;
    private ServedNode spare;
    private final Map<Tongue, Caller> callers = new EnumMap<>(Tongue.class);

    @BeforeEach
    void start() throws Exception {
        database = EmbeddedPostgres.builder().setServerConfig("fsync", "on").start();
        gate = Gate.in(folder);
        file = Files.writeString(
                folder.resolve("tools.yaml"), TOOLS.formatted(database.getPort(), gate.script(folder)));
        spare = worker("spare", "--label", "gpu");
        way = new ProcessesWay(List.of(
                new ServedNode(file, folder.resolve("front"), "--http", "0", "--role", "front"), worker("work")));
        TONGUES.forEach(tongue -> callers.put(tongue, tongue.caller(way, "alice")));
    }

    private ServedNode worker(String name, String... more) {
        var options = new ArrayList<>(List.of("--role", "work"));
        options.addAll(List.of(more));
        return new ServedNode(file, folder.resolve(name), options.toArray(String[]::new));
    }

    @AfterEach
    void end() throws IOException {
        spare.kill();
        way.close();
        gate.close();
        database.close();
    }

    private static Order asks(Tongue tongue) {
        return Order.of("asks").keyed("asks " + tongue);
    }

    private static Order again(Tongue tongue) {
        return Order.of("again").keyed("again " + tongue);
    }

    @Test
    void calls_at_a_front_node_are_asked_and_cancelled_there_and_go_on_elsewhere_when_their_work_node_is_killed()
            throws Exception {
        var training = callers.get(Tongue.STATELESS_TASKS).create(Order.of("trains"));
        var asking = new EnumMap<Tongue, Ref>(Tongue.class);
        var running = new EnumMap<Tongue, Ref>(Tongue.class);
        var jobs = new ArrayList<ProcessHandle>();
        for (var tongue : TONGUES) {
            var caller = callers.get(tongue);
            var waiting = caller.create(Order.of("waits"));
            var job = gate.begun();
            caller.cancel(waiting);
            job.onExit().join();
            asking.put(tongue, caller.create(asks(tongue)));
            running.put(tongue, caller.create(again(tongue)));
            jobs.add(gate.begun());
        }
        try (var nodes = PostgresNodes.at(database.getJdbcUrl("postgres", "postgres"), null, null)) {
            assertThat(nodes.free()).extracting(Tasks::work).containsExactly("trains");
            spare.start();
            assertThat(nodes.list())
                    .extracting(Node::role)
                    .containsExactlyInAnyOrder(
                            new NodeRole(Kind.FRONT, Set.of()),
                            new NodeRole(Kind.WORK, Set.of()),
                            new NodeRole(Kind.WORK, Set.of("gpu")));
        }
        way.kill(1);
        for (var tongue : TONGUES) {
            assertThat(gate.begun().isAlive()).as("%s", tongue).isTrue();
        }
        assertThat(callers.get(Tongue.STATELESS_TASKS).end(training).outcome()).isEqualTo("\"trained\"");
        jobs.forEach(ProcessHandle::destroyForcibly);
        gate.open();
        callers.forEach((tongue, caller) -> {
            assertThat(caller.end(running.get(tongue)).outcome())
                    .as("%s", tongue)
                    .isEqualTo("\"done\"");
            var question = asking.get(tongue);
            caller.answer(question, caller.question(question), json("{'action':'accept','content':{'name':'Ada'}}"));
            assertThat(caller.end(question).outcome()).as("%s", tongue).isEqualTo("\"It is Ada\"");
        });
    }
}
