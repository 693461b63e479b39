// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParcelTest {

    @ParameterizedTest
    @CsvSource({"1000, 10, 10, 10, 1000", "100, 10, 10, 10, 200", "1, 100, 50, 20, 20000"})
    void a_light_parcel_is_billed_by_its_size(int grams, int length, int width, int height, int billed) {
        assertEquals(billed, new Parcel(grams, length, width, height).billedGrams());
    }

    @Test
    void the_girth_goes_along_the_longest_side() {
        assertEquals(100 + 2 * (20 + 10), new Parcel(1, 20, 100, 10).girth());
    }

    @Test
    void a_parcel_has_a_weight() {
        assertThrows(IllegalArgumentException.class, () -> new Parcel(0, 1, 1, 1));
    }
}
