// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundedMapTest {

    private final Map<Integer, String> inserted = full(BoundedMap.byInsertion(2));

    private static Map<Integer, String> full(Map<Integer, String> map) {
        map.put(1, "one");
        map.put(2, "two");
        return map;
    }

    @Test
    void one_entry_too_many_removes_the_entry_that_was_inserted_first() {
        inserted.get(1);
        inserted.put(3, "three");
        assertThat(inserted).containsOnlyKeys(2, 3);
    }

    @Test
    void a_value_that_is_replaced_keeps_the_age_of_its_entry_and_removes_no_other() {
        inserted.put(1, "uno");
        assertThat(inserted).containsEntry(1, "uno").containsOnlyKeys(1, 2);
        inserted.put(3, "three");
        assertThat(inserted).containsOnlyKeys(2, 3);
    }

    @Test
    void a_value_that_is_put_last_renews_the_age_of_its_entry() {
        var map = BoundedMap.<Integer, String>byInsertion(2);
        map.putLast(1, "one");
        map.putLast(2, "two");
        map.putLast(1, "uno");
        map.putLast(3, "three");
        assertThat(map).containsOnlyKeys(1, 3);
    }

    @Test
    void a_computed_entry_counts_like_one_that_was_put() {
        assertThat(inserted.computeIfAbsent(3, key -> "three")).isEqualTo("three");
        assertThat(inserted).containsOnlyKeys(2, 3);
    }

    @Test
    void a_map_by_use_keeps_the_entry_that_was_read_last() {
        var used = full(BoundedMap.byUse(2));
        used.get(1);
        used.put(3, "three");
        assertThat(used).containsOnlyKeys(1, 3);
    }

    @Test
    void a_bounded_map_makes_a_bounded_set() {
        var set = Collections.<Integer>newSetFromMap(BoundedMap.byInsertion(2));
        set.add(1);
        set.add(2);
        set.add(3);
        assertThat(set).containsExactly(2, 3);
    }

    @Test
    void a_map_for_no_entry_is_refused() {
        assertThatThrownBy(() -> BoundedMap.byUse(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
