// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.ShellCommand;
import io.longhaul.engine.TaskLimits;
import io.longhaul.file.settings.Limit;
import io.longhaul.file.settings.Limits;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.protocol.WireLimits;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.Rounds;
import io.longhaul.requestor.Timeouts;
import io.longhaul.server.Rates;
import io.longhaul.transport.ClientHttp;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The page of limits is made of the words of {@code limits.txt} and of the figures of the code;
 * {@code -Dpages.rewrite=true} writes it. A row of {@code limits.txt} has the limit, its figures
 * (<code>{TYPE.FIELD}</code>), what sets it beside these fields, what happens beyond it, and the tests at the bound.
 */
class LimitsPageTest {

    private static final Path ROOT = Path.of("../..");
    private static final Path PAGE = ROOT.resolve("docs/LIMITS.md");
    private static final Path WORDS = Path.of("src/test/resources/io/longhaul/tidy/limits.txt");
    private static final Pattern ROW =
            Pattern.compile("^\\| ([^|]+) \\| ([^|]+) \\|([^|]*)\\| ([^|]*?) ?\\| ([^|]+) \\|$", Pattern.MULTILINE);
    private static final Pattern FIGURE = Pattern.compile("\\{(([\\w.]+)\\.(\\w+))}");
    private static final Pattern TEST = Pattern.compile("(\\w+)#(\\w+)");
    private static final List<Map.Entry<String, Long>> TIMES = List.of(
            Map.entry("d", 86_400_000L),
            Map.entry("h", 3_600_000L),
            Map.entry("m", 60_000L),
            Map.entry("s", 1_000L),
            Map.entry("ms", 1L));
    private static final List<Map.Entry<String, Long>> SIZES =
            List.of(Map.entry("MB", 1L << 20), Map.entry("KB", 1L << 10));
    private static final Map<String, Path> SOURCES = sources();

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
            "ResourceServer.Builder", ResourceServer.of(URI.create("https://example.com")),
            "ShellCommand", ShellCommand.program("true").build());

    /** The names by which a deployer sets limits, by the settings. */
    private static final Map<String, String> NAMES = names();

    @Test
    void the_page_has_the_words_of_its_rows_and_the_figures_of_the_code() throws IOException {
        if (Boolean.getBoolean("pages.rewrite")) {
            Files.writeString(PAGE, text());
        }
        assertThat(Files.readString(PAGE))
                .as("run this test with -Dpages.rewrite=true")
                .isEqualTo(text());
    }

    @Test
    void each_limit_with_a_name_and_each_figure_of_a_setting_has_a_row() throws IOException {
        var rows = Files.readString(PAGE)
                .lines()
                .filter(line -> line.startsWith("| "))
                .collect(Collectors.joining());
        assertThat(Limit.words()).allSatisfy(word -> assertThat(rows).contains("`limits." + word + "`"));
        var settings = DEFAULTS.entrySet().stream()
                .filter(defaults -> !Set.of("Http", "ShellCommand").contains(defaults.getKey()))
                .flatMap(defaults ->
                        figures(defaults.getValue().getClass()).map(field -> defaults.getKey() + "." + field.getName()))
                .filter(setting -> !setting.equals("Rounds.keyRotation")); // bounds nothing
        assertThat(settings).isNotEmpty().allSatisfy(setting -> assertThat(rows).contains("`" + setting + "`"));
    }

    @Test
    void each_setting_of_a_server_has_a_name() throws IOException {
        var settings = Pattern.compile("`((?:WireLimits|TaskLimits|PlainHosts|Rounds|Rates|Http)\\.\\w+)`");
        assertThat(settings.matcher(Files.readString(PAGE)).results().map(setting -> setting.group(1)))
                .hasSizeGreaterThan(30)
                .isSubsetOf(NAMES.keySet());
    }

    @Test
    void each_bound_names_a_test_that_exists() throws IOException {
        var tests = testSources();
        var words = Files.readString(WORDS);
        assertThat(words.lines().filter(line -> line.startsWith("| "))).allMatch(ROW.asMatchPredicate());
        var rows = ROW.matcher(words)
                .results()
                .filter(row -> !row.group(5).equals("tests"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(80);
        for (var row : rows) {
            var named = TEST.matcher(row.group(5)).results().toList();
            assertThat(named).as(row.group()).isNotEmpty();
            for (var test : named) {
                assertThat(tests.get(test.group(1)))
                        .as(test.group())
                        .isNotNull()
                        .contains("void " + test.group(2) + "(");
            }
        }
    }

    private static String text() throws IOException {
        var rows = ROW.matcher(Files.readString(WORDS))
                .replaceAll(row -> Matcher.quoteReplacement(
                        "| %s | %s |%s|%s|".formatted(row.group(1), row.group(2), cell(set(row)), cell(row.group(4)))));
        return FIGURE.matcher(rows).replaceAll(figure -> figure(value(figure.group(2), figure.group(3))));
    }

    private static String cell(String text) {
        return text.isEmpty() ? " " : " " + text + " ";
    }

    private static String set(MatchResult row) {
        return Stream.concat(
                        FIGURE.matcher(row.group(2))
                                .results()
                                .filter(LimitsPageTest::canBeSet)
                                .flatMap(figure -> names(figure.group(1))),
                        Stream.of(row.group(3).strip()).filter(more -> !more.isEmpty()))
                .collect(Collectors.joining(", "));
    }

    private static boolean canBeSet(MatchResult figure) {
        return DEFAULTS.containsKey(figure.group(2))
                && !Modifier.isStatic(field(figure.group(2), figure.group(3)).getModifiers());
    }

    private static Stream<String> names(String setting) {
        return Stream.concat(
                        Stream.of(setting),
                        Stream.ofNullable(NAMES.get(setting)).map("limits."::concat))
                .map(name -> "`" + name + "`");
    }

    /** As a deployer writes it. */
    private static String figure(Object value) {
        if (value instanceof Duration time) {
            return largest(time.toMillis(), TIMES);
        }
        long number = ((Number) value).longValue();
        if (number == 0) {
            return "none";
        }
        boolean isSize = number >= 4 << 10 && number % (1 << 10) == 0;
        return isSize ? largest(number, SIZES) : "%,d".formatted(number);
    }

    private static String largest(long number, List<Map.Entry<String, Long>> units) {
        return units.stream()
                .filter(unit -> number % unit.getValue() == 0)
                .findFirst()
                .map(unit -> number / unit.getValue() + unit.getKey())
                .orElseThrow();
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

    private static Map<String, String> names() {
        var names = new TreeMap<String, String>();
        for (var limit : Limit.values()) {
            differences(served(Limits.DEFAULT), served(anotherFigure(limit)))
                    .forEach(setting -> names.merge(setting, limit.word(), "%s and %s"::formatted));
        }
        return names;
    }

    /** A figure that differs from the default, and goes together with all defaults. */
    private static Limits anotherFigure(Limit limit) {
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

    private static Set<String> differences(Map<String, Object> some, Map<String, Object> others) {
        var names = new TreeSet<String>();
        some.forEach((type, one) -> figures(one.getClass())
                .filter(field -> !value(field, one).equals(value(field, others.get(type))))
                .forEach(field -> names.add(type + "." + field.getName())));
        return names;
    }

    private static Stream<Field> figures(Class<?> type) {
        return Stream.of(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .filter(field -> Set.of(int.class, long.class, Duration.class).contains(field.getType()));
    }

    private static Object value(String type, String name) {
        return value(field(type, name), DEFAULTS.get(type));
    }

    private static Object value(Field field, @Nullable Object of) {
        try {
            field.setAccessible(true);
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new AssertionError(field.toString(), e);
        }
    }

    private static Field field(String type, String name) {
        try {
            var defaults = DEFAULTS.get(type);
            return (defaults == null ? Class.forName(className(type)) : defaults.getClass()).getDeclaredField(name);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("limits.txt names " + type + "." + name, e);
        }
    }

    private static String className(String type) {
        int nested = type.indexOf('.');
        if (nested >= 0) {
            return className(type.substring(0, nested)) + type.substring(nested).replace('.', '$');
        }
        var found = SOURCES.keySet().stream()
                .filter(file -> file.contains("src/main/java/") && file.endsWith("/" + type + ".java"))
                .toList();
        assertThat(found).as("sources of " + type + ", which limits.txt names").hasSize(1);
        return found.getFirst().replaceAll(".*src/main/java/|\\.java$", "").replace('/', '.');
    }

    /** The text of each test class, and of each contract that tests extend. */
    private static Map<String, String> testSources() throws IOException {
        var texts = new TreeMap<String, String>();
        for (var file : SOURCES.values()) {
            if (file.toString().matches(".*(Test|Contract)\\.java")) {
                texts.merge(file.getFileName().toString().replace(".java", ""), Files.readString(file), String::concat);
            }
        }
        return texts;
    }

    private static Map<String, Path> sources() {
        try (var files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().matches(".*/src/.*\\.java"))
                    .collect(Collectors.toMap(file -> ROOT.relativize(file).toString(), file -> file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
