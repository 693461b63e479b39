// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.TestTerminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Results of commands that {@code --save} writes whole, from a server that was killed after their end. */
@Timeout(120)
class SavedResultTest {

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();

    @Test
    void whole_texts_and_files_are_saved_although_the_server_was_killed() throws Exception {
        var file = Files.writeString(folder.resolve("tools.yaml"), """
            tools:
              long: {command: [seq, "1", "20000"]}
              report:
                command: [sh, -c, 'mkdir out; echo a >"out/a b.txt"; echo c >c.txt; echo written']
                cwd: job
                files: ['out/*', c.txt]
            """);
        var node = new ServedNode(file, folder.resolve("data"));
        try {
            node.start();
            var url = Objects.requireNonNull(node.uri()).toString();
            var whole = folder.resolve("whole.txt");
            assertThat(run("call", url, "long", "--save", whole.toString())).isEmpty();
            assertThat(Files.readAllLines(whole)).hasSize(20_000);
            run("call", url, "report");
            var task = run("tasks", "list", url, "--tool", "report").strip().split(" ")[0];
            node.kill();
            node.start();
            url = Objects.requireNonNull(node.uri()).toString();
            run("tasks", "result", url, task, "--save", folder.resolve("saved") + "/");
            assertThat(folder.resolve("saved/out/a b.txt")).hasContent("a");
            assertThat(folder.resolve("saved/c.txt")).hasContent("c");
            assertThat(folder.resolve("saved/result")).hasContent("written");
            run("tasks", "result", url, task, "--save", folder.resolve("text").toString());
            assertThat(folder.resolve("text")).hasContent("written");
            assertThat(user.err())
                    .contains("not saved: out/a b.txt, c.txt. A folder gets all, and has a slash at its end: --save"
                            + " FOLDER/");
            var onto = folder.resolve("text") + "/";
            assertThat(new Cli(user.terminal()).run(List.of("tasks", "result", url, task, "--save", onto)))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(user.err()).contains("/text/ is a file, and no folder. Name another folder.");
        } finally {
            node.kill();
        }
    }

    /** What a command says. */
    private String run(String... line) {
        int before = user.out().length();
        assertThat(new Cli(user.terminal()).run(List.of(line))).as(user.err()).isZero();
        return user.out().substring(before);
    }
}
