// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCommandTest {

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    @Test
    void a_folder_is_checked_and_copied_while_a_server_has_it() throws Exception {
        var copy = folder.resolve("copy.db");
        try (var store = SqliteTaskStore.at(folder.resolve("tasks.db"))) {
            assertThat(run("check-data", folder.toString())).isZero();
            assertThat(run("backup", folder.toString(), copy.toString())).isZero();
        }
        assertThat(user.err()).contains("nothing is wrong with ", "are copied to " + copy);
        assertThat(run("backup", folder.toString(), copy.toString())).isEqualTo(4);
        assertThat(user.err()).contains("is there already: name a new file");
    }

    @Test
    void damage_is_told_with_what_to_do() throws Exception {
        SqliteTaskStore.at(folder.resolve("tasks.db")).close();
        var file = folder.resolve("tasks.db");
        var bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 4_096));
        assertThat(run("check-data", folder.toString())).isEqualTo(1);
        assertThat(user.err()).contains("longhaul: it is damaged").endsWith(": end the server, and restore a backup\n");
    }

    @Test
    void a_file_that_is_no_database_is_told_in_one_sentence() throws Exception {
        Files.writeString(folder.resolve("tasks.db"), "garbage".repeat(1_000));
        assertThat(run("check-data", folder.toString())).isEqualTo(1);
        assertThat(user.err())
                .isEqualTo("longhaul: it is damaged (it is no SQLite database):"
                        + " end the server, and restore a backup\n");
    }

    @Test
    void a_folder_without_tasks_is_told() {
        assertThat(run("check-data", folder.toString())).isEqualTo(4);
        assertThat(user.err()).contains("there is no such file");
        assertThat(run("backup", folder.toString())).isEqualTo(2);
        assertThat(user.err()).contains("the file to write");
    }
}
