// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.TaskReference;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.file.script.ScriptLanguage;
import io.longhaul.file.work.Programs;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands that speak to their tasks by lines, of a server in this process. */
class SpeakingCommandTest extends SpeakingServer {

    @Test
    void a_command_records_steps_asks_calls_a_tool_and_gives_parts_of_a_result() throws Exception {
        serves("""
            cat "$LONGHAUL_TASK_DIR/arguments.json"
            step load '{"rows": 7}'
            say '{"call": "hi", "tool": "greet", "arguments": {"name": "Bob"}}'
            say '{"ask": "who", "message": "Who?", "fields": {"name": "string"}}'
            await answers/who >>seen
            await children/hi >>seen
            echo page >page.txt
            say '{"result": {"rows": 7}, "files": ["page.txt"]}'
            """);
        var outcome = outcome(QuestionHandler.NONE.forms(form -> says(form, "{\"name\": \"Eve\"}")));
        assertThat(outcome).contains("\"rows\":7", "page.txt").doesNotContain("arguments");
        assertThat(asked).containsExactly("Who?");
        assertThat(Files.readString(home.resolve("seen")))
                .contains("\"action\":\"accept\"", "\"name\":\"Eve\"")
                .contains("Hello Bob", "\"task\":");
    }

    @Test
    void a_command_says_for_the_model_why_it_has_failed() throws Exception {
        serves("say '{\"result\": {}}'; say '{\"fail\": \"There is no such quarter.\"}'; exit 1");
        assertThat(outcome(QuestionHandler.NONE))
                .contains("There is no such quarter.")
                .doesNotContain("exit code");
    }

    @Test
    void a_line_that_says_nothing_is_told_in_the_log_and_the_work_goes_on() throws Exception {
        serves("""
            say 'no json'
            say '{"step": "../up", "value": 1}'
            say '{"ask": "who", "fields": {}}'
            await answers/who
            say '{"call": "none", "tool": "nothing"}'
            await children/none
            say '{"result": {"still": true}}'
            """);
        try (var client = McpClient.to(http.url()).connect()) {
            var call = client.call("speak", Map.of());
            assertThat(call.await().toString()).contains("\"still\":true");
        }
        var task = home.resolve("jobs").resolve(last().value()).resolve("task");
        assertThat(Files.readString(task.resolve("answers/who.json"))).contains("error", "message");
        assertThat(Files.readString(task.resolve("children/none.json"))).contains("there is no tool 'nothing'");
        assertThat(home.resolve("up.json")).doesNotExist();
    }

    @Test
    void a_suspended_command_is_run_again_with_the_answer_and_does_no_step_twice() throws Exception {
        serves("""
            step load 1
            say '{"ask": "go", "message": "Go on?"}'
            [ -e "$LONGHAUL_TASK_DIR/answers/go.json" ] || exit 75
            step end 2
            say '{"result": {"done": true}}'
            """, "suspendAfter: 1s");
        assertThat(outcome(QuestionHandler.NONE.forms(form -> says(form, "{}"))))
                .contains("\"done\":true");
        assertThat(done()).isEqualTo("load\nend\n");
        assertThat(asked).containsExactly("Go on?");
    }

    @Test
    void a_killed_command_is_started_again_and_finds_its_steps_and_answers() throws Exception {
        serves("""
            step load 1
            say '{"ask": "go", "message": "Go on?"}'
            await answers/go
            [ -e killed ] || { : >killed; kill -KILL 0; }
            step end 2
            say '{"result": {"done": true}}'
            """);
        assertThat(outcome(QuestionHandler.NONE.forms(form -> says(form, "{}"))))
                .contains("\"done\":true");
        assertThat(done()).isEqualTo("load\nend\n");
        assertThat(asked).containsExactly("Go on?");
    }

    @Test
    void a_command_that_is_killed_while_it_waits_is_not_asked_for_and_calls_nothing_again() throws Exception {
        serves("""
            say '{"call": "hi", "tool": "wait", "arguments": {}}'
            say '{"ask": "go", "message": "Go on?"}'
            [ -e begun ] || { : >begun; while [ ! -e asked ]; do sleep 0.02; done; kill -KILL 0; }
            : >again
            await answers/go
            await children/hi >>seen
            say '{"result": {"done": true}}'
            """);
        var outcome = outcome(QuestionHandler.NONE.forms(form -> {
            create("asked");
            while (!Files.exists(home.resolve("again"))) {
                Thread.onSpinWait();
            }
            return says(form, "{}");
        }));
        assertThat(outcome).contains("\"done\":true");
        assertThat(Files.readString(home.resolve("seen"))).contains("waited");
        assertThat(events(EventDetail.Asked.class)).hasSize(1);
        assertThat(events(EventDetail.StepDone.class)).hasSize(1);
    }

