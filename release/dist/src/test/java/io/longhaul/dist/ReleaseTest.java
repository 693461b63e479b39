// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the release, and how it starts on machines of several kinds. */
class ReleaseTest {
    @TempDir
    static Path shared;

    private static Path release;

    @TempDir
    Path folder;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        release = Release.unpack(shared);
    }

    @Test
    void the_program_finds_all_its_jars_and_no_others_are_there() throws IOException {
        try (var jar = new JarFile(program().toFile());
                var lib = Files.list(release.resolve("lib"))) {
            var attributes = jar.getManifest().getMainAttributes();
            assertThat(attributes.getValue("Main-Class")).isEqualTo("io.longhaul.cli.Main");
            assertThat(lib.map(file -> "lib/" + file.getFileName()).filter(file -> file.endsWith(".jar")))
                    .containsExactlyInAnyOrder(attributes.getValue("Class-Path").split(" "))
                    .noneMatch(file -> file.matches(".*(junit|assertj|testkit|jmh).*"));
        }
    }

    @Test
    void completion_and_manual_are_there() throws Exception {
        assertThat(release.resolve("completion/longhaul.bash")).content().contains("complete -o default -F _longhaul");
        assertThat(release.resolve("completion/_longhaul")).content().startsWith("#compdef longhaul");
        assertThat(release.resolve("completion/longhaul.fish")).content().contains("-a serve");
        assertThat(release.resolve("man/longhaul.1"))
                .content()
                .startsWith(".TH LONGHAUL 1")
                .contains(version().replace("-", "\\-"));
    }

    @Test
    void links_from_page_to_page_resolve() throws IOException {
        var docs = release.resolve("docs");
        assertThat(docs.resolve("START.md")).exists();
        try (var files = Files.walk(docs)) {
            var pages = files.filter(file -> file.toString().endsWith(".md")).toList();
            for (var page : pages) {
                var links = Pattern.compile("]\\(([^)#:\\s]+)(#[^)]*)?\\)").matcher(Files.readString(page));
                assertThat(links.results()
                                .map(link -> page.resolveSibling(link.group(1)).normalize()))
                        .as(page.toString())
                        .filteredOn(target -> target.startsWith(docs))
                        .allSatisfy(target -> assertThat(target).exists());
            }
        }
    }

    @Test
    void a_disk_without_room_keeps_no_archives_and_no_lock_and_the_program_starts() throws Exception {
        var copy = Release.unpack(folder);
        // No file takes a byte more, as on a full disk; what is said goes to a pipe.
        var full = "trap '' XFSZ; ulimit -f 0; exec sh " + copy.resolve("bin/longhaul") + " --version 2>&1";
        assertThat(Release.run(process("sh", "-c", full), folder))
                .isEqualTo(new Release.Said(0, "longhaul " + version() + "\n", ""));
        assertThat(copy.resolve("cache")).isEmptyDirectory();
    }

    @Test
    void a_jdk_that_has_no_modules_to_link_is_told_so() throws Exception {
        var jdk = Files.createDirectories(folder.resolve("jdk/bin")).getParent();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
        for (var tool : List.of("java", "jlink")) {
            var script = Files.writeString(
                    jdk.resolve("bin").resolve(tool),
                    "#!/bin/sh\necho 'Capabilities: Linking from run-time image disabled'\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        var process = process("sh", release.resolve("bin/make-runtime").toString());
        process.environment().put("JAVA_HOME", jdk.toString());
        var said = Release.run(process, folder);
        assertThat(said.code()).isOne();
        assertThat(said.err())
                .isEqualTo("make-runtime: " + jdk + " has no modules to link: install its jmods, "
                        + "or set JAVA_HOME to a JDK that has them\n");
        assertThat(release.resolve("runtime")).doesNotExist();
    }

    @Test
    void names_of_files_that_are_not_ascii_are_read_where_no_locale_is_set() throws Exception {
        var script = Files.writeString(folder.resolve("script.sh"), """
                mkdir bücher
                echo 'tools: {greet: {command: [echo, hello]}}' >bücher/w✓.yaml
                # Nothing is kept: class archives would only take their time.
                trap '' XFSZ
                ulimit -f 0
                exec sh "$1" check bücher/w✓.yaml
                """);
        var said = Release.run(
                process("sh", script.toString(), release.resolve("bin/longhaul").toString()), folder);
        assertThat(said).isEqualTo(new Release.Said(0, "bücher/w✓.yaml: can be served\n", ""));
    }

    @Test
    void a_folder_that_cannot_be_written_keeps_its_archives_in_the_cache_of_the_user() throws Exception {
        var copy = readOnly();
        var said = asUser(process("sh", copy.resolve("bin/longhaul").toString(), "--version"));
        assertThat(said.out()).isEqualTo("longhaul " + version() + "\n");
        assertThat(said.code()).isZero();
        var cache = folder.resolve("home/.cache/longhaul").resolve(version());
        try (Stream<Path> made = Files.list(cache)) {
            assertThat(made.map(file -> file.getFileName().toString().replaceAll("longhaul-[0-9.]*[0-9]", "")))
                    .contains("-serve.archive", "-stdio.archive", "-call.archive", ".trained", "native")
                    .doesNotContain("longhaul.lock", "training");
        }
        assertThat(asUser(process("sh", copy.resolve("bin/longhaul").toString(), "--version"))
                        .err())
                .isEmpty();
    }

    @Test
    void a_program_that_can_keep_nothing_anywhere_starts_all_the_same() throws Exception {
        var copy = readOnly();
        var process = process("sh", copy.resolve("bin/longhaul").toString(), "--version");
        process.environment().put("HOME", "");
        assertThat(asUser(process)).isEqualTo(new Release.Said(0, "longhaul " + version() + "\n", ""));
    }

    @Test
    void a_machine_without_java_is_told_what_is_missing() throws Exception {
        var copy = Release.unpack(folder);
        // A Java in a usual place of this machine is not there.
        var finder = copy.resolve("lib/jdk.sh");
        Files.writeString(
                finder,
                Files.readString(finder).replaceFirst("for java_home in .*; do", "for java_home in /nowhere; do"));
        var said = Release.run(
                Release.process(
                        folder, List.of(), "sh", copy.resolve("bin/longhaul").toString(), "--version"),
                folder);
        assertThat(said.code()).isOne();
        assertThat(said.err())
                .isEqualTo("longhaul: needs a Java 21 or newer and found none: set JAVA_HOME to one, "
                        + "or run bin/make-runtime where there is a JDK\n");
    }

    @Test
    void a_runtime_of_its_own_serves_and_calls_on_a_machine_without_java() throws Exception {
        assumeTrue(Files.isExecutable(Release.JAVA_HOME.resolve("bin/jlink")), "this Java has no jlink");
        var copy = Release.unpack(folder);
        var made = Release.run(process("sh", copy.resolve("bin/make-runtime").toString()), folder);
        assertThat(made.code()).as(made.err()).isZero();

        Files.writeString(
                folder.resolve("tools.yaml"),
                "tools: {greet: {input: {name: string}, command: [echo, \"hello {name}\"]}}\n");
        var launcher = copy.resolve("bin/longhaul").toString();
        var process = Release.process(
                folder,
                List.of(),
                "sh",
                launcher,
                "call",
                "stdio:sh " + launcher + " serve --stdio tools.yaml",
                "greet",
                "name=you");
        var said = Release.run(process, folder);
        assertThat(said.out()).as(said.err()).contains("hello you");
        assertThat(copy.resolve("cache")).isDirectory();
        assertThat(Files.readString(trained(copy)))
                .startsWith(copy.resolve("runtime").toString());
    }

    private static Path program() throws IOException {
        return release.resolve("longhaul-cli-" + version() + ".jar");
    }

    private static String version() {
        return release.getFileName().toString().replace("longhaul-", "");
    }

    private static Path trained(Path installed) throws IOException {
        try (Stream<Path> made = Files.list(installed.resolve("cache"))) {
            return made.filter(file -> file.toString().endsWith(".trained"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** A copy that nobody can write, in a folder that everybody can enter. */
    private Path readOnly() throws IOException, InterruptedException {
        var copy = Release.unpack(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("r-xr-xr-x"));
        return copy;
    }

    /** Permissions do not bind a superuser, who therefore runs it as somebody else. */
    private Release.Said asUser(ProcessBuilder builder) throws IOException, InterruptedException {
        var home = folder.resolve("home");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        if (System.getProperty("user.name").equals("root")) {
            var other = Release.find("setpriv");
            assumeTrue(other.isPresent(), "a superuser needs setpriv");
            builder.command()
                    .addAll(0, List.of(other.get().toString(), "--reuid=65534", "--regid=65534", "--clear-groups"));
        }
        return Release.run(builder, folder);
    }

    private ProcessBuilder process(String... command) throws IOException {
        return Release.process(folder, List.of(Release.JAVA_HOME.resolve("bin")), command);
    }
}
