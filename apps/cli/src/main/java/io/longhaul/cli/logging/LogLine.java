// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.logging;

import io.longhaul.cli.terminal.Screen;
import io.longhaul.cli.text.SafeText;
import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.json.JsonWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.");
    private static final Pattern BREAK = Pattern.compile("\\R");

    /** The short names of loggers; a process has few loggers. */
    private static final Map<String, String> SHORT = new ConcurrentHashMap<>();

    private static volatile Second latest = new Second(Instant.MIN.getEpochSecond(), "");

    /** A second of the clock as a line shows it. A server writes thousands of lines in a second. */
    private record Second(long epoch, String text) {

        static String of(Instant at) {
            var second = latest;
            if (second.epoch != at.getEpochSecond()) {
                second = new Second(at.getEpochSecond(), TIME.format(at.atZone(ZoneId.systemDefault())));
                latest = second;
            }
            return second.text;
        }
    }

    /** One line without its end; only the trace of an exception adds lines, which are indented. */
    String text() {
        int millis = (int) Math.floorMod(at.toEpochMilli(), 1_000L);
        var line = new StringBuilder(80 + message.length()).append(Second.of(at));
        line.append((char) ('0' + millis / 100)).append((char) ('0' + millis / 10 % 10));
        line.append((char) ('0' + millis % 10)).append(' ').append(level.name());
        line.append(level.name().length() < 5 ? "  " : " ");
        line.append(SHORT.computeIfAbsent(logger, LogLine::abbreviated));
        line.append(" - ").append(harmless(message));
        if (thrown != null) {
            line.append("\n  ").append(SafeText.quote(Screen.traceOf(thrown)));
        }
        return line.toString();
    }

    /** Makes text of others harmless: it can neither forge lines nor control the terminal that shows the file. */
    private static String harmless(String message) {
        for (int i = 0; i < message.length(); i++) {
            char c = message.charAt(i);
            if (c < ' ' || c > '~') {
                return SafeText.line(BREAK.matcher(message).replaceAll(" "));
            }
        }
        return message;
    }

    /** One JSON object on one line, with the trace of an exception in it. */
    String json() {
        var out = new JsonWriter().beginObject().name("time").string(at.toString());
        out.name("level").string(EnumWords.of(level)).name("logger").string(logger);
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
