// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What the bench does; never how fast. It runs once with all of its scenarios, without a database. */
class BenchCommandTest {
    private static final Pattern WORD = Pattern.compile("'[^']*'|\"[^\"]*\"|\\S+");

    private static Whole whole;

    @TempDir
    private Path folder;

    private BenchRun bench;

    private record Whole(List<JsonNode> rows, String text, Path picture) {
        List<String> titles() {
            return rows.stream().map(row -> row.path("title").asString()).toList();
        }

        List<String> leftOut() {
            return text.lines().filter(line -> line.startsWith("Left out: ")).toList();
        }
    }

    /** With a build that does not start, and peers that cannot be installed. */
    @BeforeAll
    static void measure(@TempDir Path kept) throws IOException {
        var bench = new BenchRun(kept);
        var picture = kept.resolve("picture.svg");
        var rows = bench.rows("--peers", "--against", "nothing", "--svg", picture.toString());
        whole = new Whole(rows, bench.out(), picture);
    }

    @BeforeEach
    void begin() {
        bench = new BenchRun(folder);
    }

    @Test
    void every_scenario_has_a_row_but_what_is_left_out_with_the_reason() {
        assertThat(bench.run("--quick", "--list", "--peers", "--against", "nothing"))
                .isEqualTo(ExitCode.OK);
        var told = Stream.concat(
                        whole.titles().stream(),
                        whole.leftOut().stream().map(line -> line.replaceFirst("Left out: (.*?): .*", "$1")))
                .collect(Collectors.toSet());
        assertThat(bench.out().lines().filter(title -> !title.startsWith("PostgreSQL: ")))
                .hasSizeGreaterThan(50)
                .isSubsetOf(told);
        assertThat(whole.leftOut())
                .contains("Left out: PostgreSQL: all: no database was named with --store")
                .anySatisfy(line -> assertThat(line)
                        .startsWith("Left out: answer of 1 KB, 2025-11-25 (other build): a process of the bench"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("Left out: create, get, result, 2025-11-25, TypeScript SDK 1.x: it needs npm"))
                .allMatch(line -> line.matches(".*(PostgreSQL|other build|SDK|Quarkus|first 3 s of .* archive).*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools/call echo", "create, get, result"})
    void each_load_has_a_row_beside_the_bare_echo(String scenario) {
        assertThat(whole.rows().getFirst().path("title").asString()).isEqualTo("bare HTTP echo");
        assertThat(whole.rows())
                .filteredOn(row -> row.path("title").asString().startsWith(scenario))
                .isNotEmpty()
                .allSatisfy(row -> {
                    assertThat(row.path("base").asString()).startsWith("bare HTTP echo");
                    assertThat(row.propertyNames())
                            .contains("ratioToBase", "spread", "cpuMicros", "perSecond", "p50Micros", "p99Micros");
                    assertThat(row.path("rounds").isEmpty()).isFalse();
                    assertThat(row.path("allocatedBytes").asDouble()).isPositive();
                });
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    20 listeners told of one change; micros, heapBytes
                    20 tasks that wait for an answer; heapBytes, threads
                    20 tasks that wait on a latch; heapBytes, threads
                    20 sessions; heapBytes, threads
                    restart over 20 waiting tasks; micros, wholeCpuMicros
                    restart over 60 finished tasks; micros, wholeCpuMicros
                    stdio, tools/call echo; cpuMicros, perSecond
                    stdio, start to answer of initialize; micros
                    store: reads at random of 20 tasks; perSecond, cpuMicros
                    """, delimiter = ';')
    void each_other_scenario_has_a_row_with_its_figures(String scenario, String figures) {
        assertThat(row(scenario).propertyNames()).contains(figures.split(", "));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    opening a side stream, owner with 60 tasks; opening a side stream, owner with 10 tasks
                    over 60 stored tasks: create a task, 2025-11-25; over 10 stored tasks: create a task, 2025-11-25
                    longhaul call of an instant task; longhaul call of an instant task, --detach
                    store: commits, 64 at once; store: append and sync, 64 at once
                    """, delimiter = ';')
    void a_row_is_compared_with_the_row_that_its_title_suggests(String scenario, String base) {
        assertThat(row(scenario).path("base").asString()).isEqualTo(base);
        assertThat(row(scenario).path("ratioToBase").isNumber()).isTrue();
    }

    @Test
    void the_table_has_the_rows_of_the_file() {
        assertThat(whole.text()).contains("CPU us", "at a null server", "Raised in");
        assertThat(whole.rows())
                .allSatisfy(row ->
                        assertThat(whole.text()).contains(row.path("title").asString()));
    }

    @Test
    void another_build_is_measured_in_the_same_rounds_and_nothing_but_what_was_wanted_with_its_base() throws Exception {
        assertThat(bench.rows("--only", "tools/call echo, 2026", "--against", System.getProperty("java.class.path")))
                .extracting(row -> row.path("title").asString())
                .containsExactlyInAnyOrder(
                        "bare HTTP echo", "tools/call echo, 2026-07-28", "tools/call echo, 2026-07-28 (other build)");
    }

    @Test
    void a_picture_has_a_line_by_connections_for_each_load_in_both_halves() throws Exception {
        var lines = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(whole.picture().toFile())
                .getElementsByTagName("polyline");
        assertThat(lines.getLength()).as("the echo, and four loads").isEqualTo(2 * 5);
        assertThat(lines.item(0)
                        .getAttributes()
                        .getNamedItem("points")
                        .getNodeValue()
                        .split(" "))
                .as("a point for each of 1, 2 and 4 connections")
                .hasSize(3);
    }

    @Test
    void the_titles_of_all_scenarios_are_listed_and_nothing_is_measured() {
        assertThat(bench.run("--list", "--peers")).isEqualTo(ExitCode.OK);
        assertThat(bench.out().lines())
                .contains(
                        "bare HTTP echo",
                        "opening a side stream, owner with 1,000,000 tasks",
                        "tools/call echo, 2025-11-25, Quarkus, virtual threads",
                        "stdio, start to answer of initialize, TypeScript SDK 2.x");
        assertThat(bench.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/PERFORMANCE.md", "docs/SCALING.md"})
    void each_command_line_of_a_page_is_one_that_the_bench_takes(String page) throws IOException {
        var lines = Pattern.compile("lab/bench/run (-[^`\n]*)")
                .matcher(Files.readString(Path.of("../..", page)))
                .results()
                .map(line -> line.group(1))
                .toList();
        assertThat(lines).isNotEmpty().allSatisfy(line -> {
            var words = WORD.matcher(line + " --list")
                    .results()
                    .map(word -> word.group().replaceAll("['\"]", ""));
            assertThat(bench.run(words.toArray(String[]::new))).as(line).isEqualTo(ExitCode.OK);
        });
    }

    @Test
    void a_number_that_is_none_is_told() {
        assertThat(bench.run("--rounds", "many")).isEqualTo(ExitCode.USAGE);
        assertThat(bench.err()).contains("--rounds is a number from 1 to 10000000, not \"many\".");
    }

    private static JsonNode row(String title) {
        return whole.rows().stream()
                .filter(row -> row.path("title").asString().equals(title))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row is titled " + title));
    }
}
