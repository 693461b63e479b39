// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.longhaul.store.postgres.PostgresNodes.Node;
import io.longhaul.store.postgres.PostgresNodes.State;
import io.longhaul.store.postgres.PostgresNodes.Tasks;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@NeedsPostgres
final class PostgresNodesTest {

    private final String schema = TestDatabase.newSchema();
    private TaskStore store;
    private PostgresNodes nodes;

    @BeforeEach
    void open() {
        store = TestDatabase.store(schema);
        nodes = TestDatabase.nodes(schema);
    }

    @AfterEach
    void close() {
        nodes.close();
        store.close();
    }

    private Task committed(Change change) {
        assertThat(store.commit(change)).isEqualTo(new CommitResult.Committed());
        return change.after();
    }

    @Test
    void a_node_is_listed_with_the_tasks_that_it_has_begun_and_those_that_have_no_node() {
        var lease = store.join("one", NOW);
        committed(start(committed(creation(task(1))), lease));
        committed(start(committed(creation(task(2))), lease));
        committed(end(committed(start(committed(creation(task(3))), lease)), result("done"), NOW, true));
        committed(creation(task(4)));
        store.join("other", NOW);
        assertThat(nodes.list())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("since")
                .containsExactly(
                        new Node(
                                "one",
                                NodeRole.ALL,
                                State.UP,
                                NOW,
                                Duration.ZERO,
                                List.of(new Tasks("work", 2, 0, Duration.ZERO))),
                        new Node("other", NodeRole.ALL, State.UP, NOW, Duration.ZERO, List.of()));
        assertThat(nodes.free())
                .extracting(Tasks::work, Tasks::begun, Tasks::waiting)
                .containsExactly(tuple("work", 0L, 1L));
        // The ids of these tests are of 1970.
        assertThat(nodes.free().getFirst().oldest()).isGreaterThan(Duration.ofDays(50 * 365));
    }

    @Test
    void a_node_is_listed_with_the_role_under_which_it_has_joined_last() {
        var lease = store.join("one", NOW);
        for (var role : List.of(new NodeRole(NodeRole.Kind.WORK, Set.of("gpu", "eu")), NodeRole.ALL)) {
            ((PostgresTaskStore) store).role(role);
            lease = store.sharedTasks().orElseThrow().joinAnew(lease, NOW);
            assertThat(nodes.list()).extracting(Node::role).containsExactly(role);
        }
    }

    @Test
    void a_node_is_silent_when_its_lease_has_lapsed_and_gone_when_it_has_left() throws SQLException {
        var lease = store.join("one", NOW);
        TestDatabase.run("UPDATE " + schema + ".lease SET expires_at = expires_at - interval '1 minute'");
        var silent = nodes.list().getFirst();
        assertThat(silent.state()).isEqualTo(State.SILENT);
        assertThat(silent.since()).isBetween(Duration.ofSeconds(45), Duration.ofMinutes(5));
        store.leave(lease, NOW);
        assertThat(nodes.list()).extracting(Node::state).containsExactly(State.GONE);
        assertThat(nodes.drain("one", true)).isFalse();
    }

    @Test
    void a_node_that_is_drained_is_told_so() {
        var lease = store.join("one", NOW);
        assertThat(nodes.drain("one", true)).isTrue();
        assertThat(nodes.list()).extracting(Node::state).containsExactly(State.DRAINING);
        assertThat(store.sharedTasks().orElseThrow().renew(lease).standing()).isEqualTo(Standing.DRAINING);
        nodes.drain("one", false);
        assertThat(nodes.list()).extracting(Node::state).containsExactly(State.UP);
    }

    @Test
    void a_database_without_tasks_is_refused_and_left_as_it_is() throws SQLException {
        var empty = TestDatabase.newSchema();
        try (var none = TestDatabase.nodes(empty)) {
            assertThatThrownBy(none::list)
                    .isInstanceOf(StoreException.class)
                    .hasMessageEndingWith("no server of this version of Longhaul has kept tasks there");
        }
        assertThat(TestDatabase.query("SELECT 1 FROM information_schema.schemata WHERE schema_name = '" + empty + "'"))
                .isEmpty();
    }
}
