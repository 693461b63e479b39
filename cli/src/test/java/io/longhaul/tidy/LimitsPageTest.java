package io.longhaul.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.ShellCommand;
import io.longhaul.engine.TaskLimits;
import io.longhaul.protocol.WireLimits;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.Rounds;
import io.longhaul.requestor.Timeouts;
import io.longhaul.transport.ClientHttp;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of limits says what the code does. */
class LimitsPageTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW =
            Pattern.compile("^\\| [^|]+ \\| ([^|]+) \\| `(\\w+)\\.(\\w+)`[^|]*\\| [^|]+ \\|$", Pattern.MULTILINE);
    private static final Pattern FIGURE = Pattern.compile("([0-9,]+)( (?:KiB|MiB|ms|s|min|h|days?))?(?:,.*)?");
    private static final Map<String, Long> UNITS = Map.of(
            "KiB", 1L << 10,
            "MiB", 1L << 20,
            "ms", 1L,
            "s", 1_000L,
            "min", 60_000L,
            "h", 3_600_000L,
            "day", 86_400_000L,
            "days", 86_400_000L);

    /** Objects with all defaults, for limits that can be set. */
    private static final Map<String, Object> DEFAULTS = Map.of(
            "WireLimits", WireLimits.DEFAULT,
            "TaskLimits", TaskLimits.DEFAULT,
            "HttpTimeouts", ClientHttp.HttpTimeouts.DEFAULT,
            "PlainHosts", PlainHosts.DEFAULT,
            "Rounds", Rounds.DEFAULT,
            "Timeouts", Timeouts.DEFAULT,
            "Http", Http.onPort(0),
            "ShellCommand", ShellCommand.program("true").build());

    @Test
    void every_figure_whose_place_is_named_is_that_of_the_code() throws Exception {
        var wrong = new TreeMap<String, String>();
        var rows = ROW.matcher(Files.readString(ROOT.resolve("docs/LIMITS.md")));
        int checked = 0;
        while (rows.find()) {
            var figure = FIGURE.matcher(rows.group(1));
            if (!figure.matches()) {
                assertThat(rows.group(1)).as(rows.group()).isEqualTo("none");
                continue;
            }
            checked++;
            String unit = figure.group(2);
            long said = Long.parseLong(figure.group(1).replace(",", "")) * (unit == null ? 1 : UNITS.get(unit.strip()));
            long is = number(rows.group(2), rows.group(3));
            if (said != is) {
                wrong.put(rows.group(2) + "." + rows.group(3), rows.group(1) + " is said, " + is + " is so");
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(checked).isGreaterThan(40);
    }

    private static long number(String type, String name) throws Exception {
        Object defaults = DEFAULTS.get(type);
        Class<?> owner = defaults == null ? Class.forName(className(type)) : defaults.getClass();
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return switch (field.get(defaults)) {
            case Duration duration -> duration.toMillis();
            case Number number -> number.longValue();
            default -> throw new AssertionError(field + " is no figure");
        };
    }

    private static String className(String simpleName) throws IOException {
        String end = "/" + simpleName + ".java";
        try (var files = Files.walk(ROOT)) {
            var found = files.map(file -> ROOT.relativize(file).toString())
                    .filter(file -> file.contains("src/main/java/") && file.endsWith(end))
                    .toList();
            assertThat(found)
                    .as("sources of " + simpleName + ", which docs/LIMITS.md names")
                    .hasSize(1);
            return found.getFirst().replaceAll(".*src/main/java/|\\.java$", "").replace('/', '.');
        }
    }
}
