// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One tool in four languages, whose server and command are killed at random: its result is that of an undisturbed run,
 * no recorded step runs again, and no question is asked twice.
 */
@Timeout(1_200)
class ScriptsTortureTest {

    /**
     * The kills of each language; in another order by {@code -Dscripts.seed}. More by {@code -Dscripts.kills}: a busy
     * machine takes 10 seconds for each, and {@code -Djunit.jupiter.execution.timeout.mode=disabled} lets it.
     */
    private static final int KILLS = Integer.getInteger("scripts.kills", 5);

    private static final long SEED = Long.getLong("scripts.seed", 1);
    private static final int LONGEST_LIFE_MILLIS = 1_500;
    private static final int QUESTIONS = 2;

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);
    private int kills;

    @ParameterizedTest
    @ValueSource(strings = {"java", "python", "node", "sh"})
    void a_tool_whose_server_and_command_are_killed_does_each_step_once_and_asks_once(String language)
            throws Exception {
        ScriptedTool.write(folder, language);
        while (kills < KILLS) {
            Files.deleteIfExists(folder.resolve("ledger"));
            callAndKill(ScriptedTool.name(language));
        }
    }

    private void callAndKill(String tool) throws Exception {
        try (var call = new ScriptedCall(folder, tool, Map.of(), ScriptedTool.ANSWERS)) {
            while (!isDone(call.ended())) {
                if (kills < KILLS) {
                    int which = tool.equals("java") ? 1 : 1 + random.nextInt(3);
                    kills++;
                    if ((which & 2) != 0) {
                        call.killCommand();
                    }
                    if ((which & 1) != 0) {
                        call.killServer();
                    }
                }
            }
            assertThat(call.ended().get().toString())
                    .contains("\"rows\":7", "\"who\":\"Eve\"", "\"greeting\":\"Hello Ada\"", "\"sum\":3");
        }
        checkLedger();
        checkHistory(tool);
    }

    /** Waits for a random time; true where the call has ended. */
    private boolean isDone(CompletableFuture<?> ended) throws Exception {
        try {
            ended.get(random.nextInt(LONGEST_LIFE_MILLIS), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private void checkLedger() throws IOException {
        var recorded = new HashSet<String>();
        for (var line : Files.readAllLines(folder.resolve("ledger"))) {
            var words = line.split(" ");
            if (words[0].equals("recorded")) {
                recorded.add(words[1]);
            } else {
                assertThat(recorded).as("recorded before %s", line).doesNotContain(words[1]);
            }
        }
        assertThat(recorded).containsExactlyInAnyOrder("load", "write", "publish");
        assertThat(folder.resolve("page.txt")).hasContent("page");
    }

    /** Each question is asked once, each step is recorded once, and one child is called. */
    private void checkHistory(String tool) {
        try (var store = SqliteTaskStore.at(folder.resolve("tasks.db"))) {
            var task = store.list(TaskFilter.ALL, null, 1_000).tasks().stream()
                    .filter(one -> one.spec().work().equals(tool))
                    .findFirst()
                    .orElseThrow();
            var asked = new ArrayList<String>();
            var steps = new ArrayList<String>();
            int pieces = 0;
            for (var event : store.history(task.id(), 0, 100_000)) {
                switch (event.what()) {
                    case EventDetail.Asked question -> asked.add(question.key());
                    case EventDetail.StepDone step -> steps.add(step.name());
                    case EventDetail.Emitted piece -> pieces++;
                    default -> {
                        // other events may come again with another attempt
                    }
                }
            }
            assertThat(asked).doesNotHaveDuplicates().hasSize(QUESTIONS);
            assertThat(steps).containsExactlyInAnyOrder("load", "greet", "write", "publish");
            assertThat(pieces).isPositive();
        }
    }
}
