// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Lease;
import io.longhaul.store.jdbc.sql.RowSeal;
import io.longhaul.store.jdbc.sql.TaskRows;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the lease of a node is renewed. */
final class LeasesTest {

    private static final Duration TERM = Duration.ofSeconds(15);

    private final Schema schema = new Schema(TestDatabase.newSchema());
    private final AtomicLong nanos = new AtomicLong();
    private final TaskRows rows = new TaskRows(RowSeal.with(Map.of()));
    private final Leases leases = new Leases(rows, true, TERM, nanos::get);

    /** Something to do in a transaction. */
    private interface Step {
        void run(PostgresSession session) throws SQLException;
    }

    @BeforeEach
    void makeSchema() {
        TestDatabase.shared(schema.name()).close();
    }

    private void inTransaction(Step step) throws SQLException {
        try (var session = (PostgresSession)
                PooledSessions.writing(TestDatabase.direct(), schema).take()) {
            session.begin();
            step.run(session);
            session.commit();
        }
    }

    /** Has the lease lapse, as it does where nobody renews it. */
    private void lapse() throws SQLException {
        inTransaction(session -> session.update("UPDATE lease SET expires_at = clock_timestamp()"));
    }

    private String lease() throws SQLException {
        return TestDatabase.query("SELECT CASE WHEN expires_at = '-infinity' THEN 'void'"
                        + " WHEN expires_at > clock_timestamp() THEN 'valid' ELSE 'lapsed' END FROM "
                        + schema.name() + ".lease WHERE node = 'one'")
                .getFirst();
    }

    @Test
    void a_lease_is_renewed_when_a_third_of_its_term_is_over_and_not_before() throws SQLException {
        inTransaction(session -> leases.join(session, "one", NOW));
        lapse();
        nanos.addAndGet(TERM.toNanos() / 3 - 1);
        inTransaction(leases::renew);
        assertThat(lease()).isEqualTo("lapsed");
        nanos.addAndGet(1);
        inTransaction(leases::renew);
        assertThat(lease()).isEqualTo("valid");
    }

    @Test
    void what_was_renewed_in_a_transaction_that_was_undone_is_renewed_again() throws SQLException {
        inTransaction(session -> leases.join(session, "one", NOW));
        lapse();
        leases.forget();
        inTransaction(leases::renew);
        assertThat(lease()).isEqualTo("valid");
    }

    @Test
    void a_lapsed_lease_that_another_node_has_made_void_is_not_renewed() throws SQLException {
        inTransaction(session -> leases.join(session, "one", NOW));
        lapse();
        var others = new Leases(rows, true, TERM, nanos::get);
        inTransaction(session -> {
            Lease other = others.join(session, "other", NOW);
            others.claim(session, other, 10, NOW);
        });
        nanos.addAndGet(TERM.toNanos());
        inTransaction(leases::renew);
        assertThat(lease()).isEqualTo("void");
    }

    @Test
    void a_lease_that_was_left_is_not_renewed() throws SQLException {
        inTransaction(session -> leases.leave(session, leases.join(session, "one", NOW)));
        nanos.addAndGet(TERM.toNanos());
        inTransaction(leases::renew);
        assertThat(lease()).isEqualTo("void");
    }
}
