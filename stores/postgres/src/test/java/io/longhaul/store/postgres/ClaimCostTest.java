// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.NeedsPostgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the polls that each node makes every second read of the tasks that are not free. */
@NeedsPostgres
final class ClaimCostTest {

    private static final int LIVE = 26_000;
    private static final int FEW_PAGES = 200;
    private static final Pattern BUFFERS = Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?");

    private final String schema = TestDatabase.newSchema();

    @BeforeEach
    void fill() throws SQLException {
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
            ANALYZE task\
            """.formatted(LIVE));
    }

    @Test
    void the_claim_reads_none_of_the_live_tasks_of_other_nodes() throws SQLException {
        var works = new String[] {"work"};
        assertThat(pages(Leases.CLAIM, "one", 1L, works, works, 15_000L, 300_000L, new String[0], 100, 0L))
                .isLessThan(FEW_PAGES);
    }

    @Test
    void a_poll_that_finds_nothing_reads_none_of_the_tasks_that_wait() throws SQLException {
        assertThat(pages(Leases.NEWS.formatted(""), "one", 1L, 2, "one", 1L, "one", 10_000L))
                .isLessThan(FEW_PAGES / 4);
    }

    private long pages(String sql, Object... values) throws SQLException {
        try (var connection = TestDatabase.direct().getConnection();
                var session = connection.createStatement()) {
            session.execute("SET search_path TO " + schema);
            try (var query = connection.prepareStatement("EXPLAIN (ANALYZE, BUFFERS) " + sql)) {
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
                var whole = BUFFERS.matcher(String.join("\n", plan));
                assertThat(whole.find()).as("%s", plan).isTrue();
                return Long.parseLong(whole.group(1)) + (whole.group(2) == null ? 0 : Long.parseLong(whole.group(2)));
            }
        }
    }
}
