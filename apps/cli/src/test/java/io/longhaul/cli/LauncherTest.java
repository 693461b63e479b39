// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code longhaul} in a checkout of its own, with a JDK and a Maven that only pretend. */
@Timeout(60)
class LauncherTest {
    private static final String JAVA = """
            #!/bin/sh
            case "$*" in
              *ArchiveClassesAtExit*serve*) echo 'longhaul: at http://127.0.0.1:1/mcp' >&2 ;;
              *ArchiveClassesAtExit*) ;;
              *)
                (echo "$*" >options; echo "${LC_ALL-},${LC_CTYPE-},${LANG-}" >locale) 2>/dev/null
                shift $(($# - 1))
                echo "ran $1"
                ;;
            esac
            """;

    private static final String MAVEN = """
            #!/bin/sh
            printf '\\033[0m\\033[0m'
            [ ! -e broken ] || { printf '[\\033[1;31mERROR\\033[m] a line of the build\\n'; exit 1; }
            mkdir -p apps/cli/target/lib
            : >apps/cli/target/longhaul-cli-1.jar
            """;

    @TempDir
    Path folder;

    private Path root;
    private Map<String, String> environment = Map.of();

    private record Said(int code, String out, String err) {}

    @BeforeEach
    void make() throws IOException {
        root = Files.createDirectories(folder.resolve("checkout"));
        Files.createDirectories(root.resolve(".ci"));
        Files.copy(Path.of("../../longhaul"), root.resolve("longhaul"));
        for (var part : List.of("jdk.sh", "maven.sh", "start.sh")) {
            Files.copy(Path.of("../../.ci", part), root.resolve(".ci").resolve(part));
        }
        Files.writeString(root.resolve("pom.xml"), "");
        var modules = "core/engine core/protocol core/server core/client stores/sqlite transports/common work/shell";
        for (var module : (modules + " apps/cli").split(" ")) {
            Files.createDirectories(root.resolve(module).resolve("src/main"));
            Files.writeString(root.resolve(module).resolve("pom.xml"), "");
        }
        program("jdk/bin/java", JAVA);
        program("jdk/bin/javac", "");
        program("bin/mvn", MAVEN);
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"21.0.1\"\n");
    }

    @AfterEach
    void unlock() throws IOException {
        permit("rwxr-xr-x");
    }

    @Test
    void a_build_prints_no_escape_sequences() throws Exception {
        var said = run("first");
        assertThat(said.code()).isZero();
        assertThat(said.out()).isEqualTo("ran first\n");
        assertThat(said.err()).isEqualTo("longhaul: building, once (mvn package; its output follows)\n");
        assertThat(run("second")).isEqualTo(new Said(0, "ran second\n", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "serve --stdio tools.yaml, stdio, true",
        "serve tools.yaml --stdio, stdio, true",
        "serve --data x --stdio tools.yaml, stdio, true",
        "serve tools.yaml, serve, false",
        "call http://127.0.0.1:1/mcp echo, call, true",
    })
    void each_kind_of_program_starts_from_its_own_archive_and_only_a_server_for_many_compiles_all_it_can(
            String line, String kind, boolean compilesLess) throws Exception {
        assertThat(run(line.split(" ")).code()).isZero();
        var options = Files.readString(folder.resolve("options"));
        assertThat(options).contains("longhaul-21.0.1-" + kind + ".archive ");
        assertThat(options.contains("-XX:TieredStopAtLevel=1")).isEqualTo(compilesLess);
    }

    @ParameterizedTest
    @DisabledOnOs(OS.MAC) // Its Java reads UTF-8 in every locale.
    @CsvSource(
            delimiter = ':',
            value = {
                ",,:,,C.UTF-8",
                ",,C:,,C.UTF-8",
                "C,,de_DE.UTF-8:C.UTF-8,,de_DE.UTF-8",
                ",POSIX,de_DE.UTF-8:,C.UTF-8,de_DE.UTF-8",
                ",C,:,C.UTF-8,",
                "en_US.UTF-8,C,C:en_US.UTF-8,C,C",
                ",,de_DE.ISO-8859-1:,,de_DE.ISO-8859-1",
            })
    void a_locale_of_ascii_alone_becomes_one_of_utf8_and_every_other_locale_stays(String before, String after)
            throws Exception {
        var values = before.split(",", -1);
        environment = Map.of("LC_ALL", values[0], "LC_CTYPE", values[1], "LANG", values[2]);
        assertThat(run("first").code()).isZero();
        assertThat(folder.resolve("locale")).hasContent(after);
    }

    @Test
    void the_home_of_the_user_is_that_of_the_environment() throws Exception {
        environment = Map.of("HOME", folder.resolve("a home").toString());
        assertThat(run("first").code()).isZero();
        assertThat(folder.resolve("options")).content().contains(" -Duser.home=" + folder.resolve("a home") + " ");
    }

    @Test
    void who_waits_for_a_build_says_so_once_and_goes_on_when_the_lock_is_given_back() throws Exception {
        var lock = Files.createDirectories(root.resolve("apps/cli/target")).resolve("longhaul.lock");
        Files.writeString(lock, ProcessHandle.current().pid() + "\n");
        program("bin/sleep", "#!/bin/sh\necho slept >>slept\n[ \"$(wc -l <slept)\" -lt 3 ] || rm -f " + lock + "\n");
        assertThat(run("first").err())
                .isEqualTo("longhaul: waiting for process "
                        + ProcessHandle.current().pid() + ", which builds ("
                        + root.toRealPath().resolve("apps/cli/target/longhaul.lock")
                        + ")\nlonghaul: building, once (mvn package; its output follows)\n");
    }

    @Test
    void a_build_that_fails_is_told_with_what_it_said() throws Exception {
        Files.createFile(root.resolve("broken"));
        var said = run("first");
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).endsWith("[ERROR] a line of the build\nlonghaul: the build failed; see above\n");
    }

    @Test
    void a_checkout_that_cannot_be_written_runs_what_is_built_and_says_so() throws Exception {
        run("first");
        Files.setLastModifiedTime(
                root.resolve("core/engine/pom.xml"), FileTime.from(Instant.now().plusSeconds(60)));
        permit("r-xr-xr-x");
        var said = run("second");
        assertThat(said.code()).isZero();
        assertThat(said.out()).isEqualTo("ran second\n");
        assertThat(said.err())
                .isEqualTo("longhaul: " + root.toRealPath()
                        + " cannot be written: this is what was built last, which is older than its sources\n");
    }

    @Test
    void a_checkout_that_cannot_be_written_needs_no_class_archive() throws Exception {
        run("first");
        Files.delete(root.resolve("apps/cli/target/longhaul-21.0.1.trained"));
        permit("r-xr-xr-x");
        var said = run("second");
        assertThat(said.out()).isEqualTo("ran second\n");
        assertThat(said.err()).contains(" cannot be written: it starts without a class archive");
    }

    @Test
    void a_checkout_that_cannot_be_written_and_is_not_built_says_what_to_do() throws Exception {
        permit("r-xr-xr-x");
        var said = run("first");
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err()).contains("nothing is built there: build it as a user who can write it");
    }

    private void program(String path, String text) throws IOException {
        var file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void permit(String permissions) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Stream<Path> all = Files.walk(root)) {
            for (var one : all.toList()) {
                Files.setPosixFilePermissions(one, PosixFilePermissions.fromString(permissions));
            }
        }
    }

    /** Permissions do not bind a superuser, who therefore runs it as somebody else. */
    private Said run(String... arguments) throws IOException, InterruptedException {
        var line = new ArrayList<String>();
        if (isLocked()) {
            line.addAll(asNobody());
        }
        line.addAll(List.of("sh", root.resolve("longhaul").toString()));
        line.addAll(List.of(arguments));
        var builder = new ProcessBuilder(line).directory(folder.toFile());
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().putAll(environment);
        builder.environment().merge("PATH", "", (path, none) -> folder.resolve("bin") + ":" + path);
        builder.redirectError(folder.resolve("err").toFile());
        var process = builder.start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), out, Files.readString(folder.resolve("err")));
    }

    private boolean isLocked() throws IOException {
        return !PosixFilePermissions.toString(Files.getPosixFilePermissions(root))
                .contains("w");
    }

    private static List<String> asNobody() {
        if (!System.getProperty("user.name").equals("root")) {
            return List.of();
        }
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "a superuser needs setpriv");
        return List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    }
}
