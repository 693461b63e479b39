// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TariffTest {

    private final Tariff tariff = new Tariff().upTo(1_000, 495).upTo(5_000, 795).upTo(31_500, 1_895);

    @ParameterizedTest
    @CsvSource({"999, 495", "1000, 495", "1001, 795", "5001, 1895", "31500, 1895"})
    void each_step_ends_with_its_weight(int grams, int cents) {
        assertEquals(cents, tariff.cents(new Parcel(grams, 10, 10, 10)));
    }

    @Test
    void nothing_is_taken_that_is_too_heavy_or_too_large() {
        assertThrows(IllegalArgumentException.class, () -> tariff.cents(new Parcel(31_501, 10, 10, 10)));
        assertThrows(IllegalArgumentException.class, () -> tariff.cents(new Parcel(1, 290, 10, 10)));
    }
}
