// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tries of tools, with real processes that are killed. */
@Timeout(120)
class TryCommandTest {

    private static final String SCRIPT = """
        . ./longhaul.sh
        load() { echo load >>done; echo 7; }
        rows=$(task_step load load)
        task_approve "Publish $rows rows?" sure || task_fail "no"
        task_result "{\\"rows\\": $rows}"
        """;

    /** Does its work before it looks whether that is recorded. */
    private static final String CARELESS = """
        echo load >>done
        echo '{"step": "load", "value": 7}' >>"$LONGHAUL_SAY"
        echo '{"ask": "go", "message": "Go on?"}' >>"$LONGHAUL_SAY"
        while [ ! -e "$LONGHAUL_TASK_DIR/answers/go.json" ]; do sleep 0.02; done
        echo '{"result": {"rows": 7}}' >>"$LONGHAUL_SAY"
        """;

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("publish.sh"), SCRIPT);
        Files.writeString(folder.resolve("careless.sh"), CARELESS);
        Files.writeString(folder.resolve("longhaul.sh"), helper());
        Files.writeString(folder.resolve("tools.yaml"), """
            tools:
              publish: {command: [sh, publish.sh], onCrash: restart}
              careless: {command: [sh, careless.sh], onCrash: restart}
              list: {command: [ls], quick: true}
              build: {http: {url: "http://127.0.0.1:1/builds"}}
            """);
    }

    private static String helper() {
        var shown = TestTerminal.silent();
        new Cli(shown.terminal()).run(List.of("helper", "sh"));
        return shown.out();
    }

    private int tries(String... words) {
        var line = new ArrayList<>(List.of("try", folder.resolve("tools.yaml").toString()));
        line.addAll(List.of(words));
        return new Cli(user.terminal()).run(line);
    }

    @ParameterizedTest
    @CsvSource({"step:load, both, step:load", "ask:sure, server, step:load"})
    void a_call_goes_on_after_the_crash_with_what_is_recorded(String point, String victim, String recorded)
            throws IOException {
        int code = tries("publish", "--crash-at", point, "--crash", victim, "--yes");
        assertThat(code).as(user::err).isZero();
        assertThat(user.err())
                .containsSubsequence(
                        point + " is reached. SIGKILL to the " + victim.replace("both", "server"),
                        "recorded before the crash: " + recorded,
                        "the history of the task:",
                        "step load done, recorded once and for all",
                        "ended: success");
        assertThat(user.out()).contains("\"rows\" : 7");
        assertThat(folder.resolve("done")).hasContent("load");
    }

    /** How far the command comes before SIGKILL reaches it depends on the machine: the step may run twice. */
    @Test
    void a_command_that_is_killed_at_its_start_runs_again() throws IOException {
        int code = tries("publish", "--crash-at", "start", "--crash", "command", "--yes");
        assertThat(code).as(user::err).isZero();
        assertThat(user.err())
                .containsSubsequence(
                        "start is reached. SIGKILL to the command",
                        "recorded before the crash: ",
                        "step load done, recorded once and for all",
                        "ended: success");
        assertThat(user.out()).contains("\"rows\" : 7");
        assertThat(folder.resolve("done")).content().containsPattern("^load\n(load\n)?$");
    }

    @Test
    void a_script_that_does_a_recorded_step_again_is_told() throws IOException {
        int code = tries("careless", "--crash-at", "step:load", "--yes");
        assertThat(code).as(user::err).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(user.err()).contains("step load was done again after the crash. Look for steps/load.json");
    }

    @Test
    void a_point_that_the_call_does_not_reach_is_told_with_those_that_it_has() {
        assertThat(tries("publish", "--crash-at", "step:lod", "--yes")).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains("the call ended before step:lod was reached. It has said step:load, ask:sure.");
    }

    @Test
    void a_call_that_fails_before_the_point_is_told_as_one_object_and_with_its_own_exit_code() {
        assertThat(tries("publish", "--crash-at", "step:lod", "--output", "json"))
                .isEqualTo(ExitCode.UNANSWERED);
        assertThat(JsonText.read(user.out()).path("outcome").asString()).isEqualTo("tool_error");
        assertThat(user.err())
                .containsSubsequence(
                        "longhaul: without a terminal, add --yes, or --answer FIELD=VALUE for a field of a form\n",
                        "longhaul: the call failed, as told above, before step:lod was reached. It has said step:load");
    }

    @Test
    void a_call_that_misses_the_point_is_told_as_one_object() {
        assertThat(tries("publish", "--crash-at", "step:lod", "--yes", "--output", "json"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(JsonText.read(user.out()).path("outcome").asString()).isEqualTo("success");
    }

    @Test
    void the_help_keeps_its_columns() {
        assertThat(new Cli(user.terminal()).run(List.of("try", "--help"))).isZero();
        assertThat(user.out())
                .contains("\n  --crash command|server|both\n" + " ".repeat(27) + "what is killed, by SIGKILL;")
                .contains("\n  --crash-at POINT         kill at start");
    }

    @ParameterizedTest
    @CsvSource({
        "publish, loading, '--crash-at \"loading\" is no such point. Write start, step:NAME, ask:KEY or call:NAME.'",
        "publsh, start, 'the file has no tool \"publsh\". Did you mean publish?'",
        "list, start, '\"list\" is quick, so that no call of it goes on. Try a long tool.'",
        "build, start, '\"build\" has no command here that is killed: its work is done elsewhere. Try a tool with'"
    })
    void what_cannot_be_tried_is_refused(String tool, String point, String told) {
        assertThat(tries(tool, "--crash-at", point)).isEqualTo(ExitCode.USAGE);
        assertThat(user.err()).contains(told);
    }
}
