// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Lease;
import io.longhaul.store.jdbc.codec.RowSeal;
import io.longhaul.store.jdbc.sql.TaskRows;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the lease of a node is renewed. */
@NeedsPostgres
final class LeasesTest {

    /** So long that it is never over by itself. */
    private static final Duration TERM = Duration.ofHours(3);

    private final SchemaName schema = new SchemaName(TestDatabase.newSchema());
    private final TaskRows rows = new TaskRows(RowSeal.with(Map.of()));
    private final Leases leases = new Leases(rows, TERM, schema.name());

    /** Something to do in a transaction. */
    private interface Step {
        void run(PostgresSession session) throws SQLException;
    }

    @BeforeEach
    void makeSchema() {
        TestDatabase.store(schema.name()).close();
    }

    private void inTransaction(Step step) throws SQLException {
        try (var session = (PostgresSession)
                PooledSessions.writing(TestDatabase.direct(), schema).take()) {
            session.begin();
            step.run(session);
            session.commit();
        }
    }

    /** Has the lease of a node hold for so long from now on, as it does where time passes. */
    private void expireIn(String node, Duration left) throws SQLException {
        inTransaction(session -> session.update(
                "UPDATE lease SET expires_at = clock_timestamp() + ? * interval '1 millisecond' WHERE node = ?",
                left.toMillis(),
                node));
    }

    private void lapse(String node) throws SQLException {
        expireIn(node, Duration.ZERO);
    }

    private boolean isRenewed(Duration left) throws SQLException {
        expireIn("one", left);
        var before = expiry();
        inTransaction(leases::renew);
        return !expiry().equals(before);
    }

    private String expiry() throws SQLException {
        return TestDatabase.query("SELECT expires_at FROM " + schema.name() + ".lease WHERE node = 'one'")
                .getFirst();
    }

    private String lease() throws SQLException {
        return TestDatabase.query("SELECT CASE WHEN expires_at = '-infinity' THEN 'void'"
                        + " WHEN expires_at > clock_timestamp() THEN 'valid' ELSE 'lapsed' END FROM "
                        + schema.name() + ".lease WHERE node = 'one'")
                .getFirst();
    }

    @Test
    void a_lease_is_renewed_when_a_third_of_its_term_is_over_by_the_clock_of_the_database_and_not_before()
            throws SQLException {
        inTransaction(session -> leases.join(session, "one", false, NOW));
        assertThat(isRenewed(Duration.ofMinutes(125))).isFalse();
        assertThat(isRenewed(Duration.ofMinutes(115))).isTrue();
        assertThat(isRenewed(Duration.ZERO)).isTrue();
        assertThat(lease()).isEqualTo("valid");
    }

    @Test
    void what_was_renewed_in_a_transaction_that_was_undone_is_renewed_again() throws SQLException {
        inTransaction(session -> leases.join(session, "one", false, NOW));
        lapse("one");
        try (var session = (PostgresSession)
                PooledSessions.writing(TestDatabase.direct(), schema).take()) {
            session.begin();
            leases.renew(session);
            session.rollback();
        }
        assertThat(lease()).isEqualTo("lapsed");
        inTransaction(leases::renew);
        assertThat(lease()).isEqualTo("valid");
    }

    @Test
    void a_claim_renews_the_own_lease_that_has_lapsed() throws SQLException {
        inTransaction(session -> leases.join(session, "one", false, NOW));
        lapse("one");
        inTransaction(session -> leases.claim(session, new Lease("one", 1), null, 10, NOW));
        assertThat(lease()).isEqualTo("valid");
    }

    @Test
    void a_claim_waits_for_no_node_that_is_renewing_its_lease() throws SQLException {
        var others = new Leases(rows, TERM, schema.name());
        inTransaction(session -> leases.join(session, "one", false, NOW));
        inTransaction(session -> others.join(session, "other", false, NOW));
        lapse("one");
        try (var renewing = (PostgresSession)
                PooledSessions.writing(TestDatabase.direct(), schema).take()) {
            renewing.begin();
            leases.renew(renewing);
            inTransaction(session -> {
                session.script("SET LOCAL lock_timeout = 1");
                others.claim(session, new Lease("other", 2), null, 10, NOW);
            });
            renewing.commit();
        }
        assertThat(lease()).isEqualTo("valid");
    }

    @Test
    void a_lapsed_lease_that_another_node_has_made_void_is_not_renewed() throws SQLException {
        inTransaction(session -> leases.join(session, "one", false, NOW));
        lapse("one");
        var others = new Leases(rows, TERM, schema.name());
        inTransaction(session -> {
            Lease other = others.join(session, "other", false, NOW);
            session.update("UPDATE lease SET held_since = '-infinity' WHERE node = 'other'");
            others.claim(session, other, null, 10, NOW);
        });
        inTransaction(leases::renew);
        assertThat(lease()).isEqualTo("void");
    }

    @Test
    void a_lease_that_was_left_is_not_renewed() throws SQLException {
        inTransaction(session -> leases.leave(session, leases.join(session, "one", false, NOW)));
        inTransaction(leases::renew);
        assertThat(lease()).isEqualTo("void");
    }

    @Test
    void a_node_that_never_comes_back_is_forgotten_a_day_later_unless_it_has_tasks() throws SQLException {
        try (var store = TestDatabase.store(schema.name())) {
            var kept = store.join("kept", NOW);
            store.commit(creation(task(1)));
            store.commit(start(task(1), kept));
            store.leave(kept, NOW);
            store.leave(store.join("gone", NOW), NOW);
            TestDatabase.run("UPDATE " + schema.name() + ".lease SET held_since = held_since - interval '25 hours'");
            store.leave(store.join("late", NOW), NOW);
            store.join("one", NOW);
        }
        assertThat(TestDatabase.query("SELECT node FROM " + schema.name() + ".lease ORDER BY node"))
                .containsExactly("kept", "late", "one");
    }
}
