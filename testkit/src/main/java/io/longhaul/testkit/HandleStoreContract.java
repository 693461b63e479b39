package io.longhaul.testkit;

import static io.longhaul.testkit.TaskFixtures.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.HandleStore.Handle;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Payload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the {@link io.longhaul.engine.store.HandleStore} of every {@link TaskStore} must do. */
public abstract class HandleStoreContract extends StoreContract {
    @Test
    void a_handle_survives_a_restart() throws Exception {
        var handle = handle("session", "ключ 🚀", NOW.plusNanos(1));
        store.handles().put(handle);
        var endless = handle("session", "b", null);
        store.handles().put(endless);
        store = reopen(store);
        assertThat(store.handles().get("session", "ключ 🚀", NOW)).contains(handle);
        assertThat(store.handles().get("session", "b", Instant.MAX)).contains(endless);
    }

    @Test
    void an_unknown_handle_and_one_of_another_space_are_not_found() {
        store.handles().put(handle("session", "a", null));
        assertThat(store.handles().get("session", "b", NOW)).isEmpty();
        assertThat(store.handles().get("remote", "a", NOW)).isEmpty();
    }

    @Test
    void a_second_put_replaces_the_first() {
        store.handles().put(handle("session", "a", NOW.plusSeconds(1)));
        var second = new Handle("session", "a", Payload.EMPTY, null);
        store.handles().put(second);
        assertThat(store.handles().get("session", "a", NOW.plusSeconds(2))).contains(second);
        assertThat(store.handles().list("session", null, 10, NOW)).containsExactly(second);
    }

    @Test
    void an_expired_handle_is_not_found_from_that_moment_on() {
        store.handles().put(handle("session", "a", NOW));
        assertThat(store.handles().get("session", "a", NOW.minusNanos(1))).isPresent();
        assertThat(store.handles().get("session", "a", NOW)).isEmpty();
        assertThat(store.handles().list("session", null, 10, NOW)).isEmpty();
    }

    @Test
    void handles_are_listed_in_the_order_of_their_keys_by_cursor() {
        for (var key : new String[] {"c", "a", "d", "b", ""}) {
            store.handles().put(handle("session", key, null));
        }
        store.handles().put(handle("remote", "aa", null));
        assertThat(store.handles().list("session", null, 2, NOW))
                .extracting(Handle::key)
                .containsExactly("", "a");
        assertThat(store.handles().list("session", "a", 9, NOW))
                .extracting(Handle::key)
                .containsExactly("b", "c", "d");
        assertThat(store.handles().list("session", "d", 9, NOW)).isEmpty();
        assertThat(store.handles().list("session", null, 0, NOW)).isEmpty();
    }

    @Test
    void a_removed_handle_is_gone_and_removing_it_again_does_nothing() {
        store.handles().put(handle("session", "a", null));
        store.handles().remove("session", "a");
        store.handles().remove("session", "a");
        assertThat(store.handles().get("session", "a", NOW)).isEmpty();
    }

    @Test
    void sweep_removes_expired_handles_up_to_its_limit_and_no_others() {
        for (var i = 0; i < 5; i++) {
            store.handles().put(handle("space " + i, "a", NOW));
        }
        store.handles().put(handle("session", "later", NOW.plusNanos(1)));
        store.handles().put(handle("session", "never", null));
        assertThat(store.handles().sweep(NOW, 3)).isEqualTo(3);
        assertThat(store.handles().sweep(NOW, 3)).isEqualTo(2);
        assertThat(store.handles().sweep(NOW, 3)).isZero();
        assertThat(store.handles().list("session", null, 9, NOW)).hasSize(2);
    }

    private static Handle handle(String space, String key, @Nullable Instant expiresAt) {
        return new Handle(space, key, Payload.ofText("{\"of\":\"" + key + "\"}"), expiresAt);
    }
}
