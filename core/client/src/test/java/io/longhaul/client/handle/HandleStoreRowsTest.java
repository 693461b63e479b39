// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.handle;

import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.script;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.HandlesInMemory;
import io.longhaul.client.Scripts;
import io.longhaul.client.TestTime;
import io.longhaul.client.Transcript;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks that a client runs for a server, in the store that has the handles of its calls. */
@ExtendWith(Transcript.Played.class)
class HandleStoreRowsTest {

    private static final Json ROW = Json.raw("{\"task\":\"t1\"}");
    private static final Instant LATER = Instant.EPOCH.plusSeconds(60);

    private final HandlesInMemory kept = new HandlesInMemory();

    private HandleStoreRows of(String server) {
        return new HandleStoreRows(kept, server);
    }

    @Test
    void a_row_is_given_once_to_the_next_client_of_its_server_and_generation() {
        of("a").put(Generation.V2025_11_25, "t1", ROW, LATER);
        assertThat(of("b").take(Generation.V2025_11_25)).isEmpty();
        var next = of("a");
        assertThat(next.take(Generation.SEP_1686)).isEmpty();
        assertThat(next.take(Generation.V2025_11_25)).containsExactly(ROW);
        assertThat(next.take(Generation.V2025_11_25))
                .as("each row is given once")
                .isEmpty();
        next.remove("t1");
        assertThat(of("a").take(Generation.V2025_11_25)).isEmpty();
    }

    @Test
    void a_row_of_this_client_is_not_given_to_it() {
        var rows = of("a");
        rows.put(Generation.V2025_11_25, "t1", ROW, LATER);
        assertThat(rows.take(Generation.V2025_11_25)).isEmpty();
    }

    @Test
    void a_row_is_no_call_that_is_resumed() {
        of("http://script.test/mcp").put(Generation.V2025_11_25, "t1", ROW, LATER);
        try (var client =
                Scripts.over(script(STATELESS), new TestTime()).handles(kept).connect()) {
            assertThat(client.resumeAll()).isEmpty();
        }
        assertThat(kept.rows).hasSize(1);
    }
}
