// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.cli.StartedJvm;
import io.longhaul.cli.serve.ServedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code top} in a terminal of the system, which {@code script} of util-linux makes: what the shell has afterwards. */
// A read of a terminal cannot be interrupted.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TopInTerminalTest {
    private static final String OPENED = "\u001b[?1049h";
    private static final String CLOSED = "\u001b[?1049l";

    /** Prints how the terminal is: what the shell would have to put up with. */
    private static final String MODE = "stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*icanon' -e '-*echo' | tr '\\n' ' '";

    @TempDir
    Path folder;

    private ServedFile server;
    private Process script;
    private final StringBuilder shown = new StringBuilder();

    @BeforeEach
    void serve() throws IOException {
        boolean hasTerminals =
                Stream.of("/usr/bin/script", "/bin/bash").map(Path::of).allMatch(Files::isExecutable);
        if (!hasTerminals) {
            System.err.println("cli: no script of util-linux, top is not tested in a terminal: install bsdutils");
        }
        assumeTrue(hasTerminals, "there is no script");
        var tools = Files.writeString(folder.resolve("tools.yaml"), "tools: {good: {command: [echo, done]}}");
        server = ServedFile.at(0, tools, folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        if (script != null) {
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            script.destroyForcibly();
        }
    }

    /** Runs lines of a shell in a terminal of 80 by 24, where {@code $TOP} is the command. */
    private void run(String lines) throws IOException {
        var program = "'%s' top '%s'".formatted(String.join("' '", StartedJvm.program()), server.url());
        var file = Files.writeString(
                folder.resolve("lines"), "stty cols 80 rows 24\nTOP() { " + program + "; }\n" + lines + "\n");
        // A build in the background of a shell ignores Ctrl-C, and each process that it starts would.
        script = new ProcessBuilder("script", "-qec", "env --default-signal=INT bash " + file, "/dev/null")
                .redirectErrorStream(true)
                .start();
    }

    private void press(String keys) throws IOException {
        script.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        script.getOutputStream().flush();
    }

    /** Reads on until the terminal has been sent this text, after what was awaited before. */
    private void await(String text) throws IOException {
        int from = shown.length();
        var in = script.getInputStream();
        while (shown.indexOf(text, from) < 0) {
            int read = in.read();
            assertThat(read).as("before %s: %s", text, shown).isNotNegative();
            shown.append((char) read);
        }
    }

    @Test
    void q_restores_the_terminal() throws Exception {
        run(MODE + "; TOP; echo code $?; " + MODE);
        await("icanon echo ");
        await(OPENED);
        await("q quit");
        press("q");
        await(CLOSED);
        await("code 0");
        await("icanon echo ");
    }

    @Test
    void ctrl_c_restores_the_terminal() throws Exception {
        run("trap : INT; TOP; echo code $?; " + MODE);
        await("q quit");
        press("\u0003");
        await(CLOSED);
        await("code 130");
        await("icanon echo ");
    }

    @Test
    void a_signal_to_end_restores_the_terminal() throws Exception {
        run("TOP; echo code $?; " + MODE);
        await("q quit");
        script.descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .forEach(ProcessHandle::destroy);
        await(CLOSED);
        await("code 130");
        await("icanon echo ");
    }

    @Test
    void ctrl_z_gives_the_terminal_to_the_shell_and_fg_takes_it_again() throws Exception {
        run("set -m; TOP; echo stopped; " + MODE + "; fg >/dev/null; echo code $?; " + MODE);
        await("q quit");
        press("\u001a");
        await(CLOSED);
        await("stopped");
        await("icanon echo ");
        await(OPENED);
        await("q quit");
        press("q");
        await(CLOSED);
        await("code 0");
        await("icanon echo ");
    }
}