    private void create(String name) {
        try {
            Files.createFile(home.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void the_next_server_answers_what_a_running_command_has_asked_and_called() throws Exception {
        serves("""
            step load 1
            say '{"ask": "go", "message": "Go on?"}'
            say '{"progress": 1}'
            await answers/go
            say '{"result": {"done": true}}'
            """);
        var open = new CountDownLatch(1);
        var handler = QuestionHandler.NONE.forms(form -> {
            open.countDown();
            return new Reply.LeftOpen();
        });
        TaskReference reference;
        try (var client = McpClient.to(http.url()).answers(handler).connect()) {
            var call = client.call("speak", Map.of());
            open.await();
            reference = call.detach();
        }
        server.close();
        serves(Http.onPort(http.url().getPort()));
        var again = QuestionHandler.NONE.forms(form -> says(form, "{}"));
        try (var client = McpClient.to(http.url()).answers(again).connect()) {
            assertThat(client.attach(reference).await().toString()).contains("\"done\":true");
        }
        assertThat(done()).isEqualTo("load\n");
    }

    @Test
    void a_question_that_another_machine_asks_in_other_words_stays_the_one_that_was_asked() throws Exception {
        var script = """
            say '{"ask": "go", "message": "Go on?"}'
            await answers/go
            say '{"result": {"done": true}}'
            """;
        serves(script);
        var open = new CountDownLatch(1);
        TaskReference reference;
        try (var client = McpClient.to(http.url())
                .answers(QuestionHandler.NONE.forms(form -> {
                    open.countDown();
                    return new Reply.LeftOpen();
                }))
                .connect()) {
            var call = client.call("speak", Map.of());
            open.await();
            reference = call.detach();
        }
        server.close();
        var jobs = home.resolve("jobs");
        var claim = jobs.resolve(reference.taskId()).resolve("claim");
        var group = Files.readString(claim).split(" ")[0];
        new ProcessBuilder("kill", "-KILL", "--", "-" + group).start().waitFor();
        Files.move(jobs, home.resolve("jobs-of-the-other-machine"));
        Files.writeString(home.resolve("speak.sh"), WORDS + script.replace("Go on?", "Go on now?"));
        serves(Http.onPort(http.url().getPort()));
        try (var client = McpClient.to(http.url())
                .answers(QuestionHandler.NONE.forms(form -> says(form, "{}")))
                .connect()) {
            assertThat(client.attach(reference).await().toString()).contains("\"done\":true");
        }
        assertThat(asked).containsExactly("Go on?");
        assertThat(logged()).contains("The question go is open in other words, which hold.");
    }

    @Test
    void ten_thousand_lines_are_all_heard() throws Exception {
        serves("""
            i=0
            while [ $i -lt 10000 ]; do i=$((i + 1)); echo "{\\"log\\": \\"line $i.\\"}"; done >>"$LONGHAUL_SAY"
            say '{"result": {"said": 10000}}'
            """);
        assertThat(outcome(QuestionHandler.NONE)).contains("\"said\":10000");
        assertThat(logged())
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 10_000)
                        .mapToObj(i -> "line " + i + ".")
                        .toList());
    }

    @Test
    void lines_of_the_log_are_one_entry_where_progress_and_status_stand_between_them() throws Exception {
        serves("""
            i=0
            while [ $i -lt 500 ]; do
              i=$((i + 1))
              echo "{\\"log\\": \\"line $i\\"}"
              echo "{\\"progress\\": $i}"
              echo '{"status": "goes on"}'
            done >lines
            cat lines >>"$LONGHAUL_SAY"
            """);
        outcome(QuestionHandler.NONE);
        assertThat(logged()).hasSize(500);
        assertThat(events(EventDetail.Logged.class)).hasSizeLessThan(10);
    }

    @Test
    void a_command_that_opens_no_file_says_its_lines_by_its_output() throws Exception {
        serves("""
            echo first
            echo '::say {"step": "load", "value": 1}'
            echo '::say no json'
            echo '::say {"partial": "piece"}'
            echo '::say {"ask": "go", "message": "Go on?"}'
            while [ ! -e "$LONGHAUL_TASK_DIR/answers/go.json" ]; do sleep 0.02; done
            [ -e killed ] || { : >killed; kill -KILL 0; }
            echo "says: ${LONGHAUL_SAY-nothing}"
            printf '::say {"log": "last"}'
            """, "say: stdout");
        assertThat(outcome(QuestionHandler.NONE.forms(form -> says(form, "{}"))))
                .contains("first\\nsays: nothing\"")
                .doesNotContain("::say");
        assertThat(events(EventDetail.StepDone.class)).hasSize(1);
        assertThat(events(EventDetail.Asked.class)).hasSize(1);
        assertThat(events(EventDetail.Emitted.class)).hasSize(2);
        assertThat(logged()).contains("last").anyMatch(line -> line.contains("it is no JSON"));
    }

    @ParameterizedTest
    @EnumSource
    void a_helper_says_its_lines_by_the_output_where_the_file_says_so(ScriptLanguage language) throws Exception {
        var script = switch (language) {
            case PYTHON -> """
                exec python3 -c "from longhaul import task
                print('one')
                rows = task.step('load', lambda: print('loads') or 'x' * 9000)
                task.log(str(task.approve('Go on?')))
                print('two', len(rows))
                try: task.partial('x' * 131072)
                except ValueError as e: print(e)"
                """;
            case NODE -> """
                exec node --input-type=module -e "import { task } from './longhaul.mjs'
                console.log('one')
                const rows = await task.step('load', () => { console.log('loads'); return 'x'.repeat(9000) })
                task.log(String(await task.approve('Go on?')))
                console.log('two', rows.length)
                try { task.partial('x'.repeat(131072)) } catch (e) { console.log(e.message) }"
                """;
            case SH -> """
                . ./longhaul.sh
                load() { echo loads >&2; printf '%9000s' '' | tr ' ' x; }
                echo one
                rows=$(task_step load load)
                task_approve 'Go on?' && task_log True
                echo two ${#rows}
                task_partial "$(printf '%131072s' '' | tr ' ' x)" 2>&1
                """;
        };
        assumeTrue(Programs.isThere(language.testing().split(" ", -1)[0], home));
        Files.writeString(home.resolve(language.helperName()), language.helper());
        serves(script, "say: stdout, successCodes: [0, 2]");
        assertThat(outcome(QuestionHandler.NONE.forms(form -> says(form, "{}"))))
                .containsPattern("one\\\\nloads\\\\ntwo 9000\\\\n.*a line has 128 KiB at most")
                .doesNotContain("::say");
        assertThat(events(EventDetail.StepDone.class)).hasSize(1);
        assertThat(events(EventDetail.Emitted.class)).isEmpty();
        assertThat(logged()).singleElement().asString().isEqualToIgnoringCase("true");
    }

    @Test
    void a_server_that_was_killed_takes_each_said_line_of_the_output_once() throws Exception {
        serves("""
            i=0
            while [ $i -lt 200 ]; do i=$((i + 1)); echo "line $i"; echo "@{\\"partial\\": $i}"; done
            echo '@{"ask": "go", "message": "Go on?"}'
            while [ ! -e "$LONGHAUL_TASK_DIR/answers/go.json" ]; do sleep 0.02; done
            while [ $i -lt 400 ]; do i=$((i + 1)); echo "line $i"; echo "@{\\"partial\\": $i}"; done
            echo '@{"result": {"done": true}}'
            """, "say: stdout, sayPrefix: '@'");
        var open = new CountDownLatch(1);
        TaskReference reference;
        try (var client = McpClient.to(http.url())
                .answers(QuestionHandler.NONE.forms(form -> {
                    open.countDown();
                    return new Reply.LeftOpen();
                }))
                .connect()) {
            var call = client.call("speak", Map.of());
            open.await();
            reference = call.detach();
        }
        server.close();
        var job = home.resolve("jobs").resolve(reference.taskId());
        // The server ended after it had saved what it was about to move, and before it had moved all of it.
        var moved = Files.readString(job.resolve("moved")).strip().split(" ");
        var say = job.resolve("task").resolve("say");
        try (var file = FileChannel.open(say, StandardOpenOption.WRITE)) {
            file.truncate(Long.parseLong(moved[3]) - 5);
        }
        Files.writeString(job.resolve("moved"), "0 0 " + moved[2] + " " + moved[3]);
        serves(Http.onPort(http.url().getPort()));
        try (var client = McpClient.to(http.url())
                .answers(QuestionHandler.NONE.forms(form -> says(form, "{}")))
                .connect()) {
            assertThat(client.attach(reference).await().toString()).contains("\"done\":true");
        }
        assertThat(events(EventDetail.Emitted.class).stream()
                        .map(piece -> piece.output().text()))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 400)
                        .mapToObj(Integer::toString)
                        .toList());
    }
}
