// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.server.FileServer;
import io.longhaul.file.ServerFile;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServeOptionsTest {
    @TempDir
    Path folder;

    @Test
    void a_gateway_may_be_told_that_it_serves_standard_input_and_output() {
        var told = Arguments.parse(List.of("a.yaml", "--stdio"), ServeOptions.OF_GATEWAY);
        assertThat(ServeOptions.ofGateway(Path.of("a.yaml"), told).stdio()).isTrue();
        var both = Arguments.parse(List.of("a.yaml", "--stdio", "--http", "0"), ServeOptions.OF_GATEWAY);
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> ServeOptions.ofGateway(Path.of("a.yaml"), both))
                .withMessageContaining("--stdio and --http do not go together");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--stdio", "--http=0", "--auth=https://login.example"})
    void a_server_that_only_runs_tasks_has_no_way_for_clients(String way) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> options("--role", "work", way))
                .withMessageContaining("--role work and " + way.replaceFirst("=.*", "") + " do not go together");
        var gateway = Arguments.parse(List.of("a.yaml", "--role", "work"), ServeOptions.OF_GATEWAY);
        assertThat(ServeOptions.ofGateway(Path.of("a.yaml"), gateway).stdio()).isFalse();
    }

    @Test
    void a_role_is_one_of_three() {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> options("--role", "worker"))
                .withMessageContaining("--role is all, front or work, not \"worker\"");
    }

    @Test
    void hosts_and_origins_are_taken_as_they_are_written() {
        var http = options(
                        "--allow-host",
                        "app.example",
                        "--allow-host=[::1]",
                        "--allow-origin",
                        "https://app.example:8443")
                .http();
        assertThat(http.hosts()).containsExactly("app.example", "[::1]");
        assertThat(http.origins()).containsExactly("https://app.example:8443");
    }

    @ParameterizedTest
    @CsvSource({
        "--allow-host, a b",
        "--allow-host, app.example:8080",
        "--allow-origin, app.example",
        "--allow-origin, https://app.example/path",
        "--http, 65536",
        "--http, http",
        "--poll, soon",
        "--poll, 30"
    })
    void a_value_that_could_never_match_is_refused(String option, String value) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> options(option, value))
                .withMessageStartingWith(option + " \"" + value + "\" is no ");
    }

    @Test
    void a_time_between_polls_is_taken_as_it_is_written() {
        assertThat(options("--poll", "30s").http().poll()).contains(Duration.ofSeconds(30));
        assertThat(options().http().poll()).isEmpty();
    }

    @Test
    void a_limit_of_the_command_line_wins_over_that_of_the_file() throws IOException {
        var file = file("limits: {livePerOwner: 20, running: 30}");
        var limits = LimitOptions.over(file, parsed("--limit", "livePerOwner=5", "--limit=subscriptions=7"))
                .limits();
        assertThat(limits.tasks().livePerOwner()).isEqualTo(5);
        assertThat(limits.tasks().running()).isEqualTo(30);
        assertThat(limits.wire().subscriptions()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        livePerOwner | --limit "livePerOwner" is no limit. Write NAME=VALUE, such as livePerOwner=20.
        liveperowner=1 | --limit liveperowner: there is no such limit. Did you mean livePerOwner?
        running=many | --limit: "many" is no value of running. Write a number from 1 to 1000000.
        shortestRetention=8d | the limits do not go together: shortestRetention must be between zero and \
        longestRetention (PT168H), but is PT192H: change one of the two.
        """)
    void a_limit_that_cannot_be_is_told_before_anything_is_served(String limit, String message) throws IOException {
        var file = file("version: 2");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> LimitOptions.over(file, parsed("--limit", limit)))
                .withMessage(message);
    }

    @Test
    void a_tool_that_is_kept_for_longer_than_the_command_line_allows_is_refused() throws IOException {
        var limited = LimitOptions.over(file("version: 2"), parsed("--limit", "longestRetention=1h"));
        var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> FileServer.start(limited, data, Http.onPort(0)))
                .withMessageStartingWith("the file cannot be served: tool 'a' has keepFor(PT24H)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"defaultRetention=9m", "longestRetention=1m"})
    void a_limit_by_which_a_trigger_would_forget_its_messages_is_refused(String limit) throws IOException {
        var file = ServerFile.read(Files.writeString(folder.resolve("t.yaml"), """
            tools: {a: {command: [ls]}}
            triggers: {t: {tool: a, secret: {env: HOME}}}
            """));
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> LimitOptions.over(file, parsed("--limit", limit)))
                .withMessageContaining("it could make a second task");
        assertThat(LimitOptions.over(file, parsed("--limit", "defaultRetention=10m")))
                .isNotNull();
    }

    private ServerFile file(String first) throws IOException {
        return ServerFile.read(Files.writeString(folder.resolve("a.yaml"), first + """

            tools:
              - {name: a, command: [ls], keepFor: 1d}
            """));
    }

    private static Arguments parsed(String... line) {
        return Arguments.parse(List.of(line), ServeOptions.ALL);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void a_data_folder_is_for_its_user_alone() throws IOException {
        var made = folder.resolve("a").resolve("b");
        new DataFolder(made, DataKeys.NONE).create();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void a_data_folder_that_other_users_can_write_is_refused_with_what_to_do() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatIOException()
                .isThrownBy(() -> new DataFolder(folder, DataKeys.NONE).create())
                .withMessage("the data folder cannot be used: other users can write the folder " + folder
                        + ": forbid it (chmod go-w), or use a folder in it that is this user's alone");
    }

    @Test
    void a_data_folder_that_is_a_file_is_told() throws IOException {
        var file = Files.createFile(folder.resolve("data"));
        assertThatIOException()
                .isThrownBy(() -> new DataFolder(file, DataKeys.NONE).create())
                .withMessage("the data folder " + file + " is a file: name a folder with --data");
        assertThatIOException()
                .isThrownBy(() -> new DataFolder(file.resolve("below"), DataKeys.NONE).create())
                .withMessageStartingWith("the data folder " + file + "/below cannot be created (");
    }

    private static ServeOptions options(String... line) {
        var words = new ArrayList<>(List.of("tools.yaml"));
        words.addAll(List.of(line));
        return ServeOptions.of(Arguments.parse(words, ServeOptions.ALL));
    }
}
