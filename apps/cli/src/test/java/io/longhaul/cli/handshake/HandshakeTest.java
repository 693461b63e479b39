// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts of one server over one data folder: what the host has before there is a server, and what in the end. */
@Timeout(60)
class HandshakeTest {
    private static final String INITIALIZE = initialize("0", "2025-06-18");
    private static final String DISCOVER = "{\"jsonrpc\":\"2.0\",\"id\":\"d-1\",\"method\":\"server/discover\","
            + "\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n";
    private static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";

    @TempDir
    Path folder;

    private Path data;
    private Path tools;

    @BeforeEach
    void make() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        tools = Files.writeString(folder.resolve("tools.yaml"), "tools: {}\n");
    }

    private static String initialize(String id, String version) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\""
                + version
                + "\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"h\",\"version\":\"1\"}}}\n";
    }

    private Started start(String said) {
        return new Started(data, tools, said);
    }

    /** What a server says that remembers nothing. */
    private String served(String said) throws IOException {
        var other = Files.createTempDirectory(folder, "other");
        return new Started(other, tools, said).serve("server");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2024-11-05",
                "2025-03-26",
                "2025-06-18",
                "2025-11-25",
                "2026-07-28",
                "next",
                "1999-01-01",
                "",
                "é\\n"
            })
    void the_answer_from_memory_is_that_of_the_server_byte_by_byte(String version) throws Exception {
        var said = initialize("0", version);
        assertThat(start(said).serve("server")).isEqualTo(served(said));
        var second = start(said);
        assertThat(second.heard()).isEqualTo(served(said)).contains("\"serverInfo\"");
        assertThat(second.serve("server")).isEqualTo(served(said));
        assertThatCode(second.host()::verify).doesNotThrowAnyException();
    }

    @Test
    void a_server_that_is_asked_what_it_is_without_a_session_is_remembered_too() throws IOException {
        start(DISCOVER).serve("server");
        assertThat(start(DISCOVER).heard()).isEqualTo(served(DISCOVER)).contains("supportedVersions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "-7", "999999999999999", "\"\"", "\"0\"", "\"3f2a-b_C\""})
    void a_host_that_chooses_another_id_is_answered_under_that_id(String id) throws IOException {
        start(INITIALIZE).serve("server");
        var said = initialize(id, "2025-06-18");
        assertThat(start(said).heard()).isEqualTo(served(said)).startsWith("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "1.0",
                "1e2",
                "-0",
                "007",
                "9223372036854775808",
                "\"a\\u0041\"",
                "\"a\",\"id\":\"b\"",
                "[]",
                "{}",
                "true",
                "",
                "\"",
                " 0",
                "\"é\"",
                "1,\"x\":\"y\"",
                "-",
                "0}",
                "12345678901234567"
            })
    void a_line_with_an_id_that_a_server_may_read_otherwise_is_left_to_the_server(String id) throws IOException {
        start(INITIALIZE).serve("server");
        var said = initialize(id, "2025-06-18");
        var second = start(said);
        assertThat(second.heard()).isEmpty();
        assertThat(second.serve("server")).isEqualTo(served(said));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n",
                "nonsense\n",
                "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}]\n",
                "{\"jsonrpc\":\"2.0\",\"method\":\"initialize\"}\n",
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}\n",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
            })
    void nothing_but_a_handshake_that_succeeds_is_remembered(String said) throws IOException {
        var expected = served(said);
        assertThat(start(said).serve("server")).isEqualTo(expected);
        var second = start(said);
        assertThat(second.heard()).isEmpty();
        assertThat(second.serve("server")).isEqualTo(expected);
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void a_line_without_an_end_is_left_to_the_server() throws IOException {
        start(INITIALIZE).serve("server");
        var second = start(INITIALIZE.strip());
        assertThat(second.heard()).isEmpty();
        assertThat(second.serve("server")).isEqualTo(served(INITIALIZE));
    }

    @Test
    void a_line_that_is_longer_than_any_handshake_is_left_to_the_server() throws IOException {
        var said = initialize("0", "x".repeat(100_000));
        start(said).serve("server");
        var second = start(said + LIST);
        assertThat(second.heard()).isEmpty();
        assertThat(second.serve("server").lines()).hasSize(2);
    }

    @Test
    void what_a_host_says_behind_its_handshake_is_answered_behind_it_and_once() throws IOException {
        start(INITIALIZE).serve("server");
        var answers = start(INITIALIZE + LIST).serve("server").lines().toList();
        assertThat(answers).hasSize(2);
        assertThat(answers.getFirst()).isEqualTo(served(INITIALIZE).strip());
        assertThat(answers.getLast()).contains("\"id\":1", "shout");
    }

    @Test
    void a_server_reads_on_only_when_it_has_given_the_answer_that_the_host_has_already() throws Exception {
        start(INITIALIZE).serve("server");
        var second = start(INITIALIZE + LIST);
        var in = second.host().in();
        assertThat(in.readNBytes(INITIALIZE.length())).asString(UTF_8).isEqualTo(INITIALIZE);
        var rest = new FutureTask<>(in::readAllBytes);
        var reader = Thread.ofPlatform().start(rest);
        while (reader.getState() == Thread.State.RUNNABLE || reader.getState() == Thread.State.NEW) {
            Thread.onSpinWait();
        }
        assertThat(rest.isDone()).isFalse();
        var heard = second.heard();
        second.host().out().write(heard.getBytes(UTF_8));
        assertThat(rest.get()).asString(UTF_8).isEqualTo(LIST);
        assertThat(second.heard()).isEqualTo(heard);
    }

    @Test
    void what_a_server_notifies_before_it_answers_reaches_the_host() throws IOException {
        start(INITIALIZE).serve("server");
        var second = start(INITIALIZE);
        var heard = second.heard();
        var notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n";
        second.host().out().write((notification + heard + notification).getBytes(UTF_8));
        assertThat(second.heard()).isEqualTo(heard + notification + notification);
    }

    @Test
    void a_host_that_was_told_of_another_server_hears_nothing_more_and_its_user_is_told() throws IOException {
        start(INITIALIZE).serve("server");
        var second = start(INITIALIZE + LIST);
        assertThat(second.serve("changed").lines()).hasSize(1);
        assertThatIOException().isThrownBy(second.host()::verify).withMessageContaining("start this server again");
        assertThat(start(INITIALIZE).heard()).isEmpty();
    }

    @Test
    void another_file_of_tools_or_another_command_line_is_another_server() throws IOException {
        start(INITIALIZE).serve("server");
        assertThat(new Started(data, tools, List.of("tools.yaml", "--stdio", "--x"), INITIALIZE).heard())
                .isEmpty();
        Files.writeString(tools, "tools: []\n");
        assertThat(start(INITIALIZE).heard()).isEmpty();
        Files.writeString(tools, "tools: {}\n");
        assertThat(start(INITIALIZE).heard()).isNotEmpty();
    }

    @Test
    void another_build_of_the_program_is_another_server() throws IOException {
        var jar = Files.writeString(folder.resolve("longhaul.jar"), "one");
        var one = ServerMark.of(tools, List.of(), jar.toString());
        assertThat(ServerMark.of(tools, List.of(), jar.toString())).isEqualTo(one);
        Files.writeString(jar, "another");
        assertThat(ServerMark.of(tools, List.of(), jar.toString())).isNotEqualTo(one);
    }

    @Test
    void what_another_process_answers_is_not_remembered() {
        var relayed = start(INITIALIZE);
        relayed.host().relayed();
        relayed.serve("server");
        assertThat(start(INITIALIZE).heard()).isEmpty();
    }

    @Test
    void a_file_that_is_damaged_is_none() throws IOException {
        start(INITIALIZE).serve("server");
        var file = data.resolve(HandshakeFile.NAME);
        var whole = Files.readString(file);
        Files.writeString(file, whole.replace("shout", "shoot").replace("1.0", "1.1"));
        assertThat(start(INITIALIZE).heard()).isEmpty();
        Files.writeString(file, "");
        assertThat(start(INITIALIZE).heard()).isEmpty();
        Files.writeString(file, whole.substring(0, whole.length() - 20));
        assertThat(start(INITIALIZE).heard()).isEmpty();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void what_other_users_can_write_is_not_believed() throws IOException {
        start(INITIALIZE).serve("server");
        var file = data.resolve(HandshakeFile.NAME);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        assertThat(start(INITIALIZE).heard()).isEmpty();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(start(INITIALIZE).heard()).isNotEmpty();
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwx---"));
        assertThat(start(INITIALIZE).heard()).isEmpty();
    }

    @Test
    void the_handshakes_of_the_last_eight_hosts_are_remembered() {
        IntStream.rangeClosed(0, HandshakeFile.MOST)
                .forEach(host -> start(initialize("0", "host-" + host)).serve("server"));
        assertThat(start(initialize("0", "host-0")).heard()).isEmpty();
        assertThat(IntStream.rangeClosed(1, HandshakeFile.MOST)
                        .mapToObj(host -> start(initialize("0", "host-" + host)).heard()))
                .hasSize(HandshakeFile.MOST)
                .allMatch(heard -> heard.contains("serverInfo"));
    }
}
