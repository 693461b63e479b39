// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.serve.ServedFile;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.terminal.TestTty;
import io.longhaul.cli.terminal.Tty.WindowEvent;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees and does in the window of {@code top}, in front of a real server. */
@Timeout(120)
class TopCommandTest {
    private static final String ESCAPE = "\u001b";
    private static final String DOWN = "\u001b[B";

    @TempDir
    Path folder;

    private final TestTty tty = new TestTty();
    private final TestTerminal user = TestTerminal.window(tty);
    private final CompletableFuture<Runnable> interrupt = new CompletableFuture<>();
    private ServedFile server;
    private String url;

    @BeforeEach
    void serve() throws IOException {
        Files.writeString(folder.resolve("tools.yaml"), """
                tools:
                  good:
                    input: {name: string}
                    command: [sh, -c, 'echo began; echo "Hello, $0."', "{name}"]
                    partial: true
                  slow: {command: [sleep, '600']}
                  greet:
                    command: [echo, "Hello, {who.name}, {who.size}."]
                    elicit:
                      key: who
                      message: Who is there?
                      fields:
                        name: {type: string, maxLength: 5}
                        size: {enum: [small, large], default: small}
                """);
        server = started(0);
    }

    private ServedFile started(int port) throws IOException {
        var started = ServedFile.at(port, folder.resolve("tools.yaml"), folder.resolve("data"));
        url = started.url();
        return started;
    }

    @AfterEach
    void stop() {
        server.closeWithTasks();
    }

