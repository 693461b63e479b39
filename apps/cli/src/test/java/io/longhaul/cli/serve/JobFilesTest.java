// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.file.ServerFile;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.transport.http.Http;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What a command leaves of a call in the data folder. */
@Timeout(120)
class JobFilesTest {

    private static final String SECRET = "a-secret-of-the-caller-7f3a";
    private static final DataKeys KEYS = DataKeys.parse(DataKeys.generate("test", new SecureRandom()));

    @TempDir
    Path folder;

    private final Http http = Http.onPort(0);

    private Path data() {
        return folder.resolve("data");
    }

    private FileServer serve(DataKeys keys, Http transport) throws IOException {
        var file = Files.writeString(folder.resolve("tools.yaml"), """
                tools:
                  says: {input: {word: string}, command: [sh, -c, 'echo "$1"; echo "$1" >&2', sh, "{word}"]}
                  quick: {input: {word: string}, command: [echo, "{word}"], quick: true}
                """);
        return FileServer.start(ServerFile.read(file), new DataFolder(data(), keys), transport);
    }

    private static String said(String... line) {
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal()).run(List.of(line))).as(user.err()).isZero();
        return user.out();
    }

    private String call(String tool) {
        return said("call", http.url().toString(), tool, "word=" + SECRET);
    }

    private List<Path> files(String name) throws IOException {
        try (var all = Files.walk(data())) {
            return all.filter(file -> file.toString().contains(name))
                    .filter(Files::isRegularFile)
                    .toList();
        }
    }

    /** The folders of jobs. Beside them is the script that runs every job, which stays. */
    private List<File> jobs() {
        return List.of(Objects.requireNonNull(data().resolve("jobs").toFile().listFiles(File::isDirectory)));
    }

    /** The files of the data folder that hold the secret. */
    private List<Path> telling() throws IOException {
        return files("").stream().filter(JobFilesTest::tells).toList();
    }

    private static boolean tells(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(SECRET);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothing_of_a_call_is_left_when_its_task_was_deleted(boolean isSealed) throws IOException {
        var keys = isSealed ? KEYS : DataKeys.NONE;
        try (var server = serve(keys, http)) {
            assertThat(call("says")).contains(SECRET);
            assertThat(call("quick")).contains(SECRET);
            var url = http.url().toString();
            var id = JsonMapper.shared()
                    .readTree(said("tasks", "list", url, "--output", "json"))
                    .at("/0/id")
                    .asString();
            said("tasks", "delete", url, id);
            assertThat(server.announcement()).isNotEmpty();
        }
        assertThat(telling()).as("the files of the command").isNotEmpty();
        try (var server = serve(keys, Http.onPort(0))) {
            while (!jobs().isEmpty() && !Thread.interrupted()) {
                Thread.onSpinWait();
            }
            assertThat(server.announcement()).isNotEmpty();
        }
        assertThat(jobs()).isEmpty();
        assertThat(telling()).isEmpty();
    }

    @Test
    void a_command_leaves_its_files_for_a_minute_where_the_rest_is_sealed() throws IOException {
        try (var server = serve(KEYS, http)) {
            call("says");
            assertThat(removableAfter()).isBefore(Instant.now().plus(Duration.ofMinutes(2)));
            assertThat(telling()).allMatch(file -> file.startsWith(data().resolve("jobs")));
            assertThat(server.announcement()).isNotEmpty();
        }
    }

    @Test
    void a_command_leaves_its_files_for_an_hour_where_nothing_is_sealed() throws IOException {
        try (var server = serve(DataKeys.NONE, http)) {
            call("says");
            assertThat(removableAfter()).isAfter(Instant.now().plus(Duration.ofMinutes(30)));
            assertThat(server.announcement()).isNotEmpty();
        }
    }

    private Instant removableAfter() throws IOException {
        var mark = files("remove-after").getFirst();
        return Instant.ofEpochMilli(Long.parseLong(Files.readString(mark).strip()));
    }
}
