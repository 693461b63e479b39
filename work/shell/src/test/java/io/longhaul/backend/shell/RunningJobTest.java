// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.script;
import static io.longhaul.backend.shell.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.backend.shell.output.OutputFiles;
import io.longhaul.backend.shell.output.ProgressPattern;
import io.longhaul.backend.shell.process.Pause;
import io.longhaul.backend.shell.start.JobScript;
import io.longhaul.backend.shell.start.JobStarter;
import io.longhaul.backend.shell.text.LineSplitter;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningJobTest {

    private static final List<String> NASTY = List.of(
            "$(touch x)",
            "`touch x`",
            "; touch x",
            "' && touch x '",
            "\" || touch x \"",
            "a\nb\n\n",
            "",
            " two  words ",
            "-rf",
            "--",
            "*",
            "~",
            "\\0101 \\n %s",
            "ünïcödé 漢字 🚂");

    @TempDir
    Path home;

    private Jobs jobs;
    private RecordingRun run;

    @BeforeEach
    void start() throws IOException {
        jobs = new Jobs(home);
        run = jobs.run();
    }

    @Test
    void the_output_and_the_exit_code_become_the_result() throws Exception {
        var outcome = jobs.running(script("echo out; echo err >&2; exit 3")).run(run);
        assertThat(text(outcome)).isEqualTo("3\nout\nerr\n");
        assertThat(((Outcome.Result) outcome).isError()).isTrue();
    }

    @Test
    void other_exit_codes_can_mean_success() throws Exception {
        var outcome = jobs.running(script("exit 1").successCodes(Set.of(0, 1))).run(run);
        assertThat(((Outcome.Result) outcome).isError()).isFalse();
    }

    @Test
    void a_job_ended_by_a_signal_has_128_and_its_number() throws Exception {
        assertThat(text(jobs.running(script("kill -9 $$")).run(run))).startsWith("137\n");
    }

    @Test
    void a_program_that_cannot_be_started_is_named_and_nothing_is_run() throws Exception {
        assertThat(jobs.running(ShellCommand.program("no-such-program-here")).run(run))
                .isEqualTo(notStarted("no-such-program-here", "it is not in the search path of the server."));
        var script = Files.writeString(home.resolve("script"), "#!/bin/sh\n").toString();
        assertThat(jobs.running(ShellCommand.program(script)).run(run))
                .isEqualTo(notStarted(script, "the server may not execute it."));
        assertThat(jobs.running(ShellCommand.program("./absent").directory(home))
                        .run(run))
                .isEqualTo(notStarted("./absent", "it is not there."));
        assertThat(jobs.folder().exists()).isFalse();
    }

    private static Outcome notStarted(String program, String why) {
        return new Outcome.Error(-32603, "The program " + program + " cannot be started: " + why, null);
    }

    @Test
    void a_command_line_that_is_too_long_for_the_machine_is_told_as_such_a_program() throws Exception {
        var command = ShellCommand.program("echo").list("all").argument("{all}");
        var outcome = jobs.running(command, Map.of("all", Collections.nCopies(60, "x".repeat(100_000))))
                .run(run);
        assertThat(((Outcome.Error) outcome).message()).startsWith("The program echo cannot be started: ");
    }

    @Test
    void a_builtin_of_the_shell_is_not_a_program() throws Exception {
        var command = ShellCommand.program("eval").argument("touch " + home.resolve("x"));
        assertThat(jobs.running(command).run(run)).isInstanceOf(Outcome.Error.class);
        assertThat(home.resolve("x")).doesNotExist();
    }

    private void assertPrintsNastyValuesWhole(String printed) {
        var whole = NASTY.stream().map(one -> "<" + one + ">").toList();
        assertThat(printed).isEqualTo("0\n" + String.join("", whole));
        assertThat(home.resolve("x")).doesNotExist();
    }

    @Test
    void no_value_reaches_a_shell_as_code_or_leaves_its_element() throws Exception {
        var command = ShellCommand.program("printf")
                .argument("<%s>")
                .list("all")
                .argument("{all}")
                .dashesAllowed(true)
                .directory(home);
        assertPrintsNastyValuesWhole(
                text(jobs.running(command, Map.of("all", NASTY)).run(run)));
    }

    @Test
    void values_arrive_whole_where_the_server_has_no_locale_and_no_setsid() throws Exception {
        assumeTrue(JobStarter.throughPerl().isPresent(), "needs perl");
        var starter = new JobStarter(JobStarter.throughPerl().orElseThrow(), StandardCharsets.US_ASCII);
        var shell = ShellBackend.in(home.resolve("jobs"), starter, jobs.processes, Pause.REAL, InstantSource.system());
        var command = ShellCommand.program("printf")
                .argument("<%s>")
                .list("all")
                .argument("{all}")
                .dashesAllowed(true)
                .directory(home)
                .build();
        var backend = shell.running(command, request -> Map.of("all", NASTY), Jobs.TEXT);
        assertPrintsNastyValuesWhole(text(backend.run(run)));
    }

    @Test
    void a_missing_argument_is_told_to_the_caller_and_nothing_starts() throws Exception {
        assertThat(jobs.running(ShellCommand.program("echo").argument("{word}")).run(run))
                .isEqualTo(new Outcome.Error(-32602, "The argument 'word' is missing.", null));
        assertThat(jobs.folder().exists()).isFalse();
    }

    @Test
    void a_job_gets_its_own_variables_and_few_of_the_server() throws Exception {
        var command = ShellCommand.program("env").environment("GREETING", "hello  there; $(x)");
        var environment = text(jobs.running(command).run(run)).lines().toList();
        assertThat(environment)
                .contains("GREETING=hello  there; $(x)", "LONGHAUL_TASK=" + Jobs.ID, "LONGHAUL_OWNER=local");
        assertThat(environment).filteredOn(line -> line.startsWith("LONGHAUL_")).hasSize(2);
        assertThat(environment).noneMatch(line -> line.startsWith("JAVA_") || line.startsWith("MAVEN_"));
    }

    @Test
    void a_job_runs_in_its_directory_with_nothing_to_read_in_a_session_of_its_own() throws Exception {
        var outcome = jobs.running(script("cat; pwd -P; cut -d' ' -f6 /proc/$$/stat 2>/dev/null || ps -o pgid= -p $$")
                        .directory(home))
                .run(run);
        assertThat(text(outcome).lines().map(String::strip).toList())
                .containsExactly(
                        "0",
                        home.toRealPath().toString(),
                        Long.toString(jobs.claim().pid()));
    }

    @Test
    void a_missing_directory_is_told_before_the_start() throws Exception {
        var command = script("echo never").directory(home.resolve("absent"));
        assertThat(jobs.running(command).run(run))
                .isEqualTo(notStarted("/bin/sh", "the folder that it runs in is not there."));
    }

    @Test
    void the_script_of_a_job_is_a_file_that_is_named_after_its_content_and_written_once() throws Exception {
        jobs.running(script("true")).run(run);
        var script = JobScript.in(home.resolve("jobs"));
        assertThat(script).hasContent(JobScript.TEXT);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(script)))
                .isEqualTo("rw-------");
        var written = Files.getLastModifiedTime(script);
        jobs.running(script("true")).run(jobs.run(1));
        assertThat(Files.getLastModifiedTime(script)).isEqualTo(written);
        assertThat(jobs.shell.sweep(task -> false, task -> false)).isEqualTo(2);
        assertThat(script).exists();
    }

    @Test
    void the_folder_is_for_the_user_of_the_server_only() throws Exception {
        jobs.running(script("true")).run(run);
        for (var folder : List.of(home.resolve("jobs"), jobs.folder().path())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void a_folder_for_jobs_that_other_users_can_write_is_refused() throws IOException {
        var loose = Files.createDirectory(home.resolve("loose"));
        Files.setPosixFilePermissions(loose, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertThatThrownBy(() -> ShellBackend.in(loose))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other users can write the folder " + loose);
    }

    @Test
    void the_handle_is_saved_before_the_job_is_claimed() throws Exception {
        var early = new RecordingRun(Jobs.ID, home.resolve("handle")) {
            @Override
            public void saveHandle(Payload saved) {
                assertThat(jobs.folder().exists()).isTrue();
                assertThat(jobs.folder().path()).isEmptyDirectory();
                super.saveHandle(saved);
            }
        };
        assertThat(text(jobs.running(script("echo done")).run(early))).isEqualTo("0\ndone\n");
    }

    @Test
    void lines_become_progress_and_the_status_message() throws Exception {
        var command = script(
                        "for i in 1 2 3; do echo \"step $i of 3: file$i\"; done; printf '\\033[32mall done\\033[0m'")
                .progress(ProgressPattern.of("(?<percent>\\d+)%"))
                .progress(ProgressPattern.of("step (?<current>\\d+) of (?<total>\\d+): (?<message>.*)"))
                .messageLines(2);
        jobs.running(command).run(run);
        assertThat(run.progress.getLast()).isEqualTo(new Progress(3, 3.0, "file3"));
        assertThat(run.messages.getLast()).isEqualTo("step 3 of 3: file3\nall done");
    }

    @Test
    void of_lines_that_are_too_long_for_a_message_the_newest_that_fit_are_shown_whole() throws Exception {
        jobs.running(script("echo old; printf '%01000d\\n%0999d\\n' 1 2").messageLines(3))
                .run(run);
        assertThat(run.messages.getLast())
                .isEqualTo("0".repeat(999) + "1\n" + "0".repeat(998) + "2")
                .hasSize(2_000);
    }

    /** The engine cuts it. */
    @Test
    void a_newest_line_that_is_too_long_for_a_message_is_shown_alone() throws Exception {
        jobs.running(script("echo old; printf '%02001d\\n' 1").messageLines(3)).run(run);
        assertThat(run.messages.getLast()).isEqualTo("0".repeat(2_000) + "1");
    }

    @Test
    void a_progress_bar_is_progress_and_its_last_state_stays() throws Exception {
        var command = script(
                        "echo 100% sure; for i in 1 50 100; do printf '\\r%3d%%|###| %d/100' $i $i >&2; done; echo")
                .partial(Pattern.compile(""));
        var result = text(jobs.running(command).run(run));
        assertThat(result).isEqualTo("0\n100% sure\n100%|###| 100/100\n");
        assertThat(run.progress.getLast()).isEqualTo(new Progress(100, 100.0, null));
        assertThat(run.progress).allMatch(progress -> progress.current() <= 100);
        assertThat(String.join("\n", run.emittedTexts())).isEqualTo("100% sure\n100%|###| 100/100");
        assertThat(run.messages.getLast()).isEqualTo("100%|###| 100/100");
    }

    @Test
    void a_percentage_in_a_line_of_text_is_no_progress() throws Exception {
        jobs.running(script("echo 50% of all tests are slow")).run(run);
        assertThat(run.progress).isEmpty();
    }

    @Test
    void raw_output_keeps_the_codes_for_a_terminal_and_all_states() throws Exception {
        var command = script("printf '\\033[1m10%%\\r20%%\\033[0m\\n'").raw(true);
        assertThat(text(jobs.running(command).run(run))).isEqualTo("0\n\u001b[1m10%\r20%\u001b[0m\n");
        assertThat(run.messages.getLast()).isEqualTo("20%\u001b[0m");
    }

    @Test
    void wanted_lines_are_emitted_in_order_the_last_without_an_end_too() throws Exception {
        var command = script("echo '+ one'; echo two; printf '+ three\\r\\n\\n'; printf '+ four'")
                .partial(Pattern.compile("^\\+"));
        jobs.running(command).run(run);
        assertThat(String.join("\n", run.emittedTexts())).isEqualTo("+ one\n+ three\n+ four");
    }

    @Test
    void bytes_that_are_no_text_and_endless_lines_do_no_harm() throws Exception {
        var command = script("printf 'a\\377\\000b\\n'; head -c 300000 /dev/zero | tr '\\0' x; printf '\\nend\\n'")
                .partial(Pattern.compile(""));
        var text = text(jobs.running(command).run(run));
        assertThat(text).startsWith("0\na\ufffdb\nxxx").endsWith("x\nend\n").hasSize(300_000 + 11);
        var lines = String.join("\n", run.emittedTexts()).lines().toList();
        assertThat(lines).hasSize(2).last().isEqualTo("end");
        assertThat(lines.getFirst()).hasSize(LineSplitter.LONGEST + 1).endsWith("x…");
    }

    @Test
    void every_line_is_emitted_in_order_however_fast_the_lines_come() throws Exception {
        var command = script("seq 1 1000000").outputCap(1000).partial(Pattern.compile("."));
        jobs.running(command).run(run);
        var lines = String.join("\n", run.emittedTexts()).lines().toList();
        assertThat(lines).hasSize(1_000_000);
        assertThat(lines.equals(numbers(1, 1_000_000))).isTrue();
        try (var files = Files.list(jobs.folder().path())) {
            assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isLessThan(7_000_000);
        }
    }

    @Test
    void a_job_whose_follower_is_slow_waits_for_it_and_loses_no_line() throws Exception {
        var command = script("i=0; while [ $i -lt 9 ]; do i=$((i+1)); head -c 16000000 /dev/zero | tr '\\0' x; echo;"
                        + " echo part $i; done")
                .outputCap(1000)
                .partial(Pattern.compile("part"));
        jobs.running(command).run(run);
        assertThat(String.join("\n", run.emittedTexts()).lines())
                .containsExactlyElementsOf(
                        numbers(1, 9).stream().map(number -> "part " + number).toList());
        assertThat(run.logs).isEmpty();
    }

    @Test
    void a_long_line_is_emitted_whole() throws Exception {
        var command = script("head -c 100000 /dev/zero | tr '\\0' x; printf '\\nend\\n'")
                .partial(Pattern.compile("."));
        jobs.running(command).run(run);
        assertThat(run.emittedTexts()).containsExactly("x".repeat(100_000), "end");
    }

    private static List<String> numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(Integer::toString).toList();
    }

    @Test
    void runaway_output_is_cut_in_the_result_and_on_disk() throws Exception {
        var command = script("seq 1 3000000").outputCap(1000);
        var text = text(jobs.running(command).run(run));
        assertThat(text)
                .startsWith("0\n1\n2\n3\n")
                .endsWith("\n2999999\n3000000\n")
                .hasSizeLessThan(1_100);
        assertThat(text).containsPattern("\n\\[\\.\\.\\. 22\\d{6} bytes of output cut here \\.\\.\\.]\n");
        // What the server has not read yet when the job ends, which depends on how fast both are, is still there.
        try (var files = Files.list(jobs.folder().path())) {
            assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isLessThan(OutputFiles.UNREAD + 800_000);
        }
        assertThat(run.messages.getLast()).isEqualTo("3000000");
    }

    @Test
    void what_a_job_leaves_in_its_group_ends_with_it() throws Exception {
        var outcome =
                jobs.running(script("sleep 1000 >/dev/null 2>&1 & echo done")).run(run);
        assertThat(text(outcome)).isEqualTo("0\ndone\n");
        assertThatItsGroupEnds();
    }

    @Test
    void a_child_that_keeps_the_output_open_does_not_hold_the_result_for_ever() throws Exception {
        var command = script("trap '' TERM; sleep 1000 & echo done").stopGrace(Duration.ofMillis(100));
        assertThat(text(jobs.running(command).run(run))).isEqualTo("0\ndone\n");
        assertThatItsGroupEnds();
    }

    /** A process that was sent a KILL with the shell of its job can take a moment longer to go. */
    private void assertThatItsGroupEnds() throws Exception {
        for (long pid : jobs.processes.group(jobs.claim().pid())) {
            var process = ProcessHandle.of(pid);
            if (process.isPresent()) {
                process.get().onExit().get(10, TimeUnit.SECONDS);
            }
        }
        assertThat(jobs.processes.group(jobs.claim().pid())).isEmpty();
    }
}