    private CompletableFuture<Integer> top(String... options) {
        var command = new TopCommand(interrupt::complete, Duration.ofMillis(20));
        var line = new ArrayList<>(List.of(options));
        line.add(url);
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return command.run(Arguments.parse(line, command.help().options()), user.terminal());
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                Executors.newVirtualThreadPerTaskExecutor());
    }

    private void call(String... words) {
        var line = new ArrayList<>(List.of("call", url));
        line.addAll(List.of(words));
        assertThat(new Cli(TestTerminal.silent().terminal()).run(line)).isZero();
    }

    @Test
    void tasks_come_and_change_while_somebody_looks_on() throws Exception {
        var top = top();
        user.awaitFrame("0 tasks, sorted by state");
        call("slow", "--detach");
        user.awaitFrame("> working");
        call("good", "name=Ada");
        user.awaitFrame("  completed");
        user.press("c");
        user.awaitFrame("Cancel slow");
        user.press("y");
        user.awaitFrame("cancelled 00");
        user.awaitFrame("0 working");
        user.press("q");
        assertThat(top.get()).isZero();
        assertThat(tty.done()).containsExactly("keys", "lines");
    }

    @Test
    void a_task_is_opened_and_followed_to_its_result() throws Exception {
        call("greet", "--detach");
        var top = top();
        user.awaitFrame("1 open question");
        user.press("\r");
        user.awaitFrame("size: one of small, large");
        user.awaitFrame("asks who");
        user.press("a");
        user.awaitErr("name (text");
        assertThat(tty.done()).as("a dialogue is held in lines").containsExactly("keys", "lines");
        user.type("Nebuchadnezzar");
        user.awaitErr("at most 5");
        user.type("Ada").type("2");
        user.awaitFrame("Hello, Ada, large.");
        user.press(ESCAPE);
        user.awaitFrame("sorted by");
        user.press("q");
        assertThat(top.get()).isZero();
    }

    @Test
    void a_question_that_is_closed_stays_open() throws Exception {
        call("greet", "--detach");
        var top = top();
        user.awaitFrame("1 open question");
        user.press("a");
        user.awaitErr("name (text");
        user.type(":c");
        user.awaitFrame("the question stays open");
        user.press("/");
        assertThat(user.awaitFrame("/_")).contains("1 open question");
        user.press(ESCAPE);
        user.awaitFrame("q quit");
        user.press("q");
        assertThat(top.get()).isZero();
    }

    @Test
    void a_task_is_called_once_more_and_purged() throws Exception {
        call("good", "name=Ada");
        var top = top();
        user.awaitFrame("1 tasks");
        user.press("ry");
        user.awaitFrame("called again as");
        user.awaitFrame("0 working, 0 submitted, 0 input_required; 2 tasks");
        user.press("/good state:completed\rP");
        user.awaitFrame("Remove the 2 listed tasks");
        user.press("y");
        user.awaitFrame("removed 2");
        user.awaitFrame("0 tasks");
        user.press("q");
        assertThat(top.get()).isZero();
    }

    @Test
    void an_open_task_that_is_gone_is_told() throws Exception {
        call("good", "name=Ada");
        var top = top();
        user.awaitFrame("> completed");
        user.press("\r");
        user.awaitFrame("Hello, Ada.");
        user.press("py");
        user.awaitFrame("removed 1");
        user.press("ry");
        user.awaitFrame("not found");
        user.press(ESCAPE);
        user.awaitFrame("0 tasks");
        user.press("q");
        assertThat(top.get()).isZero();
    }

    @Test
    void a_server_that_was_away_is_found_again() throws Exception {
        call("good", "name=Ada");
        int port = URI.create(url).getPort();
        var top = top();
        user.awaitFrame("1 tasks");
        server.close();
        user.awaitFrame("This goes on when it is back.");
        assertThat(user.frame()).contains("> completed");
        server = started(port);
        call("good", "name=Bob");
        user.awaitFrame("2 tasks");
        assertThat(user.frame()).doesNotContain("when it is back");
        user.press("q");
        assertThat(top.get()).isZero();
    }

    @Test
    void ctrl_c_gives_the_terminal_back() throws Exception {
        var top = top();
        user.awaitFrame("0 tasks");
        interrupt.get().run();
        assertThat(top.get()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(tty.done()).containsExactly("keys", "lines");
        assertThat(user.out()).endsWith("\u001b[?1049l");
    }

    @Test
    void ctrl_c_in_a_dialogue_leaves_the_question_open() throws Exception {
        call("greet", "--detach");
        var top = top();
        user.awaitFrame("1 open question");
        user.press("a");
        user.awaitErr("name (text");
        interrupt.get().run();
        assertThat(top.get()).isEqualTo(ExitCode.INTERRUPTED);
        var later = TestTerminal.silent();
        assertThat(new Cli(later.terminal()).run(List.of("top", url))).isZero();
        assertThat(later.out()).contains("1 open question");
    }

    @Test
    void ctrl_z_gives_the_terminal_back_until_the_user_comes_back() throws Exception {
        var top = top();
        user.awaitFrame("0 tasks");
        tty.happen(WindowEvent.STOPPING);
        call("good", "name=Ada");
        user.awaitFrame("1 tasks");
        assertThat(tty.done()).containsExactly("keys", "lines", "stopped", "keys");
        user.press("q");
        assertThat(top.get()).isZero();
    }

    @Test
    void a_smaller_window_is_drawn_anew() throws Exception {
        var top = top();
        user.awaitFrame("o sort");
        tty.resize(30, 8);
        user.awaitFrame("q quit  ? keys  enter open ...");
        assertThat(user.frame().lines()).hasSize(8);
        user.press("q");
        assertThat(top.get()).isZero();
    }

    @Test
    void the_end_of_the_input_is_the_end() throws Exception {
        var top = top();
        user.awaitFrame("0 tasks");
        user.hangUp();
        assertThat(top.get()).isZero();
    }

    @Test
    void one_frame_is_printed_for_scripts() {
        call("good", "name=Ada");
        call("slow", "--detach");
        assertThat(top("--once", "--find", "tool:good").join()).isZero();
        assertThat(user.out())
                .contains("1 of 2 tasks with tool:good")
                .containsPattern("\\n00\\w{34}  completed +\\d+s  good ")
                .doesNotContain("slow", ESCAPE);
        assertThat(tty.done()).isEmpty();
    }

    @Test
    void a_terminal_without_single_keys_is_told_what_to_do() {
        tty.withoutKeys();
        assertThat(new Cli(user.terminal()).run(List.of("top", url))).isEqualTo(ExitCode.PROTOCOL_ERROR);
        assertThat(user.err()).contains("this terminal gives no single keys (stty: not found). --once prints");
    }

    @Test
    void keys_that_are_typed_ahead_wait_for_their_turn() throws Exception {
        call("good", "name=Ada");
        call("slow", "--detach");
        var top = top();
        user.awaitFrame("2 tasks");
        user.press(DOWN + "\r");
        user.awaitFrame("Hello, Ada.");
        user.press("qq");
        assertThat(top.get()).isZero();
    }
}
