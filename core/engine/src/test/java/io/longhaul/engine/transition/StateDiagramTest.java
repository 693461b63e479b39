// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.TaskState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code mvn -pl core/engine test -Dtest=StateDiagramTest -Dlonghaul.rewrite=true} writes the page anew. */
class StateDiagramTest {
    private static final Path PAGE = Path.of("../..", "docs", "STATES.md");

    private record Arrow(TaskState from, TaskState to) {}

    @Test
    void the_page_of_states_shows_the_table_as_it_is() throws Exception {
        if (Boolean.getBoolean("longhaul.rewrite")) {
            Files.writeString(PAGE, page());
        }
        assertThat(PAGE).hasContent(page());
    }

    private static String page() {
        return String.join(
                "\n",
                "# States of a task",
                "",
                "Drawn from `TransitionTable` by `StateDiagramTest`; `-Dlonghaul.rewrite=true` draws it anew.",
                "`Transitions.decide` accepts nothing else. `confirm_stopped` changes no state: it records that",
                "the work of an ended task has stopped (`workEnded`), which frees its slot. Nor does `retain`,",
                "which says how long the task is kept from now on.",
                "",
                "```mermaid",
                "stateDiagram-v2",
                arrows() + "```\n");
    }

    private static String arrows() {
        Map<Arrow, List<String>> commands = new LinkedHashMap<>();
        for (var row : TransitionTable.rows()) {
            commands.computeIfAbsent(new Arrow(row.from(), row.to()), a -> new ArrayList<>())
                    .add(word(row.command()));
        }
        var first = TransitionTable.FIRST.stream().sorted().map(state -> "    [*] --> " + word(state) + "\n");
        var all = commands.entrySet().stream()
                .map(entry -> "    %s --> %s: %s\n"
                        .formatted(
                                word(entry.getKey().from()),
                                word(entry.getKey().to()),
                                String.join(", ", entry.getValue())));
        var last = Stream.of(TaskState.values())
                .filter(TaskState::isTerminal)
                .map(state -> "    " + word(state) + " --> [*]\n");
        return Stream.of(first, all, last).flatMap(lines -> lines).reduce("", String::concat);
    }

    private static String word(Class<? extends Command> command) {
        return command.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
