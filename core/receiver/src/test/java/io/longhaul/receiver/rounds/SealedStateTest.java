// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.RowStore;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.Rounds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a client carries between the rounds of a call. */
class SealedStateTest {

    private static final Duration HOUR = Duration.ofHours(1);
    /** Characters that a state can have, and some that it cannot. */
    private static final String OTHERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ";

    private static final String BINDING = "alice\ndigest of the call";
    private static final CarriedState STATE = new CarriedState(
            null, "parked", Map.of("who", Json.raw("{\"action\":\"decline\"}")), Map.of("who", "digest"), 0);

    private final FakeTime time = new FakeTime();
    private final RowStore rows = new MemoryTaskStore().rows();
    private final SealedState sealed = node();

    @Test
    void what_was_sealed_is_opened_for_the_same_use() {
        assertThat(sealed.open(seal(HOUR), BINDING, time.now())).contains(STATE);
    }

    @Test
    void nobody_else_and_no_other_call_can_use_it() {
        String state = seal(HOUR);
        assertThat(sealed.open(state, "bob\ndigest of the call", time.now())).isEmpty();
        assertThat(sealed.open(state, "alice\ndigest of another", time.now())).isEmpty();
    }

    @Test
    void it_is_good_until_its_expiry_and_never_for_longer_than_its_key_is_kept() {
        String state = seal(HOUR);
        String endless = seal(Duration.ofDays(400));
        time.advance(HOUR.minusMillis(1));
        assertThat(sealed.open(state, BINDING, time.now())).isPresent();
        time.advance(Duration.ofMillis(1));
        assertThat(sealed.open(state, BINDING, time.now())).isEmpty();
        time.advance(Rounds.LONGEST_LIFE.minus(HOUR));
        assertThat(sealed.open(endless, BINDING, time.now())).isEmpty();
    }

    @Test
    void every_single_changed_character_spoils_it() {
        for (String given : List.of("", "x", "xy")) {
            var carried = CarriedState.ofTask(given, 7);
            String state = sealed.seal(carried, BINDING, time.now().plus(HOUR));
            assertThat(sealed.open(state, BINDING, time.now())).contains(carried);
            for (int i = 0; i < state.length(); i++) {
                for (char other : OTHERS.toCharArray()) {
                    if (other != state.charAt(i)) {
                        String changed = state.substring(0, i) + other + state.substring(i + 1);
                        assertThat(sealed.open(changed, BINDING, time.now()))
                                .as(changed)
                                .isEmpty();
                    }
                }
            }
        }
    }

    @Test
    void it_has_one_spelling() {
        String state = seal(HOUR);
        for (String broken : new String[] {
            "",
            ".",
            state + "-TAMPERED",
            state + "A",
            state + "=",
            state + "==",
            " " + state,
            "x.y",
            "a".repeat(100) + ".AA"
        }) {
            assertThat(sealed.open(broken, BINDING, time.now())).as(broken).isEmpty();
        }
    }

    @Test
    void nothing_of_it_can_be_read_and_the_same_state_never_looks_the_same() {
        String state = seal(HOUR);
        var bytes = java.util.Base64.getUrlDecoder().decode(state.substring(state.indexOf('.') + 1));
        assertThat(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain("who")
                .doesNotContain("decline");
        assertThat(seal(HOUR)).isNotEqualTo(state);
    }

    @Test
    void another_node_on_the_same_store_opens_it_and_a_stranger_does_not() {
        String state = seal(HOUR);
        assertThat(node().open(state, BINDING, time.now())).contains(STATE);
        var stranger =
                new SealedState(new SealKeys(new MemoryTaskStore().rows(), new Random(9), HOUR), new Random(9), time);
        assertThat(stranger.open(state, BINDING, time.now())).isEmpty();
    }

    @Test
    void a_key_makes_way_after_its_time_and_still_opens_what_it_has_sealed() {
        String before = seal(HOUR.multipliedBy(20));
        time.advance(HOUR.multipliedBy(2));
        String after = seal(HOUR);
        assertThat(key(after)).isNotEqualTo(key(before));
        assertThat(sealed.open(before, BINDING, time.now())).isPresent();
        assertThat(node().open(before, BINDING, time.now())).isPresent();
        assertThat(node().open(after, BINDING, time.now())).isPresent();
    }

    @Test
    void nodes_on_the_same_store_seal_with_one_key_after_a_rotation_too() {
        var other = node();
        seal(HOUR);
        other.seal(STATE, BINDING, time.now().plus(HOUR));
        time.advance(HOUR.multipliedBy(2));
        String one = seal(HOUR);
        assertThat(key(other.seal(STATE, BINDING, time.now().plus(HOUR)))).isEqualTo(key(one));
        assertThat(rows.list("seal-key", null, 10, time.now())).hasSize(2);
    }

    @Test
    void a_key_is_forgotten_when_nothing_that_it_has_sealed_can_live_any_more() {
        seal(HOUR);
        time.advance(HOUR.plus(Rounds.LONGEST_LIFE));
        seal(HOUR);
        assertThat(rows.list("seal-key", null, 10, time.now())).hasSize(1);
    }

    private SealedState node() {
        return new SealedState(new SealKeys(rows, new Random(7), HOUR), new Random(8), time);
    }

    private String seal(Duration life) {
        return sealed.seal(STATE, BINDING, time.now().plus(life));
    }

    private static String key(String state) {
        return state.substring(0, state.indexOf('.'));
    }
}
