// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.text;

import io.longhaul.protocol.call.TaskView.ProgressView;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Progress as one line of text. */
public final class ProgressLine {
    private static final int BAR = 24;
    private static final int LEAST_WIDTH_WITH_BAR = 50;

    private ProgressLine() {}

    /** A bar, where there is room: {@code [=======> ] 42% reading 12s}. */
    public static String bar(@Nullable ProgressView progress, String message, Duration elapsed, int width) {
        var line = new StringBuilder();
        var share = share(progress);
        if (share >= 0) {
            if (width >= LEAST_WIDTH_WITH_BAR) {
                int done = (int) (share * BAR);
                line.append('[')
                        .append("=".repeat(done))
                        .append(done < BAR ? ">" : "")
                        .append(" ".repeat(Math.max(0, BAR - done - 1)))
                        .append("] ");
            }
            line.append(String.format(Locale.ROOT, "%3d%%", (int) (share * 100)));
        } else if (progress != null) {
            line.append(number(progress.current()));
        }
        var time = "  " + Elapsed.text(elapsed);
        var text = message.isEmpty() ? "" : "  " + SafeText.line(unrepeated(figure(progress), message));
        var head = line.toString();
        return SafeText.fit(
                head + SafeText.fit(text, Math.max(0, width - head.length() - time.length())) + time, width);
    }

    /** Plain words for a log: {@code 42% reading}. The figure is left out where the message has the same percentage. */
    public static String plain(@Nullable ProgressView progress, String message) {
        var figure = figure(progress);
        var words = SafeText.line(unrepeated(figure, message));
        boolean isSaid = figure.endsWith("%")
                && Pattern.compile("(?<![\\d.])" + figure).matcher(words).find();
        return (isSaid ? words : figure + " " + words).strip();
    }

    private static String figure(@Nullable ProgressView progress) {
        var share = share(progress);
        return share >= 0
                ? String.format(Locale.ROOT, "%d%%", (int) (share * 100))
                : progress == null ? "" : number(progress.current());
    }

    /** The message without the figure before it, with which some generations begin their messages. */
    private static String unrepeated(String figure, String message) {
        var begin = figure + ": ";
        return !figure.isEmpty() && message.startsWith(begin) ? message.substring(begin.length()) : message;
    }

    /** The share of the work that is done, from 0 to 1; less than 0 where it is unknown. */
    static double share(@Nullable ProgressView progress) {
        if (progress == null || progress.total() == null || !(progress.total() > 0)) {
            return -1;
        }
        return Math.clamp(progress.current() / progress.total(), 0, 1);
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.1f", value);
    }
}
