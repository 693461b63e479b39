// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the claim of free tasks, which each node makes every second, reads of the tasks that are not free. */
@NeedsPostgres
final class ClaimCostTest {

    private static final int LIVE = 26_000;
    private static final int FEW_PAGES = 200;
    private static final Pattern BUFFERS = Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?");

    @Test
    void the_claim_reads_none_of_the_live_tasks_of_other_nodes() throws SQLException {
        var schema = TestDatabase.newSchema();
        TestDatabase.store(schema).close();
        var path = "SET search_path TO " + schema + "; ";
        TestDatabase.run(path + """
                INSERT INTO lease (node, epoch, joined_at, expires_at)
                SELECT node, 1, 0, clock_timestamp() + interval '1 hour' FROM unnest('{one,two}'::text[]) AS node;
                INSERT INTO task (id, owner, stage, lease_node, lease_epoch, version, last_event, updated_at, spec,
                    body, work)
                SELECT 'task' || n, 'owner' || n %% 20, 2, CASE n %% 2 WHEN 0 THEN 'one' ELSE 'two' END, 1, 1, 3, 0,
                    'spec', 'body', 'work'
                FROM generate_series(1, %d) AS n;
                ANALYZE task""".formatted(LIVE));
        assertThat(pagesOfClaim(schema)).isLessThan(FEW_PAGES);
    }

    private static long pagesOfClaim(String schema) throws SQLException {
        try (var connection = TestDatabase.direct().getConnection();
                var session = connection.createStatement()) {
            session.execute("SET search_path TO " + schema);
            try (var claim = connection.prepareStatement("EXPLAIN (ANALYZE, BUFFERS) " + Leases.CLAIM)) {
                var works = connection.createArrayOf("text", new String[] {"work"});
                var none = connection.createArrayOf("text", new String[0]);
                var values = new Object[] {"one", 1L, works, works, 15_000L, 300_000L, none, 100, 0L};
                for (int i = 0; i < values.length; i++) {
                    claim.setObject(i + 1, values[i]);
                }
                var plan = new ArrayList<String>();
                try (var rows = claim.executeQuery()) {
                    while (rows.next()) {
                        plan.add(rows.getString(1));
                    }
                }
                var whole = BUFFERS.matcher(String.join("\n", plan));
                assertThat(whole.find()).as("%s", plan).isTrue();
                return Long.parseLong(whole.group(1)) + (whole.group(2) == null ? 0 : Long.parseLong(whole.group(2)));
            }
        }
    }
}
