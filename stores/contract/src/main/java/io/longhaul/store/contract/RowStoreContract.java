// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of the {@link io.longhaul.engine.store.RowStore} of every {@link TaskStore}. */
abstract class RowStoreContract extends StoreContract {

    RowStoreContract(TaskStoreContract stores) {
        super(stores);
    }

    @Test
    void a_row_survives_a_restart() throws Exception {
        var row = row("session", "ключ 🚀", NOW.plusNanos(1));
        store.rows().put(row);
        var endless = row("session", "b", null);
        store.rows().put(endless);
        store = reopen(store);
        assertThat(store.rows().get("session", "ключ 🚀", NOW)).contains(row);
        assertThat(store.rows().get("session", "b", Instant.MAX)).contains(endless);
    }

    @Test
    void an_unknown_row_and_one_of_another_space_are_not_found() {
        store.rows().put(row("session", "a", null));
        assertThat(store.rows().get("session", "b", NOW)).isEmpty();
        assertThat(store.rows().get("remote", "a", NOW)).isEmpty();
    }

    @Test
    void a_second_put_replaces_the_first() {
        store.rows().put(row("session", "a", NOW.plusSeconds(1)));
        var second = new StoredRow("session", "a", Payload.EMPTY, null);
        store.rows().put(second);
        assertThat(store.rows().get("session", "a", NOW.plusSeconds(2))).contains(second);
        assertThat(store.rows().list("session", null, 10, NOW)).containsExactly(second);
    }

    @Test
    void an_expired_row_is_not_found_from_that_moment_on() {
        store.rows().put(row("session", "a", NOW));
        assertThat(store.rows().get("session", "a", NOW.minusNanos(1))).isPresent();
        assertThat(store.rows().get("session", "a", NOW)).isEmpty();
        assertThat(store.rows().list("session", null, 10, NOW)).isEmpty();
    }

    @Test
    void rows_are_listed_in_the_order_of_their_keys_by_cursor() {
        for (var key : new String[] {"c", "a", "d", "b", ""}) {
            store.rows().put(row("session", key, null));
        }
        store.rows().put(row("remote", "aa", null));
        assertThat(store.rows().list("session", null, 2, NOW))
                .extracting(StoredRow::key)
                .containsExactly("", "a");
        assertThat(store.rows().list("session", "a", 9, NOW))
                .extracting(StoredRow::key)
                .containsExactly("b", "c", "d");
        assertThat(store.rows().list("session", "d", 9, NOW)).isEmpty();
        assertThat(store.rows().list("session", null, 0, NOW)).isEmpty();
    }

    @Test
    void a_removed_row_is_gone_and_removing_it_again_does_nothing() {
        store.rows().put(row("session", "a", null));
        store.rows().remove("session", "a");
        store.rows().remove("session", "a");
        assertThat(store.rows().get("session", "a", NOW)).isEmpty();
    }

    @Test
    void a_change_is_made_of_the_row_as_it_stands_and_given_back() {
        store.rows().put(row("session", "a", NOW.plusSeconds(1)));
        var longer = row("session", "a", null);
        assertThat(store.rows().change("session", "a", NOW, before -> {
                    assertThat(before).isEqualTo(row("session", "a", NOW.plusSeconds(1)));
                    return longer;
                }))
                .contains(longer);
        assertThat(store.rows().get("session", "a", Instant.MAX)).contains(longer);
    }

    @Test
    void a_row_that_is_gone_or_has_expired_is_not_changed_nor_written_again() {
        store.rows().put(row("session", "expired", NOW));
        store.rows().put(row("session", "removed", null));
        store.rows().remove("session", "removed");
        for (var key : new String[] {"expired", "removed", "never"}) {
            assertThat(store.rows().change("session", key, NOW, before -> row("session", key, null)))
                    .isEmpty();
        }
        assertThat(store.rows().list("session", null, 9, NOW)).isEmpty();
    }

    @Test
    void no_change_of_a_row_is_lost_however_many_come_at_once() throws Exception {
        store.rows().put(new StoredRow("count", "a", Payload.ofText("0"), null));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < 40; i++) {
                threads.submit(() -> store.rows().change("count", "a", NOW, RowStoreContract::counted));
            }
        }
        assertThat(store.rows().get("count", "a", NOW))
                .map(row -> row.value().text())
                .contains("40");
    }

    private static StoredRow counted(StoredRow row) {
        int count = Integer.parseInt(row.value().text()) + 1;
        return new StoredRow(row.space(), row.key(), Payload.ofText(Integer.toString(count)), row.expiresAt());
    }

    @Test
    void sweep_removes_expired_rows_up_to_its_limit_within_an_hour_and_no_others() {
        var later = NOW.plus(Duration.ofHours(1));
        for (var i = 0; i < 5; i++) {
            store.rows().put(row("space " + i, "a", NOW));
        }
        store.rows().put(row("session", "later", later.plusNanos(1)));
        store.rows().put(row("session", "never", null));
        assertThat(store.rows().sweep(NOW.minusNanos(1), 3)).isZero();
        assertThat(store.rows().sweep(later, 3)).isEqualTo(3);
        assertThat(store.rows().sweep(later, 3)).isEqualTo(2);
        assertThat(store.rows().sweep(later, 3)).isZero();
        assertThat(store.rows().list("session", null, 9, NOW)).hasSize(2);
    }

    private static StoredRow row(String space, String key, @Nullable Instant expiresAt) {
        return new StoredRow(space, key, Payload.ofText("{\"of\":\"" + key + "\"}"), expiresAt);
    }
}
