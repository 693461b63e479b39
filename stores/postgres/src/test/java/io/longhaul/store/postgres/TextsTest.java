// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Route;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What a database does with texts that PostgreSQL cannot hold. */
final class TextsTest {

    @Test
    void a_text_with_the_character_0_is_refused_before_it_comes_into_a_transaction_and_finds_nothing() {
        try (var store = TestDatabase.store(TestDatabase.newSchema())) {
            var key = new CreationKey("k\0", "digest");
            assertThatThrownBy(() -> store.commit(creation(task(1, ALICE, key))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("U+0000");
            assertThat(store.findByKey(ALICE, "k\0")).isEmpty();
            assertThat(store.routed(ALICE, new Route("session", "m\0"), null, 10))
                    .isEmpty();
            assertThat(store.list(TaskFilter.of(new Owner("\0")), null, 10).tasks())
                    .isEmpty();
        }
    }

    @Test
    void a_row_whose_key_has_the_character_0_is_refused_and_finds_nothing() {
        try (var store = TestDatabase.store(TestDatabase.newSchema())) {
            var rows = store.rows();
            assertThatThrownBy(() -> rows.put(new StoredRow("session", "k\0", Payload.of(new byte[1]), null)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("U+0000");
            assertThat(rows.get("session", "k\0", Instant.EPOCH)).isEmpty();
            assertThat(rows.list("session", "k\0", 10, Instant.EPOCH)).isEmpty();
            rows.remove("session", "k\0");
        }
    }
}
