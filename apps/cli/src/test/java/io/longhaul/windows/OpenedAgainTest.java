// SPDX-License-Identifier: Apache-2.0
package io.longhaul.windows;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.talk.Messages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real processes: a host opens a window that it has had open before, so that its handshake is known. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@DisabledOnOs(OS.WINDOWS)
final class OpenedAgainTest {
    private static final String TOOLS = """
        name: again
        tools:
          say: {quick: true, input: {word: string}, command: [echo, "{word}"]}
        """;

    private static final String INITIALIZE = Messages.request(1, "initialize", Messages.opening("2025-06-18", "{}"));

    @TempDir
    Path folder;

    private final List<HostWindow> windows = new ArrayList<>();

    @BeforeEach
    void openOnce() throws Exception {
        Files.writeString(folder.resolve("tools.yaml"), TOOLS);
        var window = open();
        window.initialize("2025-06-18", "{}");
        assertThat(window.leave()).isZero();
    }

    @AfterEach
    void closeAll() throws InterruptedException {
        for (var window : windows) {
            window.close();
        }
    }

    @Test
    void a_host_has_its_answer_before_there_is_a_server_and_one_answer_in_all() throws Exception {
        var server = open();
        server.initialize("2025-06-18", "{}");
        server.call(2, "say", "{'word':'one'}");
        assertThat(server.result(2)).contains("one");
        server.freeze();
        var window = open();
        window.initialize("2025-06-18", "{}");
        window.call(2, "say", "{'word':'two'}");
        server.kill();
        assertThat(window.result(2)).contains("two");
        for (var each : List.of(server, window)) {
            assertThat(each.count(message -> message.path("id").asInt(-1) == 1)).isOne();
        }
    }

    @Test
    void a_window_whose_tasks_are_damaged_ends_behind_the_handshake_with_the_reason() throws Exception {
        Files.writeString(folder.resolve("data/tasks.db"), "no database ".repeat(1000));
        var window = open();
        window.initialize("2025-06-18", "{}");
        assertThat(window.said("tasks.db")).startsWith("longhaul: task store ");
        assertThat(window.exitCode()).isEqualTo(4);
    }

    @Test
    void a_window_that_was_answered_otherwise_than_its_server_does_ends_and_is_right_the_next_time() throws Exception {
        var handshakes = folder.resolve("data/handshakes");
        rewrite(handshakes, "\"again\"", "\"agent\"");
        var window = open();
        window.send(INITIALIZE);
        assertThat(window.response(1).at("/result/serverInfo/name").asString()).isEqualTo("agent");
        assertThat(window.said("answered from memory")).contains("let the host start this server again");
        assertThat(window.exitCode()).isEqualTo(4);
        assertThat(handshakes).doesNotExist();
        var next = open();
        next.send(INITIALIZE);
        assertThat(next.response(1).at("/result/serverInfo/name").asString()).isEqualTo("again");
    }

    /** Changes what a file of handshakes says, and its sum with it. */
    private static void rewrite(Path file, String old, String other) throws IOException {
        var text = Files.readString(file);
        int body = text.indexOf('\n') + 1;
        var changed = text.substring(body).replace(old, other);
        var sum = new CRC32();
        sum.update(changed.getBytes(StandardCharsets.UTF_8));
        var head = text.substring(0, text.lastIndexOf(' ', body) + 1);
        Files.writeString(file, head + sum.getValue() + "\n" + changed);
    }

    @Test
    void a_window_with_a_changed_file_is_answered_by_its_server_alone() throws Exception {
        Files.writeString(folder.resolve("tools.yaml"), TOOLS.replace("again", "other"));
        var window = open();
        window.send(INITIALIZE);
        assertThat(window.response(1).at("/result/serverInfo/name").asString()).isEqualTo("other");
        assertThat(window.leave()).isZero();
    }

    @Test
    void no_handshake_is_kept_beside_what_is_sealed() throws Exception {
        assertThat(folder.resolve("data/handshakes")).exists();
        var key = Base64.getEncoder().encodeToString(new byte[32]);
        var keys = Files.writeString(folder.resolve("keys"), "test " + key + "\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
        var window = open("--data-keys", keys.toString());
        window.initialize("2025-06-18", "{}");
        assertThat(window.leave()).isZero();
        assertThat(folder.resolve("data/handshakes")).doesNotExist();
    }

    private HostWindow open(String... more) throws IOException {
        var options = new ArrayList<>(List.of("--stdio"));
        options.addAll(List.of(more));
        var window =
                HostWindow.open(folder.resolve("tools.yaml"), folder.resolve("data"), options.toArray(String[]::new));
        windows.add(window);
        return window;
    }
}
