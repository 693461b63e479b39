// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the polls that each node makes every second read of the tasks that are not free. */
@NeedsPostgres
final class ClaimCostTest {

    private static final int LIVE = 52_000;
    private static final int FEW_PAGES = 200;
    private static final Pattern COST = Pattern.compile("cost=[0-9.]+\\.\\.([0-9.]+)");
    private static final Pattern BUFFERS = Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?");

    private static final String[] WORKS = {"work", "a second", "a third"};

    private final String schema = TestDatabase.newSchema();

    @BeforeEach
    void fill() throws SQLException {
        TestDatabase.store(schema).close();
        var path = "SET search_path TO " + schema + "; ";
        TestDatabase.run(path + """
            INSERT INTO lease (node, epoch, joined_at, expires_at)
            SELECT node, 1, 0, clock_timestamp() + interval '1 hour' FROM unnest('{one,two}'::text[]) AS node;
            INSERT INTO lease (node, epoch, joined_at, expires_at) VALUES ('gone', 1, 0, '-infinity');
            INSERT INTO task (id, owner, stage, lease_node, lease_epoch, version, last_event, updated_at, spec,
                body, work)
            SELECT 'task' || n, 'owner' || n %% 20, 2, ('{one,two,gone}'::text[])[n %% 4 + 1],
                CASE n %% 4 WHEN 3 THEN 0 ELSE 1 END, 1, 3, 0, 'spec', 'body',
                CASE n %% 4 / 2 WHEN 0 THEN 'work' ELSE 'work of no node' END
            FROM generate_series(1, %d) AS n;
            ANALYZE task\
            """.formatted(LIVE));
    }

    @Test
    void the_claim_reads_none_of_the_live_tasks_of_other_nodes_and_of_the_free_ones_that_no_node_runs()
            throws SQLException {
        assertThat(pages(Leases.CLAIM, "one", 1L, WORKS, WORKS, 15_000L, 300_000L, new String[0], 100, 0L))
                .isLessThan(FEW_PAGES);
    }

    @Test
    void a_poll_that_finds_nothing_reads_none_of_the_tasks_that_wait() throws SQLException {
        assertThat(pages(Leases.NEWS.formatted(""), "one", 1L, WORKS, WORKS, 15_000L, 300_000L, 2, 10_000L))
                .isLessThan(FEW_PAGES / 4);
    }

    /** A database compiles a statement that it takes for long, for more time than the statement needs. */
    @Test
    void polls_and_claims_are_not_compiled() throws SQLException {
        var open = new SchemaName(schema);
        try (var session = PooledSessions.writing(TestDatabase.direct(), open).take()) {
            assertThat(session.queryOne(row -> row.getString(1), "SHOW jit")).contains("off");
        }
        assertThat(cost(Leases.NEWS.formatted(schema + "."), "one", 1L, WORKS, WORKS, 15_000L, 300_000L, 2, 10_000L))
                .isLessThan(Double.parseDouble(
                                TestDatabase.query("SHOW jit_above_cost").getFirst())
                        / 10);
    }

    private long pages(String sql, Object... values) throws SQLException {
        var whole = find(BUFFERS, plan("ANALYZE, BUFFERS", sql, values));
        return Long.parseLong(whole.group(1)) + (whole.group(2) == null ? 0 : Long.parseLong(whole.group(2)));
    }

    private double cost(String sql, Object... values) throws SQLException {
        return Double.parseDouble(find(COST, plan("COSTS", sql, values)).group(1));
    }

    private static MatchResult find(Pattern pattern, String plan) {
        var found = pattern.matcher(plan);
        assertThat(found.find()).as(plan).isTrue();
        return found;
    }

    private String plan(String options, String sql, Object... values) throws SQLException {
        try (var connection = TestDatabase.direct().getConnection();
                var session = connection.createStatement()) {
            session.execute("SET search_path TO " + schema);
            try (var query = connection.prepareStatement("EXPLAIN (" + options + ") " + sql)) {
                for (int i = 0; i < values.length; i++) {
                    var value = values[i];
                    query.setObject(
                            i + 1, value instanceof String[] texts ? connection.createArrayOf("text", texts) : value);
                }
                var plan = new ArrayList<String>();
                try (var rows = query.executeQuery()) {
                    while (rows.next()) {
                        plan.add(rows.getString(1));
                    }
                }
                return String.join("\n", plan);
            }
        }
    }
}
