// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.top.view.Made;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks as lines for a person. */
class TaskTextTest {

    @Test
    void a_server_that_tells_no_tools_has_no_column_of_tools() {
        var recorded = Made.working("id-1", "report", 5, 40, "half");
        var unrecorded = TaskText.unrecorded(recorded.task());
        var withTool = TaskText.rows(List.of(recorded)).getFirst();
        assertThat(withTool).contains("report");
        assertThat(TaskText.rows(List.of(unrecorded)).getFirst().indexOf("2026"))
                .as("where the time of creation stands")
                .isPositive()
                .isLessThan(withTool.indexOf("2026"));
    }

    @Test
    void the_progress_is_the_last_line_of_a_message_within_bounds() {
        assertThat(TaskText.progress(Made.working("id-1", "report", 5, 0, "Its output so far:\none\ntwo\n\n")
                        .task()))
                .endsWith("two")
                .doesNotContain("one");
        assertThat(TaskText.progress(
                        Made.working("id-1", "report", 5, 0, "x".repeat(9999)).task()))
                .hasSizeLessThan(300);
    }

    @Test
    void the_details_of_a_task_have_what_its_server_tells_alone() {
        var recorded = Made.working("id-1", "report", 5, 40, "half");
        assertThat(TaskText.details(recorded)).anyMatch(line -> line.startsWith("attempts"));
        assertThat(TaskText.details(TaskText.unrecorded(recorded.task())))
                .anyMatch(line -> line.startsWith("state"))
                .noneMatch(line -> line.startsWith("attempts"));
    }
}
