// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.get;
import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.engine.secret.Secret;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a command has written is told to its task while it runs, each line once. */
@Timeout(60)
class WrittenLinesTest extends JobTest {

    private static final Secret KEY = () -> "k-1234567";

    @Test
    void lines_are_written_while_the_command_runs_cleaned_and_masked_as_in_its_result() throws Exception {
        var run = jobs.runUntil("the key is ***");
        var command = script("printf '1%%\\r2%%\\n\\033[1mbold\\033[0m\\n'; echo the key is $KEY; " + jobs.waitForGo()
                        + "; printf end")
                .environment("KEY", KEY);
        var outcome = inBackground(() -> jobs.running(command).run(run));
        run.awaitMessage();
        assertThat(run.written).hasToString("2%\nbold\nthe key is ***\n");
        jobs.go();
        get(outcome);
        assertThat(run.written).hasToString("2%\nbold\nthe key is ***\nend\n");
    }

    @Test
    void the_next_server_goes_on_behind_the_last_line_that_was_written() throws Exception {
        var command = script("echo a; echo b; " + jobs.waitForGo() + "; echo c").partial(Pattern.compile("b"));
        var first = jobs.runUntil("b");
        var handedBack = inBackground(() -> jobs.running(command).run(first));
        first.awaitMessage();
        first.stopping = true;
        assertThatThrownBy(() -> get(handedBack)).hasCauseInstanceOf(InterruptedException.class);
        jobs.go();
        var second = jobs.run().after(first);
        second.emitted.addAll(first.emitted);
        jobs.running(command).run(second);
        assertThat(first.written + "|" + second.written).isEqualTo("a\nb\n|c\n");
        assertThat(second.emittedTexts()).containsExactly("b");
    }

    @Test
    void a_job_that_is_begun_again_is_written_from_its_beginning() throws Exception {
        var run = jobs.run();
        run.write("of another process\n", "100 1 linux:another");
        jobs.running(script("echo a")).run(run);
        assertThat(run.written).hasToString("of another process\na\n");
    }

    @Test
    void output_with_secrets_of_a_tool_that_is_gone_is_not_written() throws Exception {
        var first = jobs.runUntil("begun");
        var command = script("echo begun; " + jobs.waitForGo() + "; echo $KEY").environment("KEY", KEY);
        var handedBack = inBackground(() -> jobs.running(command).run(first));
        first.awaitMessage();
        first.stopping = true;
        assertThatThrownBy(() -> get(handedBack)).hasCauseInstanceOf(InterruptedException.class);
        jobs.go();
        var run = jobs.run().after(first);
        jobs.shell.following(Jobs.TEXT).run(run);
        assertThat(run.written).isEmpty();
        assertThat(new JobFolder(Jobs.ID, home.resolve("jobs").resolve(Jobs.ID.value()), 1).hasSecrets())
                .isTrue();
    }
}
