package io.longhaul.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.ExitCode;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the bench does; never how fast. */
class BenchCommandTest {
    private final TestTerminal user = TestTerminal.silent();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"tools/call echo", "tasks/get, finished", "tasks/list of 50", "create, get, result"})
    void each_scenario_gives_a_row_beside_the_bare_echo(String scenario) throws Exception {
        var file = folder.resolve("figures.json");
        assertThat(run("--quick", "--only", scenario, "--json", file.toString()))
                .as(user.err())
                .isEqualTo(ExitCode.OK);
        assertThat(user.out()).contains("CPU us", "\nbare HTTP echo", "\n" + scenario, "at a null server");

        var figures = JsonTree.read(Json.raw(Files.readAllBytes(file)));
        assertThat(figures.path("ceilingPerSecond").asDouble()).isPositive();
        assertThat(figures.path("rows")
                        .valueStream()
                        .map(row -> row.path("title").asString()))
                .startsWith("bare HTTP echo")
                .hasSizeGreaterThan(1);
        assertThat(JsonReader.members(Json.raw(figures.path("rows").get(1).toString()))
                        .names())
                .containsAll(List.of("cpuMicros", "ratioToEcho", "spread", "perSecond", "p50Micros", "p99Micros"));
    }

    @Test
    void another_build_is_measured_in_the_same_rounds() {
        assertThat(run("--quick", "--only", "tasks/get, live", "--against", System.getProperty("java.class.path")))
                .as(user.err())
                .isEqualTo(ExitCode.OK);
        assertThat(user.out().lines().filter(line -> line.contains("(other build)")))
                .hasSize(2);
    }

    @Test
    void a_number_that_is_none_is_told() {
        assertThat(run("--rounds", "many")).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("--rounds is a number from 1 to 100000, not \"many\".");
    }

    private int run(String... words) {
        var line = new ArrayList<>(List.of("bench"));
        line.addAll(List.of(words));
        return new Cli(user.terminal()).run(line);
    }
}
