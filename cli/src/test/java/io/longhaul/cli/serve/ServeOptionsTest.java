package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.UsageException;
import io.longhaul.store.jdbc.DataKeys;
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

class ServeOptionsTest {
    @TempDir
    Path folder;

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
