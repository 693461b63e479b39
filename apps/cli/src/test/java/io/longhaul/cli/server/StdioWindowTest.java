// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.cli.data.DataFolder;
import io.longhaul.engine.store.StoreInUseException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.file.ServerFile;
import io.longhaul.store.jdbc.DataKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A window of a host whose data folder another process has, which serves nobody. */
@Timeout(60)
class StdioWindowTest {

    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofSeconds(5);

    @TempDir
    Path folder;

    private final List<String> told = new ArrayList<>();
    private Duration waited = Duration.ZERO;
    private DataFolder data;
    private TaskStore held;

    @BeforeEach
    void hold() throws IOException {
        data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        data.create();
        held = data.openStore();
    }

    private StdioWindow window(StdioWindow.Pause pause) throws IOException {
        var file = Files.writeString(folder.resolve("a.yaml"), """
                version: 2
                tools:
                  - {name: a, command: [ls]}
                """);
        return new StdioWindow(ServerFile.read(file), data, Map.of(), told::add, pause);
    }

    private Duration look() {
        waited = waited.plus(LOOK);
        return LOOK;
    }

    @Test
    void it_looks_for_twenty_seconds_and_ends_with_the_name_of_that_process() throws IOException {
        try (var window = window(this::look)) {
            assertThatExceptionOfType(StoreInUseException.class)
                    .isThrownBy(window::next)
                    .withMessageContaining(Long.toString(ProcessHandle.current().pid()));
        } finally {
            held.close();
        }
        assertThat(waited).isEqualTo(LONGEST);
    }

    @Test
    void it_serves_itself_where_the_folder_is_free_at_the_last_look() throws Exception {
        try (var window = window(() -> {
            var time = look();
            if (waited.equals(LONGEST)) {
                held.close();
            }
            return time;
        })) {
            window.next();
        }
        assertThat(told).singleElement().asString().contains("this process serves " + data.path());
    }
}
