// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import io.longhaul.cli.terminal.SafeText;
import io.longhaul.cli.terminal.Screen;
import io.longhaul.protocol.json.JsonWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * An event of the log.
 *
 * @param message may contain text of others
 */
record LogLine(
        Instant at,
        Level level,
        String logger,
        String message,
        @Nullable Throwable thrown) {

    private static final int LOGGER_LENGTH = 24;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final Pattern BREAK = Pattern.compile("\\R");

    /** One line, and more only for the trace of an exception. */
    String text() {
        // Line breaks are replaced, so that text of others cannot forge lines.
        var line = TIME.format(at.atZone(ZoneId.systemDefault())) + " " + level
                + (level.name().length() < 5 ? "  " : " ") + abbreviated(logger) + " - "
                + BREAK.matcher(message).replaceAll(" ") + System.lineSeparator();
        return thrown == null ? line : line + Screen.traceOf(thrown);
    }

    /** One JSON object on one line, with the trace of an exception in it. */
    String json() {
        var out = new JsonWriter().beginObject().name("time").string(at.toString());
        out.name("level")
                .string(level.name().toLowerCase(Locale.ROOT))
                .name("logger")
                .string(logger);
        out.name("message").string(message);
        out.optional("exception", thrown == null ? null : Screen.traceOf(thrown));
        return SafeText.line(out.endObject().toJson().toString());
    }

    /** The name of a logger, shortened: as many of its first packages as needed are reduced to their first letters. */
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
