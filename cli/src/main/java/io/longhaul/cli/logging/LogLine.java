package io.longhaul.cli.logging;

import io.longhaul.cli.terminal.Screen;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * An event of the log.
 *
 * @param message may hold text of others
 */
record LogLine(
        Instant at,
        Level level,
        String logger,
        String message,
        @Nullable Throwable thrown) {

    private static final int LOGGER_LENGTH = 24;

    /** One line, and more only for the trace of an exception. */
    String text() {
        // Text of others must not make lines of its own.
        var line = String.format(
                "%1$tT.%1$tL %2$-5s %3$s - %4$s%n",
                at.atZone(ZoneId.systemDefault()), level, abbreviated(logger), message.replaceAll("\\R", " "));
        return thrown == null ? line : line + Screen.traceOf(thrown);
    }

    /** As many of the first packages as needed are told by their first letters. */
    private static String abbreviated(String name) {
        var text = new StringBuilder(name);
        int start = 0;
        for (int end = text.indexOf("."); end >= 0 && text.length() > LOGGER_LENGTH; end = text.indexOf(".", start)) {
            text.delete(start + 1, end);
            start += 2;
        }
        return text.toString();
    }
}
