// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Things by unique names, in the order in which they were added. */
class CatalogTest {

    private final AtomicInteger changes = new AtomicInteger();
    private final Catalog<String> catalog = new Catalog<>("word", word -> word, changes::incrementAndGet);

    @Test
    void a_name_is_taken_once() {
        assertThat(catalog.add("a")).isTrue();
        assertThat(catalog.add("a")).isFalse();
        assertThat(catalog.find("a")).contains("a");
        assertThat(catalog.all()).containsExactly("a");
    }

    @Test
    void a_name_is_free_again_when_its_value_is_removed() {
        catalog.add("a");
        catalog.add("b");
        assertThat(catalog.remove("a")).isTrue();
        assertThat(catalog.remove("a")).isFalse();
        assertThat(catalog.find("a")).isEmpty();
        assertThat(catalog.add("a")).isTrue();
        assertThat(catalog.all()).containsExactly("b", "a");
    }

    @Test
    void a_value_that_is_put_takes_the_place_of_the_one_with_its_name_and_is_found_at_any_time() {
        var found = new ArrayList<String>();
        var holder = new ArrayList<Catalog<String>>();
        var numbered = new Catalog<String>(
                "word",
                word -> word.substring(0, 1),
                () -> found.add(holder.getFirst().find("a").orElse("none")));
        holder.add(numbered);
        numbered.put("a1");
        numbered.put("b1");
        numbered.put("a2");
        assertThat(numbered.all()).containsExactly("a2", "b1");
        assertThat(found).containsExactly("a1", "a1", "a2");
    }

    @Test
    void only_changes_are_told() {
        catalog.add("a");
        catalog.add("a");
        catalog.remove("b");
        assertThat(changes).hasValue(1);
        catalog.remove("a");
        assertThat(changes).hasValue(2);
    }

    @Test
    void a_catalog_that_is_empty_again_was_used() {
        assertThat(catalog.isUsed()).isFalse();
        catalog.remove("a");
        assertThat(catalog.isUsed()).isFalse();
        catalog.add("a");
        catalog.remove("a");
        assertThat(catalog.isUsed()).isTrue();
    }

    @Test
    void a_hundred_values_are_one_page() {
        fill(100);
        var page = catalog.page(null).orElseThrow();
        assertThat(page.items()).hasSize(100);
        assertThat(page.next()).isNull();
    }

    @Test
    void pages_shift_nothing_when_values_are_added_and_removed_between_them() {
        fill(250);
        var first = catalog.page(null).orElseThrow();
        catalog.remove("w0");
        catalog.remove("w99");
        catalog.remove("w100");
        catalog.add("new");
        List<String> rest = new ArrayList<>();
        for (var cursor = first.next(); cursor != null; ) {
            var page = catalog.page(cursor).orElseThrow();
            rest.addAll(page.items());
            cursor = page.next();
        }
        assertThat(first.items()).hasSize(100).startsWith("w0").endsWith("w99");
        assertThat(rest).hasSize(150).startsWith("w101").endsWith("w249", "new");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?", "word:1", "0", "-1", "1x", "99999999999999999999"})
    void a_cursor_that_no_page_gave_is_refused(String place) {
        fill(1);
        assertThat(catalog.page(place)).isEmpty();
        assertThat(catalog.page(Cursors.seal("word:", place))).isEmpty();
    }

    @Test
    void a_cursor_of_another_list_is_refused() {
        fill(1);
        assertThat(catalog.page(Cursors.seal("word:", "1"))).isPresent();
        assertThat(catalog.page(Cursors.seal("tool:", "1"))).isEmpty();
    }

    private void fill(int size) {
        IntStream.range(0, size).forEach(i -> catalog.add("w" + i));
    }
}
