// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.task.TaskId;
import io.longhaul.file.script.ScriptLanguage;
import io.longhaul.protocol.json.Json;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The use cases of the proposals in Python: each ends as without a kill of its server and its command. */
@Timeout(300)
class PythonExamplesTest {

    private static final Path EXAMPLES =
            Path.of("../../examples").toAbsolutePath().normalize();
    private static final Path PYTHON = EXAMPLES.resolve("python");

    private static final Map<String, Map<String, Object>> ARGUMENTS = Map.of(
            "migrate_code", Map.of("folder", "repositories"),
            "run_tests", Map.of("folder", "parcels"),
            "research",
                    Map.of(
                            "folder",
                            EXAMPLES.resolve("deep-research/documents").toString(),
                            "questions",
                            "Why did the first cable across the Atlantic fail?; What makes a network go on?"),
            "screen_library",
                    Map.of(
                            "library",
                            EXAMPLES.resolve("drug-discovery/library.smi").toString(),
                            "lead",
                            "ibuprofen"));

    private static final QuestionHandler ANSWERS =
            QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.raw("{\"rounds\":2}")));

    @TempDir
    private Path home;

    @ParameterizedTest
    @CsvSource({
        "migrate_code, 'branches\":2'",
        "run_tests, 'failed\":[\"test_steps.test_a_price_that_nobody_asks_for\"]'",
        "research, 'The first cable across the Atlantic, in 1858, worked for about three weeks.'",
        "screen_library, 'name\":\"ketoprofen\"'"
    })
    void a_use_case_that_is_killed_after_a_step_ends_as_without_a_kill(String tool, String found) throws Exception {
        var undisturbed = call(home.resolve("undisturbed"), tool, false);
        assertThat(undisturbed).contains(found);
        assertThat(call(home.resolve("killed"), tool, true)).isEqualTo(undisturbed);
    }

    @Test
    void the_worker_of_temporal_speaks_as_its_page_says() throws Exception {
        run(home, "cp", "-R", EXAMPLES.resolve("temporal-python") + "/.", ".");
        run(home, "python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))");
        var tests = new ProcessBuilder("sh", "-c", "python3 -m py_compile worker.py && python3 -m unittest")
                .directory(home.toFile())
                .redirectErrorStream(true)
                .start();
        var told = new String(tests.getInputStream().readAllBytes(), UTF_8);
        assertThat(tests.waitFor()).as(told).isZero();
        assertThat(told).contains("Ran 4 tests");
    }

    private static String call(Path folder, String tool, boolean isKilled) throws Exception {
        copy(folder);
        String task;
        String outcome;
        try (var call = new ScriptedCall(folder, tool, ARGUMENTS.get(tool), ANSWERS)) {
            task = call.taskId();
            if (isKilled) {
                var steps = call.job().resolve("task/steps");
                while (!Files.exists(steps) || names(steps).isEmpty()) {
                    Thread.onSpinWait();
                }
                call.killCommand();
                assertThat(call.ended())
                        .as("the call ended before it was killed")
                        .isNotDone();
                call.killServer();
            }
            outcome = call.ended().get().toString();
        }
        try (var store = SqliteTaskStore.at(folder.resolve("tasks.db"))) {
            var events = store.history(new TaskId(task), 0, 1_000);
            assertThat(events.stream()
                            .filter(event -> event.what() instanceof EventDetail.StepDone)
                            .map(event -> ((EventDetail.StepDone) event.what()).name()))
                    .doesNotHaveDuplicates()
                    .hasSizeGreaterThan(1);
        }
        return outcome;
    }

    private static List<String> names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .toList();
        }
    }

    private static void copy(Path folder) throws IOException, InterruptedException {
        Files.createDirectory(folder);
        run(folder, "cp", "-R", PYTHON + "/.", ".");
        Files.writeString(folder.resolve("longhaul.py"), ScriptLanguage.PYTHON.helper());
        run(folder, "python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))");
        run(folder, "sh", "make-repositories", "repositories");
    }

    private static void run(Path folder, String... command) throws IOException, InterruptedException {
        var ended = new ProcessBuilder(command).directory(folder.toFile()).start();
        assumeTrue(ended.waitFor() == 0, String.join(" ", command));
    }
}
