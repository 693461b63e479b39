// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The figures of one row from one round. Immutable.
 *
 * @param suffix  the suffix of the row's title after the title of the scenario, usually empty
 * @param figures the figures in their order; the first one is the main figure of the row
 */
public record Measurement(String suffix, Map<Figure, Double> figures) {

    public Measurement {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    public static Measurement of(Figure figure, double value) {
        return new Measurement("", Map.of(figure, value));
    }

    public Measurement and(Figure figure, double value) {
        var more = new LinkedHashMap<>(figures);
        more.put(figure, value);
        return new Measurement(suffix, more);
    }

    public Measurement behind(String title) {
        return new Measurement(title, figures);
    }
}
