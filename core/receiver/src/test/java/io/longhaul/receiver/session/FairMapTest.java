// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.transport.Share;
import org.junit.jupiter.api.Test;

/** Who makes way where there is no room for all. */
class FairMapTest {

    private static final Share MANY = new Share("many");
    private static final Share FEW = new Share("few");

    private final FairMap<String> room = new FairMap<>(4);

    private void fill() {
        room.put("few-1", FEW, "few-1");
        room.put("many-1", MANY, "many-1");
        room.put("many-2", MANY, "many-2");
        room.put("many-3", MANY, "many-3");
    }

    @Test
    void the_share_that_has_the_most_makes_way_for_itself_and_for_others() {
        fill();
        assertThat(room.put("many-4", MANY, "many-4")).containsExactly("many-1");
        assertThat(room.put("few-2", FEW, "few-2")).containsExactly("many-2");
        assertThat(room.all()).containsExactly("few-1", "many-3", "many-4", "few-2");
    }

    @Test
    void of_one_share_the_thing_that_was_used_the_longest_ago_makes_way() {
        fill();
        assertThat(room.get("many-1")).contains("many-1");
        assertThat(room.put("many-4", MANY, "many-4")).containsExactly("many-2");
    }

    @Test
    void a_thing_in_place_of_another_takes_no_more_room_and_one_that_is_taken_out_none() {
        fill();
        assertThat(room.put("many-2", MANY, "again")).isEmpty();
        assertThat(room.remove("many-2")).contains("again");
        assertThat(room.remove("many-2")).isEmpty();
        assertThat(room.put("few-2", FEW, "few-2")).isEmpty();
        assertThat(room.put("few-3", FEW, "few-3")).containsExactly("few-1");
    }

    @Test
    void where_there_is_no_room_at_all_the_newcomer_makes_way() {
        assertThat(new FairMap<String>(0).put("a", FEW, "a")).containsExactly("a");
    }
}
