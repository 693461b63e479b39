// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler;
import io.longhaul.protocol.dialect.Generation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example {@code code-migration}. */
class CodeMigrationTest {

    private static final int REPOSITORIES = 12;

    @TempDir
    Path folder;

    /** Of one generation alone: each repository is built by a Maven of its own. Other examples have two. */
    @Test
    void a_migration_whose_server_is_killed_makes_the_same_commits() throws Exception {
        var killed = new KilledExample(
                ShownCall.of("code-migration"),
                1,
                CodeMigrationTest::makeRepositories,
                QuestionHandler.NONE,
                own -> branches(own.resolve("code")));
        var end = killed.endsAlike(folder, Generation.V2026_07_28);
        assertThat(end.result()).startsWith("{repositories=12, migrated=9, unchanged=1, failed=2, ");
        assertThat(end.result())
                .contains("src/App.java:4: incompatible types")
                .contains("AppTest.gives_a_default:8 expected: not same but was: <7>");
        assertThat(folder.resolve("undisturbed/code/.migration")).isEmptyDirectory();
        assertThat(git(
                        folder.resolve("undisturbed/code/service-0"),
                        "show",
                        "longhaul/boxed-constructors:src/App.java"))
                .contains("Integer a = Integer.valueOf(\"0\"); // not new Integer(1)")
                .contains("map.put(Long.valueOf(2L), Integer.valueOf((int) 3));");
        assertThat(git(
                        folder.resolve("undisturbed/code/service-5"),
                        "show",
                        "longhaul/boxed-constructors:src/main/java/App.java"))
                .contains("Integer.valueOf(7)");
    }

    /** As the README says. */
    private static Void makeRepositories(Path own) throws Exception {
        run(own, "examples/code-migration/make-repositories", "code");
        return null;
    }

    private static List<String> branches(Path folder) throws Exception {
        var all = new ArrayList<String>();
        for (int i : IntStream.range(0, REPOSITORIES).toArray()) {
            all.add(git(folder.resolve("service-" + i), "log", "--all", "--format=%H %D %s"));
        }
        return all;
    }

    private static String git(Path folder, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        return run(folder, command.toArray(String[]::new));
    }

    private static String run(Path folder, String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
