// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.get;
import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.script;
import static io.longhaul.backend.shell.Jobs.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.longhaul.backend.shell.output.ProgressPattern;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a command reads and knows that is in no record: its standard input, and secrets. */
@Timeout(60)
class SecretsTest extends JobTest {

    static SecretFile secret(Path home, String text) throws IOException {
        var file = Files.writeString(home.resolve("secret"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return new SecretFile(file);
    }

    @Test
    void a_command_has_its_secret_and_what_it_writes_of_that_is_masked_everywhere() throws Exception {
        var run = jobs.run();
        var command = script("echo \"$TOKEN\" | sha256sum; echo \"1% with <$TOKEN>\"; echo \"+ $TOKEN\" >&2")
                .environment("TOKEN", secret(home, "s3cret\n"))
                .progress(ProgressPattern.of("(?<percent>\\d+)% (?<message>.*)"))
                .partial(Pattern.compile("^\\+"))
                .messageLines(3);
        var digest = "9d4a7a7a";
        var result = text(jobs.running(command).run(run));
        assertThat(result).endsWith("1% with <***>\n+ ***\n").doesNotContain(digest);
        assertThat(run.progress).containsExactly(new Progress(1, 100.0, "with <***>"));
        assertThat(run.emittedTexts()).containsExactly("+ ***");
        assertThat(run.messages.getLast()).endsWith("1% with <***>\n+ ***");
    }

    @Test
    void a_secret_is_in_no_file_of_the_job_nor_in_a_command_line() throws Exception {
        var run = jobs.runUntil("begun");
        var command = script("echo begun; " + jobs.waitForGo()).environment("TOKEN", secret(home, "s3cret"));
        var outcome = inBackground(() -> jobs.running(command).run(run));
        run.awaitMessage();
        var commandLines = new ArrayList<String>();
        for (var pid : jobs.processes.group(jobs.claim().pid())) {
            try {
                commandLines.add(Files.readString(Path.of("/proc/" + pid + "/cmdline")));
            } catch (IOException e) {
                // A pause of the command, which has ended since.
            }
        }
        assertThat(commandLines).isNotEmpty().noneMatch(line -> line.contains("s3cret"));
        try (var files = Files.walk(home.resolve("jobs"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).as(file.toString()).doesNotContain("s3cret");
            }
        }
        assertThat(run.handle().orElseThrow().text()).doesNotContain("s3cret");
        jobs.go();
        get(outcome);
    }

    @Test
    void a_secret_is_read_anew_for_each_job() throws Exception {
        var command = script("[ \"$TOKEN\" = \"$WANTED\" ]");
        var first = command.environment("TOKEN", secret(home, "one")).environment("WANTED", "one");
        assertThat(text(jobs.running(first).run(jobs.run(1)))).startsWith("0\n");
        secret(home, "two");
        assertThat(text(jobs.running(first.environment("WANTED", "two")).run(jobs.run(2))))
                .startsWith("0\n");
    }

    @Test
    void a_secret_that_cannot_be_used_is_told_without_its_place_and_nothing_is_run() throws Exception {
        var loose = secret(home, "s3cret");
        Files.setPosixFilePermissions(loose.path(), PosixFilePermissions.fromString("rw-r-----"));
        assertThatIOException().isThrownBy(loose::read).withMessageContaining("chmod 600 " + loose.path());
        var outcome = jobs.running(script("echo never > began").directory(home).environment("TOKEN", loose))
                .run(jobs.run());
        assertThat(((Outcome.Error) outcome).message())
                .isEqualTo("The program /bin/sh cannot be started: the server cannot read a secret that the program"
                        + " needs, and its log has the details.");
        assertThat(home.resolve("began")).doesNotExist();
        assertThatIOException().isThrownBy(secret(home, "\n")::read).withMessageContaining("is empty");
        Files.write(loose.path(), new byte[] {(byte) 0xff});
        assertThatIOException().isThrownBy(loose::read).withMessageContaining("not UTF-8");
        assertThatIOException().isThrownBy(new SecretFile(home.resolve("absent"))::read);
        Files.setPosixFilePermissions(loose.path(), Set.of());
        assertThatIOException().isThrownBy(loose::read);
    }

    @Test
    void a_secret_is_masked_by_the_server_that_finds_the_job_after_a_restart() throws Exception {
        var command = script("echo begun; " + jobs.waitForGo() + "; echo $TOKEN")
                .environment("TOKEN", secret(home, "s3cret"));
        var first = jobs.runUntil("begun");
        var left = inBackground(() -> jobs.running(command).run(first));
        first.awaitMessage();
        left.cancel(true);
        jobs.go();
        assertThat(text(jobs.running(command).run(jobs.run()))).isEqualTo("0\nbegun\n***\n");
    }

    @Test
    void a_command_reads_what_its_call_says() throws Exception {
        var long_ = "ünï\ncödé ".repeat(50_000);
        var command = script("sha256sum; cat -").stdin("{\"text\": \"{text}\"}\n");
        var expected = new ProcessBuilder("sha256sum").start();
        try (var input = expected.getOutputStream()) {
            input.write(("{\"text\": \"" + long_ + "\"}\n").getBytes(UTF_8));
        }
        var digest = new String(expected.getInputStream().readAllBytes(), UTF_8);
        assertThat(text(jobs.running(command, Map.of("text", List.of(long_))).run(jobs.run())))
                .isEqualTo("0\n" + digest);
    }

    @Test
    void a_list_is_read_line_by_line_and_a_missing_value_is_told() throws Exception {
        var lines = script("cat").list("all").stdin("{all}");
        assertThat(text(jobs.running(lines, Map.of("all", List.of("-a", "b"))).run(jobs.run(1))))
                .isEqualTo("0\n-a\nb");
        assertThat(jobs.running(script("cat").stdin("{word}")).run(jobs.run(2)))
                .isEqualTo(new Outcome.Error(-32602, "The argument 'word' is missing.", null));
    }

    @Test
    void what_a_command_reads_lies_in_no_file_once_the_command_has_begun() throws Exception {
        var run = jobs.runUntil("begun");
        var command = script("echo begun; " + jobs.waitForGo() + "; cat").stdin("{text}");
        var outcome = inBackground(() ->
                jobs.running(command, Map.of("text", List.of("read this"))).run(run));
        run.awaitMessage();
        assertThat(jobs.folder().path().resolve("input")).doesNotExist();
        jobs.go();
        assertThat(text(get(outcome))).isEqualTo("0\nbegun\nread this");
    }
}
