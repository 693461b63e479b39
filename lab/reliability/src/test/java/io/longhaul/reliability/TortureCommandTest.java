// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.command.CommandRunner;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Screen;
import io.longhaul.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the torture is asked for; TortureTest and NodesTortureTest show what it does. */
class TortureCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(textBlock = """
                    --nodes 2; several servers share a database: say --nodes 2 or more, and --store URL
                    --store jdbc:postgresql://localhost/tasks; several servers share a database
                    --restart-store true; several servers share a database
                    --nodes 2 --store jdbc:postgresql://localhost/tasks?password=sesame; holds a password
                    --kills none; --kills is a number from 1 to 1000000, not "none"
                    --minute 1; there is no option --minute. Did you mean --minutes?
                    """, delimiter = ';')
    void a_wrong_command_line_is_told_and_nothing_is_tortured(String line, String problem) {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(problem).doesNotContain("sesame");
    }

    @Test
    void the_help_names_the_script_and_all_options() {
        assertThat(run("--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("usage: lab/reliability/torture [options]")
                .contains("--minutes N", "--kills N", "--tasks N", "--crowd N", "--seed N", "--nodes N")
                .contains("--store URL", "--restart-store CMD");
    }

    private int run(String... words) {
        var terminal = new Terminal(
                InputStream.nullInputStream(), Screen.of(out), Screen.of(err), Terminal.Facts.NONE, Map.of());
        return new CommandRunner("lab/reliability/", terminal).run(new TortureCommand(), List.of(words));
    }
}
