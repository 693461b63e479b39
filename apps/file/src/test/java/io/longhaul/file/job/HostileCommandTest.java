// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler;
import io.longhaul.engine.history.EventDetail;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that speak, and mean harm. */
class HostileCommandTest extends SpeakingServer {

    @Test
    void a_command_that_spoils_its_folder_harms_nothing_but_itself() throws Exception {
        serves("""
            say '{"partial": "first"}'
            head -c 3000000 /dev/zero | tr '\\0' x >>"$LONGHAUL_SAY"
            say ''
            say '{"step": "'"$(head -c 100 /dev/zero | tr '\\0' n)"'", "value": 1}'
            rm -rf "$LONGHAUL_TASK_DIR/children"
            say '{"log": "still here", "level": "loud"}'
            rm "$LONGHAUL_SAY"
            mkfifo "$LONGHAUL_SAY"
            echo output
            """);
        assertThat(outcome(QuestionHandler.NONE)).contains("output");
    }

    @Test
    void names_that_lead_out_of_the_folder_are_refused() throws Exception {
        serves("""
            for name in . .. ../up a/b /tmp/up .heard '' 'a b'; do
              say "{\\"step\\": \\"$name\\", \\"value\\": 1}"
              say "{\\"ask\\": \\"$name\\", \\"message\\": \\"?\\"}"
              say "{\\"call\\": \\"$name\\", \\"tool\\": \\"greet\\"}"
            done
            say '{"files": ["../*"]}'
            say '{"files": ["/etc/passwd"]}'
            echo output
            """);
        assertThat(outcome(QuestionHandler.NONE)).contains("output");
        assertThat(events(EventDetail.StepDone.class)).isEmpty();
        assertThat(events(EventDetail.Asked.class)).isEmpty();
        assertThat(logged()).filteredOn(line -> line.contains("is not taken")).hasSize(20);
        try (var files = Files.list(home.resolve("jobs").resolve(last().value()).resolve("task"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("say", ".heard", "arguments.json");
        }
    }

    /** Links are set, and taken away when the server has had time to follow them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ln -s \"$PWD/other\" \"$LONGHAUL_TASK_DIR/steps\" #rm \"$LONGHAUL_TASK_DIR/steps\"",
                "mv \"$LONGHAUL_TASK_DIR\" mine; ln -s \"$PWD/other\" \"$LONGHAUL_TASK_DIR\""
                        + " #rm \"$LONGHAUL_TASK_DIR\"; mv mine \"$LONGHAUL_TASK_DIR\"",
                "mkdir \"$LONGHAUL_TASK_DIR/steps\"; ln -s \"$PWD/other/file\""
                        + " \"$LONGHAUL_TASK_DIR/steps/load.json.new\" #",
                "ln -s \"$PWD/other/file\" \"$LONGHAUL_TASK_DIR/.heard.new\" #",
                "mkfifo \"$LONGHAUL_TASK_DIR/.heard.new\" \"$LONGHAUL_TASK_DIR/.end\" #"
            })
    void a_link_to_the_folder_of_another_task_is_not_followed(String how) throws Exception {
        var other = Files.createDirectory(home.resolve("other"));
        Files.writeString(other.resolve("file"), "of another");
        Files.writeString(other.resolve("say"), "{\"step\": \"stolen\", \"value\": 1}\n");
        var ways = how.split("#", -1);
        serves(ways[0] + "\n" + """
            echo '{"step": "load", "value": 1}' >>"$([ -d mine ] && echo mine || echo "$LONGHAUL_TASK_DIR")/say"
            sleep 0.3
            %s
            await steps/load
            say '{"result": {"done": true}}'
            """.formatted(ways[1]));
        assertThat(outcome(QuestionHandler.NONE)).contains("\"done\":true");
        assertThat(events(EventDetail.StepDone.class)).hasSize(1);
        assertThat(other.resolve("file")).hasContent("of another");
        try (var files = Files.list(other)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void a_gigabyte_without_an_end_costs_no_memory() throws Exception {
        serves("""
            dd if=/dev/zero of="$LONGHAUL_SAY" bs=1 count=0 seek=1073741824 2>/dev/null
            dd if=/dev/zero of="$LONGHAUL_TASK_DIR/.end" bs=1 count=0 seek=3000000000 2>/dev/null
            say ''
            say '{"log": "behind it"}'
            echo output
            """);
        assertThat(outcome(QuestionHandler.NONE)).contains("output");
        assertThat(logged()).contains("behind it");
    }

    @Test
    void log_lines_without_an_end_take_no_more_room_than_the_most() throws Exception {
        serves("""
            line=$(head -c 60000 /dev/zero | tr '\\0' x)
            yes "{\\"log\\": \\"$line\\"}" | head -n 1200 >>"$LONGHAUL_SAY"
            say '{"result": {"done": true}}'
            """);
        assertThat(outcome(QuestionHandler.NONE)).contains("\"done\":true");
        var lines = logged();
        assertThat(lines.size()).isEqualTo((64 << 20) / 60_000 + 1);
        assertThat(lines.getLast()).contains("ends here, with 64 MB");
    }

    @Test
    void a_line_that_is_too_long_as_text_is_told_and_those_beside_it_are_kept() throws Exception {
        serves("""
            say '{"log": "before"}'
            say "{\\"log\\": \\"$(head -c 700000 /dev/zero | tr '\\0' '\\351')\\"}"
            say '{"log": "after"}'
            echo output
            """);
        assertThat(outcome(QuestionHandler.NONE)).contains("output");
        assertThat(logged()).contains("before", "after").anyMatch(line -> line.contains("A log line may have"));
    }
}
