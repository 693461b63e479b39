package io.longhaul.receiver.feature;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UriTemplateCostTest {

    /** Without a memory of failures the places that are tried would be as many as the ways to choose five commas. */
    @Test
    void a_hostile_uri_costs_no_more_than_the_square_of_its_length() {
        var template = UriTemplate.of("{+a},{+b},{+c},{+d},{+e}!");
        int parts = 10;
        for (int length : new int[] {20, 40, 80}) {
            var uri = ",".repeat(length);
            assertThat(template.match(uri)).isEmpty();
            assertThat(template.cost(uri)).isBetween(length, parts * length * length);
        }
    }
}
