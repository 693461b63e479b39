// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.cli.data.DataFolder;
import io.longhaul.engine.store.StoreInUseException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.file.ServerFile;
import io.longhaul.file.ServerFile.Checked;
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

    private Checked read() {
        return ServerFile.check(folder.resolve("a.yaml"), Map.of()).usable();
    }

    private FileReload.Source source(String tool) throws IOException {
        write(tool);
        return new FileReload.Source(read(), this::read, next -> {});
    }

    private void write(String tool) throws IOException {
        Files.writeString(
                folder.resolve("a.yaml"), "version: 2\ntools:\n  - {name: %s, command: [ls]}\n".formatted(tool));
    }

    private StdioWindow window(StdioWindow.Pause pause) throws IOException {
        return new StdioWindow(source("a"), data, Map.of(), told::addAll, pause);
    }

    private StdioWindow window() throws IOException {
        return window(() -> {
            throw new AssertionError("the folder is free, or served");
        });
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

    @Test
    void it_has_the_process_that_serves_it_read_the_file_again() throws Exception {
        held.close();
        var source = source("a");
        try (var server = FileServer.shared(
                        source.first().file(),
                        data,
                        WindowCard.of(source.first().file()),
                        Map.of());
                var window = window()) {
            FileReload.of(server, source, told::addAll);
            window.next().close();
            write("b");
            window.reload();
            assertThat(told)
                    .contains("a.yaml was read again: tools +b -a")
                    .last()
                    .asString()
                    .startsWith("the process that serves this window has read the file again");
        }
    }

    @Test
    void it_takes_the_folder_over_with_the_file_as_it_is_then_and_reads_it_again_itself() throws Exception {
        held.close();
        try (var window = window()) {
            write("b");
            window.next().close();
            write("c");
            window.reload();
        }
        assertThat(told).last().isEqualTo("a.yaml was read again: tools +c -b");
    }

    @Test
    void a_file_that_cannot_be_read_leaves_it_with_the_file_as_it_was() throws Exception {
        held.close();
        try (var window = window()) {
            Files.writeString(folder.resolve("a.yaml"), "tools: 1");
            window.next().close();
        }
        assertThat(told).singleElement().asString().contains("this process serves " + data.path());
    }

    @Test
    void a_server_that_has_not_read_a_changed_file_goes_on_to_serve_the_windows_it_had() throws Exception {
        held.close();
        var source = source("a");
        try (var server = FileServer.shared(
                        source.first().file(),
                        data,
                        WindowCard.of(source.first().file()),
                        Map.of());
                var window = window()) {
            write("b");
            window.next().close();
            assertThat(told).singleElement().asString().contains("another process serves");
        }
    }
}
