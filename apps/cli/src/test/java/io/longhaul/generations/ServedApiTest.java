// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.cli.StartedJvm.SHORT_LIVED;
import static io.longhaul.cli.StartedJvm.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.serve.ServedFile;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of tools in front of APIs: their systems are processes of their own, which outlive the server. */
@Timeout(120)
class ServedApiTest {

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();
    private Process system;
    private String address;
    private @Nullable Gate gate;

    @AfterEach
    void end() throws IOException {
        kill();
        if (gate != null) {
            gate.close();
        }
    }

    private void kill() {
        system.destroyForcibly().onExit().join();
    }

    /** Starts the system of an example, and gives the file of tools in front of it. */
    private Path start(String program, String example, String usualPort, String setting) throws IOException {
        start(program, 0, setting);
        var yaml = Files.readString(Path.of("../../examples/yaml/" + example + ".yaml"))
                .replace("127.0.0.1:" + usualPort, URI.create(address).getAuthority());
        return Files.writeString(folder.resolve(example + ".yaml"), yaml);
    }

    private void start(String program, int port, String setting) throws IOException {
        var source = "../../examples/src/main/java/io/longhaul/examples/" + program + ".java";
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        system = new ProcessBuilder(java, SMALL, SHORT_LIVED, source, String.valueOf(port), setting)
                .redirectErrorStream(true)
                .start();
        var said = system.inputReader().readLine();
        assertThat(said).contains(" at http://127.0.0.1:");
        address = said.substring(said.indexOf("http"));
    }

    /** The CI system of the example {@code enterprise-jobs}, with its repository. */
    private Path startCi() throws Exception {
        shell("../../examples/enterprise-jobs/make-repository", repository().toString());
        gate = Gate.in(folder);
        var test = "class AppTest { public static void main(String[] args) throws Exception {" + Gate.statements(folder)
                + "} }";
        Files.writeString(repository().resolve("AppTest.java"), test);
        git("checkout", "--quiet", "-b", "gated");
        git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--all", "--message=gate");
        return start("CiServer", "ci-builds", "9100", folder.resolve("ci").toString());
    }

    private Path repository() {
        return folder.resolve("app");
    }

    private void git(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("git", "-C", repository().toString()));
        command.addAll(List.of(arguments));
        shell(command.toArray(String[]::new));
    }

    private static void shell(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    private int builds() {
        try (var client = HttpClient.newHttpClient()) {
            var answer = client.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
            return JsonText.read(answer.body()).path("count").intValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25", "sep-1391", "2025-06-18"})
    void a_build_of_a_ci_system_is_a_task_of_each_generation(String generation) throws Exception {
        var file = startCi();
        try (var server = ServedFile.at(0, file, folder.resolve("data"))) {
            var app = "repository=" + repository();
            assertThat(run("call", server.url(), "build", app, "branch=main", "--generation", generation))
                    .as(user.err())
                    .isZero();
            assertThat(user.out()).endsWith("build of main\nfetch: ok\ncompile: ok\ntest: ok\npackage: ok\n");
            assertThat(run("call", server.url(), "build", app, "branch=broken", "--generation", generation))
                    .isEqualTo(1);
            assertThat(user.out()).endsWith("The job 2 has failed: the step test of broken fails\n");
        }
        assertThat(builds()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25"})
    void the_output_of_a_state_machine_is_a_structured_result(String generation) throws Exception {
        var file = start("StateMachineServer", "state-machine", "9200", "100");
        try (var server = ServedFile.at(0, file, folder.resolve("data"))) {
            var call = List.of("call", server.url(), "quarterly_report", "quarter=2026Q3", "--output", "json");
            assertThat(run(List.of(call, List.of("--generation", generation)).stream()
                            .flatMap(List::stream)
                            .toArray(String[]::new)))
                    .as(user.err())
                    .isZero();
            assertThat(JsonText.read(user.out()).findValue("structuredContent"))
                    .hasToString("{\"rows\":3,\"total\":4200}");
        }
    }

    @Test
    void a_cancel_reaches_the_build() throws Exception {
        var file = startCi();
        try (var server = ServedFile.at(0, file, folder.resolve("data"))) {
            var id = detached(server.url(), "2026-07-28");
            awaitTest(server.url(), id);
            assertThat(run("tasks", "cancel", server.url(), id)).isZero();
        }
        assertThat(state()).isEqualTo("stopped");
    }

    /** Closing a server waits for the stops that it has begun, or the next one goes on with them. */
    private String state() throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            while (true) {
                var request = HttpRequest.newBuilder(URI.create(address + "/1")).build();
                var state = JsonText.read(
                                client.send(request, BodyHandlers.ofString()).body())
                        .path("state")
                        .asString();
                if (!state.equals("running")) {
                    return state;
                }
            }
        }
    }

    /** Both are killed at a step that chance chooses, in an order that chance chooses. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2025-11-25"})
    void a_build_goes_on_while_its_server_is_killed_and_is_never_started_twice(String generation) throws Exception {
        long seed = Long.getLong("kills.seed", System.nanoTime());
        System.out.println("-Dkills.seed=" + seed);
        var chance = new Random(seed);
        int done = chance.nextInt(4);
        var file = startCi();
        var node = new ServedNode(file, folder.resolve("data"));
        try {
            node.start();
            var id = detached(url(node), generation);
            if (done == 3) {
                Objects.requireNonNull(gate).open();
            }
            awaitSteps(done);
            List<Runnable> kills = new ArrayList<>(List.of(node::kill, this::kill));
            Collections.shuffle(kills, chance);
            kills.forEach(Runnable::run);
            start(
                    "CiServer",
                    URI.create(address).getPort(),
                    folder.resolve("ci").toString());
            node.start();
            Objects.requireNonNull(gate).open();
            assertThat(run("tasks", "watch", url(node), id)).isZero();
            assertThat(run("tasks", "result", url(node), id)).isZero();
            assertThat(user.out()).endsWith("build of gated\nfetch: ok\ncompile: ok\ntest: ok\npackage: ok\n");
            assertThat(builds()).isEqualTo(1);
            assertThat(folder.resolve("ci/1/app.jar")).isNotEmptyFile();
        } finally {
            node.kill();
        }
    }

    /** Until the system has done so many steps of the build; of none the build may not even have begun. */
    private void awaitSteps(int done) throws IOException {
        var log = folder.resolve("ci/1/log");
        while (done > 0 && (Files.notExists(log) || Files.readAllLines(log).size() < done)) {
            Thread.onSpinWait();
        }
    }

    private static String url(ServedNode node) {
        return Objects.requireNonNull(node.uri()).toString();
    }

    private String detached(String url, String generation) {
        var app = "repository=" + repository();
        assertThat(run("call", url, "build", app, "branch=gated", "--detach", "--generation", generation))
                .as(user.err())
                .isZero();
        return user.out().strip().split("/")[3];
    }

    /** Until the server has seen that the build runs its test. */
    private void awaitTest(String url, String id) {
        do {
            assertThat(run("tasks", "get", url, id)).isZero();
            assertThat(user.out()).doesNotContainPattern("state +(completed|failed|cancelled)");
        } while (!user.out().contains(" test"));
    }
}
