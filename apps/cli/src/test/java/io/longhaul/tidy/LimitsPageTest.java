// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.ShellCommand;
import io.longhaul.cli.config.Limit;
import io.longhaul.cli.config.Limits;
import io.longhaul.engine.TaskLimits;
import io.longhaul.protocol.WireLimits;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.Rounds;
import io.longhaul.requestor.Timeouts;
import io.longhaul.server.Rates;
import io.longhaul.transport.ClientHttp;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of limits says what the code does. */
class LimitsPageTest {

    private static final Path ROOT = Path.of("../..");
    private static final Pattern ROW = Pattern.compile(
            "^\\| [^|]+ \\| ([^|]+) \\| `(\\w+)\\.(\\w+)`[^|]*\\| [^|]+ \\| [^|]+ \\|$", Pattern.MULTILINE);
    private static final Pattern TESTED = Pattern.compile("^\\|.* \\| `(\\w+)#(\\w+)` \\|$", Pattern.MULTILINE);
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
            "Rates", Rates.NONE,
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

    /** What a deployer sets by name, as the server gets it. */
    private static Map<String, Object> served(Limits limits) {
        var http = Http.onPort(0);
        limits.apply(http);
        return Map.of(
                "WireLimits", limits.wire(),
                "TaskLimits", limits.tasks(),
                "PlainHosts", limits.hosts(PlainHosts.DEFAULT),
                "Rounds", limits.rounds(),
                "Rates", limits.rates(),
                "Http", http);
    }

    @Test
    void each_limit_with_a_name_sets_what_its_row_says_and_nothing_else() throws Exception {
        var page = Files.readString(ROOT.resolve("docs/LIMITS.md"));
        var wrong = new TreeMap<String, Object>();
        for (var limit : Limit.values()) {
            var rows = Pattern.compile(
                            "^\\|.*\\| `(\\w+\\.\\w+)`, `limits\\." + limit.word() + "`.*", Pattern.MULTILINE)
                    .matcher(page)
                    .results()
                    .map(row -> row.group(1))
                    .collect(Collectors.toSet());
            var sets = differences(served(Limits.DEFAULT), served(anotherFigure(limit)));
            if (!rows.equals(sets)) {
                wrong.put(limit.word(), rows + " is said, " + sets + " is so");
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void each_setting_of_a_server_on_the_page_has_a_name_and_each_name_is_that_of_a_limit() throws Exception {
        var page = Files.readString(ROOT.resolve("docs/LIMITS.md"));
        var unnamed = Pattern.compile(
                        "^\\|.*\\| `((?:WireLimits|TaskLimits|PlainHosts|Rounds|Rates|Http)\\.\\w+)`",
                        Pattern.MULTILINE)
                .matcher(page)
                .results()
                .map(row -> row.group(1))
                .filter(setting -> !page.contains("`" + setting + "`, `limits."));
        assertThat(unnamed).isEmpty();
        assertThat(Pattern.compile("`limits\\.(\\w+)`").matcher(page).results().map(name -> name.group(1)))
                .hasSizeGreaterThan(20)
                .isSubsetOf(Limit.words());
    }

    @Test
    void each_bound_names_a_test_that_exists() throws Exception {
        var page = Files.readString(ROOT.resolve("docs/LIMITS.md"));
        var sources = testSources();
        var rows = TESTED.matcher(page).results().toList();
        assertThat(rows).as("rows that end with a test").hasSize(rows(page));
        for (var row : rows) {
            assertThat(sources.get(row.group(1)))
                    .as(row.group(1) + "#" + row.group(2))
                    .isNotNull()
                    .contains("void " + row.group(2) + "(");
        }
    }

    private static int rows(String page) {
        return (int) page.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| limit |"))
                .count();
    }

    /** The text of each test class, and of each contract that tests extend. */
    private static Map<String, String> testSources() throws IOException {
        try (var files = Files.walk(ROOT)) {
            var texts = new TreeMap<String, String>();
            for (var file : files.filter(file -> file.toString().matches(".*/src/.*(Test|Contract)\\.java"))
                    .toList()) {
                texts.merge(file.getFileName().toString().replace(".java", ""), Files.readString(file), String::concat);
            }
            return texts;
        }
    }

    /** A figure that differs from the default, and goes together with all defaults. */
    private static Limits anotherFigure(Limit limit) throws Exception {
        for (var text : List.of("8d", "3d", "2s", "5KB", "77")) {
            try {
                var limits = Limits.DEFAULT.with(limit, text);
                if (!differences(served(Limits.DEFAULT), served(limits)).isEmpty()) {
                    return limits;
                }
            } catch (IllegalArgumentException e) {
                // The next one may be of its kind.
            }
        }
        return Limits.DEFAULT;
    }

    private static Set<String> differences(Map<String, Object> some, Map<String, Object> others) throws Exception {
        var names = new TreeSet<String>();
        for (var type : some.keySet()) {
            for (var field : some.get(type).getClass().getDeclaredFields()) {
                field.setAccessible(true);
                boolean isFigure = field.getType().isPrimitive() || field.getType() == Duration.class;
                if (isFigure && !field.get(some.get(type)).equals(field.get(others.get(type)))) {
                    names.add(type + "." + field.getName());
                }
            }
        }
        return names;
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
