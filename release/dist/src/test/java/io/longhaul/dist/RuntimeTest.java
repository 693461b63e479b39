// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The release with its own Java, and the packages for npm, on a machine without Java, Maven or a network. */
class RuntimeTest {
    private static final Path TARGET = Release.ZIP.getParent();
    private static final String GREET = "tools: {greet: {input: {name: string}, command: [echo, \"hello {name}\"]}}\n";

    /** That its class archive cannot be used ends a JVM with this option. */
    private static final String ARCHIVE_OR_NOTHING = "-XX:AOTMode=on";

    @TempDir
    static Path shared;

    private static Path release;
    private static Path project;

    @TempDir
    Path folder;

    @BeforeAll
    static void make() throws IOException, InterruptedException {
        assumeTrue(Runtime.version().feature() >= 25, "a release with its own Java is made by a JDK 25");
        assumeTrue(System.getProperty("os.name").equals("Linux"), "only the release for Linux is tried");
        assumeTrue(Files.isExecutable(Release.JAVA_HOME.resolve("bin/jlink")), "this Java has no jlink");
        var making = new ProcessBuilder("sh", "runtime/run", Release.ZIP.toString(), TARGET.toString());
        making.environment().put("JAVA_HOME", Release.JAVA_HOME.toString());
        var made = Release.run(making, Path.of("").toAbsolutePath());
        assertThat(made.code()).as(made.err()).isZero();
        release = unpacked(shared, "longhaul-[0-9].*-linux-.*\\.tar\\.xz");
    }

    @Test
    void the_first_start_is_from_the_class_archive_and_keeps_nothing() throws Exception {
        Files.writeString(folder.resolve("tools.yaml"), GREET);
        var served = "stdio:sh " + launcher() + " serve --stdio tools.yaml";
        var process = Release.process(folder, List.of(), "sh", launcher(), "call", served, "greet", "name=you");
        process.environment().put("LONGHAUL_JAVA_OPTS", ARCHIVE_OR_NOTHING);
        var said = Release.run(process, folder);
        assertThat(said.out()).as(said.err()).isEqualTo("hello you\n");
        assertThat(said.err()).doesNotContain("first start", "WARNING");
        assertThat(folder.resolve("home/.cache")).doesNotExist();
    }

    @Test
    void a_copy_with_other_times_makes_archives_of_its_own() throws Exception {
        var copy = folder.resolve("copy").toString();
        assertThat(Release.run(new ProcessBuilder("cp", "-r", release.toString(), copy), folder)
                        .code())
                .isZero();
        // No file takes a byte more: making them would only take its time.
        var full = "trap '' XFSZ; ulimit -f 0; exec sh -x " + copy + "/bin/longhaul --version 2>&1";
        var said = Release.run(Release.process(folder, List.of(), "sh", "-c", full), folder);
        assertThat(said.out()).contains("can_write " + copy + "/cache");
    }

    @Test
    void the_first_page_is_typed_without_java() throws Exception {
        // The page's reader has another archive here, which another program unpacks, and which takes no room.
        var tools = Files.createDirectories(folder.resolve("tools"));
        var unzip = Files.writeString(
                tools.resolve("unzip"),
                "#!/bin/sh\nexec " + tool("cp") + " -al " + release + " " + folder.resolve("longhaul-here") + "\n");
        assertThat(unzip.toFile().setExecutable(true)).isTrue();
        var shell = Release.process(folder, List.of(), "sh");
        var seen = TypedPage.of(Path.of("../../docs/START.md"), "With the zip").type(shell, folder);
        assertThat(seen).doesNotContain("SEVERE", "Exception", "first start");
    }

