// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.longhaul.engine.store.StoreInUseException;
import io.longhaul.protocol.json.Json;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteHandleStoreTest {

    private static final Json FIRST = Json.raw("{\"n\":1}");
    private static final Json SECOND = Json.raw("{\"n\":2}");

    @TempDir
    Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

    private SqliteHandleStore open() {
        return SqliteHandleStore.at(folder.resolve("calls.db"), now::get);
    }

    @Test
    void handles_survive_a_restart_and_the_last_one_of_an_id_counts() {
        try (var store = open()) {
            store.put("a", FIRST, null);
            store.put("a", SECOND, null);
            store.put("b", FIRST, null);
            store.remove("b");
            store.remove("unknown");
        }
        try (var store = open()) {
            assertThat(store.all()).containsExactly(entry("a", SECOND));
        }
    }

    @Test
    void a_handle_is_gone_when_it_has_expired() {
        try (var store = open()) {
            store.put("a", FIRST, now.get().plusSeconds(10));
            store.put("b", FIRST, null);
            now.set(now.get().plusSeconds(9));
            assertThat(store.all()).containsOnlyKeys("a", "b");
            now.set(now.get().plusSeconds(1));
            assertThat(store.all()).containsOnlyKeys("b");
        }
    }

    @Test
    void all_handles_are_listed_though_there_are_many() {
        try (var store = open()) {
            for (int number = 0; number < 1_001; number++) {
                store.put("call-" + number, FIRST, null);
            }
            assertThat(store.all()).hasSize(1_001);
        }
    }

    @Test
    void a_second_process_is_told_that_the_file_is_in_use() {
        try (var store = open()) {
            assertThatThrownBy(this::open).isInstanceOf(StoreInUseException.class);
        }
    }
}
