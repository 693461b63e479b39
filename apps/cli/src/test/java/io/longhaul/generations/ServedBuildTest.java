// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example {@code sdlc}: Maven builds and tests a real project, without a network, while the server is killed. */
@Timeout(600)
class ServedBuildTest {

    private static final Path FILE = Path.of("../../examples/yaml/maven-test.yaml");
    private static final Path PROJECT = Path.of("../../examples/sdlc/project");
    private static final Pattern COUNTS =
            Pattern.compile("Tests run: \\d+, Failures: \\d+, Errors: \\d+, Skipped: \\d+");
    private static final Pattern PLUGIN =
            Pattern.compile("<artifactId>(maven-[a-z]+-plugin)</artifactId>\\s*<version>([^<]+)<");

    @TempDir
    Path folder;

    @Test
    void a_build_whose_server_is_killed_is_read_while_it_runs_and_counts_the_same_tests() throws Exception {
        long seed = Long.getLong("kills.seed", System.nanoTime());
        System.out.println("-Dkills.seed=" + seed);
        var chance = new Random(seed);
        var undisturbed = counts("2026-07-28", "", false);
        assertThat(undisturbed).contains("Tests run: 12, Failures: 0, Errors: 0, Skipped: 0");
        for (var generation : List.of("2026-07-28", "2025-11-25")) {
            // Before the first line, or behind one of those that are there for certain: each test may wait at the gate.
            var line = List.of("", "Building parcels", "Running io.longhaul").get(chance.nextInt(3));
            assertThat(counts(generation, line, true))
                    .as("%s, killed behind the line %s", generation, line)
                    .isEqualTo(undisturbed);
        }
    }

    @Test
    void the_project_of_the_example_needs_what_the_build_of_longhaul_has() throws IOException {
        var ours = plugins(Path.of("../../pom.xml"));
        assertThat(plugins(PROJECT.resolve("pom.xml"))).isNotEmpty().isSubsetOf(ours);
    }

    private static List<String> plugins(Path pom) throws IOException {
        return PLUGIN.matcher(Files.readString(pom))
                .results()
                .map(plugin -> plugin.group(1) + " " + plugin.group(2))
                .toList();
    }

    /** The counts of the tests, as the log of the task has them while it runs, each line once. */
    private List<String> counts(String generation, String line, boolean isKilled) throws Exception {
        var own = Files.createDirectories(folder.resolve(generation + isKilled));
        copy(own.resolve("project"));
        addWaitingTest(own);
        var node = new ServedNode(FILE, own.resolve("data"));
        try (var gate = Gate.in(own)) {
            node.start();
            var project = "project=" + own.resolve("project");
            var reference = run("call", url(node), "maven_test", project, "--detach", "--generation", generation);
            var id = reference.strip().split("/")[3];
            if (isKilled) {
                awaitLine(url(node), id, line);
                node.kill();
                node.start();
            }
            gate.open();
            var read = found(run("tasks", "logs", "-f", url(node), id));
            var result = run("tasks", "result", url(node), id);
            assertThat(found(result)).as(result).isNotEmpty().containsAll(read);
            assertThat(read).isNotEmpty();
            return found(result);
        } finally {
            node.kill();
        }
    }

    private static void awaitLine(String url, String id, String line) {
        do {
            assertThat(run("tasks", "get", url, id)).doesNotContainPattern("state +(completed|failed|cancelled)");
        } while (!run("tasks", "logs", url, id).contains(line));
    }

    /** In an order of their own: Maven runs the classes as the file system lists them. */
    private static List<String> found(String log) {
        return COUNTS.matcher(log).results().map(MatchResult::group).sorted().toList();
    }

    /** What a command says. */
    private static String run(String... line) {
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of(line))).as(user.err()).isZero();
        return user.out();
    }

    private static String url(ServedNode node) {
        return Objects.requireNonNull(node.uri()).toString();
    }

    /** One test more, at which Maven waits until the server has been killed. */
    private static void addWaitingTest(Path own) throws IOException {
        var tests = own.resolve("project/src/test/java/io/longhaul/examples/parcels");
        Files.writeString(tests.resolve("GateTest.java"), """
                package io.longhaul.examples.parcels;
                class GateTest {
                    @org.junit.jupiter.api.Test
                    void waits() throws Exception {
                """ + Gate.statements(own) + "}}");
    }

    private static void copy(Path target) throws IOException {
        try (var files = Files.walk(PROJECT)) {
            for (var file : files.filter(it -> !it.startsWith(PROJECT.resolve("target")))
                    .toList()) {
                Files.copy(file, target.resolve(PROJECT.relativize(file)));
            }
        }
    }
}