    @Test
    void a_workflow_needs_the_part_with_the_client_of_temporal() throws Exception {
        Files.writeString(
                folder.resolve("tools.yaml"), "tools: {report: {workflow: {type: Report, taskQueue: reports}}}\n");
        var check = Release.process(folder, List.of(), "sh", launcher(), "check", "tools.yaml");
        var refused = Release.run(check, folder);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out() + refused.err())
                .contains("tools.report.workflow: needs the client of Temporal, which is not installed. Unpack the "
                        + "archive longhaul-temporal of this version in the folder of Longhaul.");

        var part = unpacked(folder, "longhaul-temporal-.*\\.tar\\.gz");
        var whole = Stream.concat(jars(part), jars(release.resolve("lib"))).toList();
        assertThat(whole).containsAll(jarsOfZip());
        var java = release.resolve("runtime/bin/java").toString();
        var program = folder.resolve("whole");
        assertThat(Release.run(new ProcessBuilder("cp", "-al", release.toString(), program.toString()), folder)
                        .code())
                .isZero();
        Files.move(part, program.resolve("temporal"));
        var list = program.resolve("temporal/longhaul-cli-temporal.jar").toString();
        assertThat(Release.run(Release.process(folder, List.of(), java, "-jar", list, "check", "tools.yaml"), folder))
                .isEqualTo(new Release.Said(0, "tools.yaml: can be served\n", ""));
    }

    @Test
    void npx_hands_over_streams_arguments_exit_codes_and_signals_without_a_network() throws Exception {
        var project = npm();
        Files.writeString(shared.resolve("tools.yaml"), GREET);
        var call = npx("call", "stdio:npx -y longhaul serve --stdio ../tools.yaml", "greet", "name=two  words");
        call.environment().put("LONGHAUL_JAVA_OPTS", ARCHIVE_OR_NOTHING);
        assertThat(Release.run(call, project).out()).isEqualTo("hello two  words\n");
        assertThat(Release.run(npx("check", "nothing.yaml"), project).code()).isEqualTo(2);
        var installed =
                Release.run(npx("install", "claude", "../tools.yaml"), project).out();
        assertThat(installed).contains("npx\"", "\"-y\", \"longhaul@", "\"serve\"");

        var serving = npx("serve", "../tools.yaml", "--http", "0");
        // As a program that starts servers does.
        serving.command(List.of("node", "node_modules/.bin/longhaul", "serve", "../tools.yaml", "--http", "0"));
        var server = serving.directory(project.toFile()).start();
        try (var lines = server.errorReader(StandardCharsets.UTF_8)) {
            assertThat(lines.lines().anyMatch(line -> line.startsWith("longhaul: at ")))
                    .isTrue();
            var java = server.descendants().toList();
            server.destroy();
            assertThat(server.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(server.exitValue()).isZero();
            assertThat(java).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void a_node_that_can_become_another_program_becomes_the_server_so_that_a_sigkill_ends_both() throws Exception {
        var asked = Release.run(new ProcessBuilder("node", "-p", "typeof process.execve"), folder);
        assumeTrue(asked.out().strip().equals("function"), "this Node starts the server as a process of its own");
        Files.writeString(shared.resolve("tools.yaml"), GREET);
        var serving = npx();
        serving.command(List.of("node", "node_modules/.bin/longhaul", "serve", "../tools.yaml", "--http", "0"));
        var server = serving.directory(npm().toFile()).start();
        try (var lines = server.errorReader(StandardCharsets.UTF_8)) {
            assertThat(lines.lines().anyMatch(line -> line.startsWith("longhaul: at ")))
                    .isTrue();
            assertThat(server.descendants()).isEmpty();
            assertThat(server.info().command()).get(STRING).endsWith("/runtime/bin/java");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void a_server_that_npx_has_started_ends_with_npx() throws Exception {
        Files.writeString(shared.resolve("tools.yaml"), GREET);
        var npx = npx("serve", "../tools.yaml", "--http", "0")
                .directory(npm().toFile())
                .start();
        try (var lines = npx.errorReader(StandardCharsets.UTF_8)) {
            assertThat(lines.lines().anyMatch(line -> line.startsWith("longhaul: at ")))
                    .isTrue();
            var started = npx.descendants().toList();
            npx.destroy();
            assertThat(started).isNotEmpty();
            for (var process : started) {
                process.onExit().get(1, TimeUnit.MINUTES);
            }
        } finally {
            npx.destroyForcibly();
        }
    }

    @Test
    void a_system_without_a_package_of_npm_runs_on_its_java_or_is_told_to_get_one() throws Exception {
        var alone = folder.resolve("longhaul");
        assertThat(Release.run(
                                new ProcessBuilder(
                                        "cp",
                                        "-r",
                                        npm().resolve("node_modules/longhaul").toString(),
                                        alone.toString()),
                                folder)
                        .code())
                .isZero();
        // Class archives, which would only take their time, can be kept nowhere.
        Files.createFile(alone.resolve("cache"));
        var process = npx();
        process.command(List.of("node", "longhaul/longhaul.js", "--version"));
        process.environment().put("HOME", "");
        process.environment().put("JAVA_HOME", Release.JAVA_HOME.toString());
        assertThat(Release.run(process, folder).out()).startsWith("longhaul ");

        var finder = alone.resolve("lib/jdk.sh");
        Files.writeString(
                finder,
                Files.readString(finder).replaceFirst("for java_home in .*; do", "for java_home in /nowhere; do"));
        process.environment().remove("JAVA_HOME");
        var said = Release.run(process, folder);
        assertThat(said.code()).isOne();
        assertThat(said.err()).contains("npm has no Longhaul with its own Java for linux-", "no Java 21 or newer");
    }

    /** A project in which npm has put both packages. */
    private Path npm() throws Exception {
        assumeTrue(Release.find("npm").isPresent() && Release.find("node").isPresent(), "npm is not there");
        if (project == null) {
            var made = Files.createDirectories(shared.resolve("project"));
            Files.writeString(made.resolve("package.json"), "{\"name\": \"project\", \"version\": \"1.0.0\"}");
            var install = npx();
            install.command(List.of(
                    "npm",
                    "install",
                    "--offline",
                    "--no-audit",
                    "--no-fund",
                    made(TARGET.resolve("npm"), "longhaul-[0-9].*\\.tgz"),
                    made(TARGET.resolve("npm"), "longhaul-linux-.*\\.tgz")));
            var said = Release.run(install, made);
            assertThat(said.code()).as(said.err()).isZero();
            project = made;
        }
        return project;
    }

    private ProcessBuilder npx(String... words) throws IOException {
        var programs = Stream.of("npm", "npx", "node").map(RuntimeTest::tool).map(Path::getParent);
        var command = Stream.concat(Stream.of("npx", "-y", "longhaul"), Stream.of(words));
        return Release.process(folder, programs.distinct().toList(), command.toArray(String[]::new));
    }

    private static Path tool(String name) {
        return Release.find(name).orElseThrow();
    }

    private static String launcher() {
        return release.resolve("bin/longhaul").toString();
    }

    private static String made(Path folder, String pattern) {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(pattern))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + pattern))
                    .toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What the archive of that name has, unpacked in {@code folder}. */
    private static Path unpacked(Path folder, String pattern) throws IOException, InterruptedException {
        var into = Files.createDirectories(folder.resolve("unpacked"));
        var said = Release.run(new ProcessBuilder("tar", "-xf", made(TARGET, pattern), "-C", into.toString()), folder);
        assumeTrue(said.code() == 0, said.err());
        try (var files = Files.list(into)) {
            return files.findFirst().orElseThrow().toRealPath();
        }
    }

    private static Stream<String> jars(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".jar"))
                    .toList()
                    .stream();
        }
    }

    private List<String> jarsOfZip() throws IOException, InterruptedException {
        return jars(Release.unpack(folder).resolve("lib")).toList();
    }
}
