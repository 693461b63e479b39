// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import java.util.List;
import java.util.stream.Collectors;

/** Figures as a row of bars. */
final class Sparkline {
    private static final String BARS = "▁▂▃▄▅▆▇█";

    private Sparkline() {}

    /** A bar for each figure: the highest bar for {@code most}, the lowest bar for zero. */
    static String of(List<? extends Number> figures, double most) {
        return figures.stream()
                .map(figure -> BARS.charAt((int) Math.clamp(
                        Math.ceil(figure.doubleValue() / Math.max(most, Double.MIN_NORMAL) * (BARS.length() - 1)),
                        0,
                        BARS.length() - 1)))
                .map(String::valueOf)
                .collect(Collectors.joining());
    }

    /** The last {@code count} figures, or fewer. */
    static <T> List<T> last(List<T> figures, int count) {
        return figures.subList(Math.max(0, figures.size() - count), figures.size());
    }
}
