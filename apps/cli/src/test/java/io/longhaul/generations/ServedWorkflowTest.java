// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.cli.StartedJvm.SHORT_LIVED;
import static io.longhaul.cli.StartedJvm.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of a tool that is a workflow: the worker and the server of Longhaul are processes, which are killed. */
@Timeout(180)
class ServedWorkflowTest {

    private static final String WORKER = "../../examples/src/main/java/io/longhaul/examples/ReportWorker.java";

    /** A worker in another language, such as {@code -Dtemporal.worker="node dist/worker.js"}, gets the address. */
    private static final String OTHER_WORKER = "temporal.worker";

    /** The address of the codec server of that worker, if it has a codec. */
    private static final String CODEC = System.getProperty("temporal.codec", "");

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();
    private Path tools;
    private TestTemporal temporal;
    private ServedNode node;
    private @Nullable Process worker;

    @BeforeEach
    void begin() throws IOException {
        temporal = new TestTemporal();
        var yaml = Files.readString(Path.of("../../examples/yaml/temporal-report.yaml"))
                .replace("127.0.0.1:7233", temporal.address());
        yaml = CODEC.isEmpty() ? yaml : yaml.replace("terminate: 30s", "codec: {url: '" + CODEC + "'}");
        tools = Files.writeString(folder.resolve("temporal-report.yaml"), yaml);
        node = new ServedNode(tools, folder.resolve("data"));
    }

    @AfterEach
    void end() {
        node.kill();
        killWorker();
        temporal.close();
    }

    private void startWorker() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        var other = System.getProperty(OTHER_WORKER);
        var command = new ArrayList<>(
                other == null
                        ? List.of(java, SMALL, SHORT_LIVED, "-cp", classes, WORKER)
                        : List.of(other.split(" ", -1)));
        command.add(temporal.address());
        worker = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("worker.log").toFile())
                .start();
    }

    private void killWorker() {
        if (worker != null) {
            worker.destroyForcibly().onExit().join();
        }
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    private String url() {
        return Objects.requireNonNull(node.uri()).toString();
    }

    private void awaitState(String id, String state) {
        do {
            assertThat(run("tasks", "get", url(), id)).as(user.err()).isZero();
            assertThat(user.out()).doesNotContainPattern("state +(completed|failed|cancelled)");
        } while (!user.out().contains(state));
    }

    /** The id of the task of a report that asks before it goes on. */
    private String asking() throws IOException {
        startWorker();
        node.start();
        assertThat(run("call", url(), "quarterly_report", "quarter=2026Q3", "--detach"))
                .as(user.err())
                .isZero();
        var id = user.out().strip().split("/")[3];
        awaitState(id, "input_required");
        return id;
    }

    @Test
    void a_report_is_made_once_while_its_server_and_its_worker_are_killed_in_turn() throws Exception {
        var id = asking();
        killWorker();
        node.kill();
        node.start();
        assertThat(run("tasks", "answer", url(), id, "yes")).as(user.err()).isZero();
        node.kill();
        startWorker();
        node.start();
        assertThat(run("tasks", "watch", url(), id)).as(user.err()).isZero();
        assertThat(run("tasks", "result", url(), id)).as(user.err()).isZero();
        assertThat(user.out()).contains("\"rows\" : 6").contains("\"published\" : true");
        assertThat(temporal.started()).hasSize(1);
    }

    @Test
    void a_report_whose_tool_has_another_name_now_goes_on_and_its_outcome_is_kept() throws Exception {
        var id = asking();
        node.kill();
        var renamed = Files.readString(tools)
                .replace("  quarterly_report:\n", "  report_on_quarter:\n    formerly: quarterly_report\n");
        Files.writeString(tools, renamed);
        node.start();
        assertThat(run("tasks", "answer", url(), id, "yes")).as(user.err()).isZero();
        assertThat(run("tasks", "watch", url(), id)).as(user.err()).isZero();
        assertThat(run("tasks", "result", url(), id)).as(user.err()).isZero();
        assertThat(user.out()).contains("\"rows\" : 6").contains("\"published\" : true");
        assertThat(temporal.started()).hasSize(1);
    }
}
