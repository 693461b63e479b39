// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was measured of one scenario in all rounds. Immutable.
 *
 * @param scenario which
 * @param suffix   what its title has behind that of the scenario
 * @param rounds   what each round has found
 */
public record Row(Scenario scenario, String suffix, List<Map<Figure, Double>> rounds) {

    public Row {
        rounds = List.copyOf(rounds);
    }

    /** What people read. */
    public String title() {
        return scenario.title() + suffix;
    }

    Set<Figure> figures() {
        return rounds.getFirst().keySet();
    }

    /** The figure that the row is about. */
    Figure main() {
        return figures().iterator().next();
    }

    /** The median of a figure over the rounds. */
    double median(Figure figure) {
        return Medians.of(values(figure));
    }

    /** How far the rounds lie apart, as a part of the median. */
    double spread() {
        var values = values(main());
        var range = Arrays.stream(values).max().orElse(0)
                - Arrays.stream(values).min().orElse(0);
        return range / Math.max(1e-9, median(main()));
    }

    double[] values(Figure figure) {
        return rounds.stream().mapToDouble(round -> round.get(figure)).toArray();
    }
}
