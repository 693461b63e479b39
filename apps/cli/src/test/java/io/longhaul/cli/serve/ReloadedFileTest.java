// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.cli.StartedJvm;
import io.longhaul.testkit.talk.StatelessClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes of {@code serve} whose file changes. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReloadedFileTest {
    private static final String AGAIN = "longhaul: tools.yaml was read again";

    @TempDir
    private Path folder;

    private Process process;
    private BufferedReader lines;

    private List<String> command(String... options) throws IOException {
        var file = write("echo one");
        var command = new ArrayList<>(StartedJvm.program());
        command.addAll(List.of(
                "serve",
                file.toString(),
                "--http=0",
                "--data",
                folder.resolve("data").toString()));
        command.addAll(List.of(options));
        return command;
    }

    private void start(String... options) throws IOException {
        process = new ProcessBuilder(command(options)).start();
        lines = process.errorReader(UTF_8);
    }

    private Path write(String script) throws IOException {
        var tool = "{command: [sh, -c, '" + script + "'], quick: true}";
        return Files.writeString(folder.resolve("tools.yaml"), "tools: {say: " + tool + "}\n");
    }

    private String said(String start) throws IOException {
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(start)) {
                return line.substring(start.length()).strip();
            }
        }
        throw new IOException("the server never said \"" + start + "\"");
    }

    private void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    @AfterEach
    void stop() {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    @Test
    void sighup_has_the_file_read_again_and_the_server_goes_on() throws Exception {
        start();
        var client = StatelessClient.to(URI.create(said("longhaul: at ")), "{}");
        write("echo two");
        signal("HUP", process.pid());
        assertThat(said(AGAIN)).isEqualTo(": tools ~say");
        assertThat(client.call("say", "{}").response()).contains("two");
        Files.writeString(folder.resolve("tools.yaml"), "tools: {say: {comand: [ls]}}\n");
        signal("HUP", process.pid());
        assertThat(said(AGAIN)).contains("cannot be served, so that nothing has changed:");
        assertThat(said("longhaul: "))
                .contains("tools.yaml:1:")
                .contains("comand")
                .contains("Did you mean command?");
        assertThat(client.call("say", "{}").response()).contains("two");
    }

    @Test
    void sighup_before_the_file_is_served_does_nothing() throws Exception {
        var command = command();
        var file = folder.resolve("tools.yaml");
        var later = Files.move(file, folder.resolve("later.yaml"));
        new ProcessBuilder("mkfifo", file.toString()).start().waitFor();
        process = new ProcessBuilder(command).start();
        lines = process.errorReader(UTF_8);
        // Opens when the server reads the file.
        try (var written = Files.newBufferedWriter(file)) {
            signal("HUP", process.pid());
            written.write(Files.readString(later));
            // The server reads the file once more when it opens its store.
            Files.move(later, file, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(said("longhaul: serving ")).isEqualTo("tools.yaml: say");
    }

    @Test
    void a_watched_file_is_read_again_by_itself() throws Exception {
        start("--watch");
        var client = StatelessClient.to(URI.create(said("longhaul: at ")), "{}");
        said("longhaul: every caller");
        write("echo three");
        assertThat(said(AGAIN)).isEqualTo(": tools ~say");
        assertThat(client.call("say", "{}").response()).contains("three");
    }

    @Test
    void a_server_whose_terminal_closes_ends_and_sighup_from_another_one_does_not_end_it() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "there is no script of util-linux");
        var line = "exec '" + String.join("' '", command("--watch=off")) + "'";
        process = new ProcessBuilder("script", "-qec", line, "/dev/null")
                .redirectErrorStream(true)
                .start();
        lines = process.inputReader(UTF_8);
        said("longhaul: every caller");
        var server = process.descendants()
                .filter(one -> one.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow();
        signal("HUP", server.pid());
        assertThat(said(AGAIN)).contains("nothing has changed");
        process.destroyForcibly();
        server.onExit().join();
        assertThat(Files.exists(folder.resolve("data"))).isTrue();
        start();
        assertThat(said("longhaul: serving ")).isEqualTo("tools.yaml: say");
    }
}
