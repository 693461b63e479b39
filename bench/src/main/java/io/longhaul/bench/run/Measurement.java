// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one round has found for one row. Immutable.
 *
 * @param suffix  what the title of the row has behind that of the scenario, mostly nothing
 * @param figures in their order; the first one is what the row is about
 */
public record Measurement(String suffix, Map<Figure, Double> figures) {

    public Measurement {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /** Of a row with this figure. */
    public static Measurement of(Figure figure, double value) {
        return new Measurement("", Map.of(figure, value));
    }

    /** The same with one figure more. */
    public Measurement and(Figure figure, double value) {
        var more = new LinkedHashMap<>(figures);
        more.put(figure, value);
        return new Measurement(suffix, more);
    }

    /** The same for the row with this suffix. */
    public Measurement behind(String title) {
        return new Measurement(title, figures);
    }
}
