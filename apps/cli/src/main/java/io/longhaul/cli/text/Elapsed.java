// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.text;

import java.time.Duration;

/** How long something took or lasts, for people. */
public final class Elapsed {

    private Elapsed() {}

    /** {@code 7s}, {@code 5m12s}, {@code 2h05m} or {@code 3d4h}. */
    public static String text(Duration time) {
        var since = time.isNegative() ? Duration.ZERO : time;
        if (since.toDays() > 0) {
            return since.toDays() + "d" + since.toHoursPart() + "h";
        }
        if (since.toHours() > 0) {
            return "%dh%02dm".formatted(since.toHours(), since.toMinutesPart());
        }
        return since.toMinutes() > 0
                ? "%dm%02ds".formatted(since.toMinutes(), since.toSecondsPart())
                : since.toSeconds() + "s";
    }
}
