// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The measurements of one scenario in all rounds. Immutable.
 *
 * @param scenario the scenario
 * @param suffix   the suffix of its title after the title of the scenario
 * @param rounds   the figures of each round
 */
public record Row(Scenario scenario, String suffix, List<Map<Figure, Double>> rounds) {

    public Row {
        rounds = List.copyOf(rounds);
    }

    public String title() {
        return scenario.title() + suffix;
    }

    Set<Figure> figures() {
        return rounds.getFirst().keySet();
    }

    Figure main() {
        return figures().iterator().next();
    }

    double median(Figure figure) {
        return Medians.of(values(figure));
    }

    /** The range of the rounds, as a share of the median. */
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
