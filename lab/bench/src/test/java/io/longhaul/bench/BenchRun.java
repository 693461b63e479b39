// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.command.CommandRunner;
import io.longhaul.cli.command.ThisProgram;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Screen;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The bench, as a user runs it, in a checkout without peers. */
final class BenchRun {
    private final Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** @param folder for the figures */
    BenchRun(Path folder) {
        this.folder = folder;
    }

    /** Measures shortly, and gives the rows of the file of figures. */
    List<JsonNode> rows(String... words) throws IOException {
        var file = folder.resolve("figures.json");
        var line = new ArrayList<>(List.of("--quick", "--json", file.toString()));
        line.addAll(List.of(words));
        assertThat(run(line.toArray(String[]::new))).as(err()).isEqualTo(ExitCode.OK);
        var figures = JsonTree.read(Json.raw(Files.readAllBytes(file)));
        assertThat(figures.path("ceilingPerSecond").asDouble()).isPositive();
        return figures.path("rows").valueStream().toList();
    }

    int run(String... words) {
        var command = new BenchCommand(ThisProgram.command("stdio"), folder.resolve("none"));
        return new CommandRunner("lab/bench/", terminal()).run(command, List.of(words));
    }

    private Terminal terminal() {
        return new Terminal(
                InputStream.nullInputStream(), Screen.of(out), Screen.of(err), Terminal.Facts.NONE, Map.of());
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
