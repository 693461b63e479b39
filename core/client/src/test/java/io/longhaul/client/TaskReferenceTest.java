// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.dialect.Generation;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskReferenceTest {

    @Test
    void a_reference_is_one_readable_line_and_reads_back_as_it_was() {
        var reference = new TaskReference(
                new ServerAddress.Http(URI.create("http://127.0.0.1:8080/mcp?a=b&c=d")),
                Generation.V2026_07_28,
                "a/b ü%");
        assertThat(reference)
                .hasToString("longhaul-task/1/2026-07-28/a%2Fb%20%C3%BC%25/http://127.0.0.1:8080/mcp%3Fa%3Db%26c%3Dd");
        assertThat(TaskReference.parse(reference + "\n")).isEqualTo(reference);
    }

    @Test
    void a_reference_names_the_session_in_which_the_server_knows_the_task() {
        var server = new ServerAddress.Http(URI.create("http://127.0.0.1:8080/mcp"));
        var reference = new TaskReference(server, Generation.V2025_11_25, "t1", Optional.of("a/b"));
        assertThat(reference).hasToString("longhaul-task/2/2025-11-25/t1/a%2Fb/http://127.0.0.1:8080/mcp");
        assertThat(TaskReference.parse(reference.toString())).isEqualTo(reference);
    }

    @Test
    void a_command_with_spaces_and_commas_reads_back_as_it_was() {
        var command = new ServerAddress.Command(List.of("/opt/my server/run", "--stdio", "a,b", ""));
        var reference = new TaskReference(command, Generation.V2025_11_25, "t1");
        assertThat(reference.toString()).doesNotContain(" ");
        assertThat(TaskReference.parse(reference.toString())).isEqualTo(reference);
    }

    @Test
    void the_user_and_password_of_an_address_are_never_printed() {
        var server = new ServerAddress.Http(URI.create("https://ada:secret@example.test/mcp"));
        assertThat(new TaskReference(server, Generation.V2026_07_28, "t1").toString())
                .doesNotContain("secret")
                .endsWith("https://example.test/mcp");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http://localhost/mcp",
                "longhaul-task/3/2026-07-28/t1/http://localhost/mcp",
                "longhaul-task/2/2025-11-25/t1/http://localhost/mcp",
                "longhaul-task/2/2025-11-25/t1//http://localhost/mcp",
                "longhaul-task/2/2025-11-25/t1/one",
                "longhaul-task/1",
                "longhaul-task/1/2026-07-28/t1",
                "longhaul-task/1/2030-01-01/t1/http://localhost/mcp",
                "longhaul-task/1/2026-07-28/t1/file:///etc/passwd",
                "longhaul-task/1/2026-07-28/t1///localhost/mcp",
                "longhaul-task/1/2026-07-28/%zz/http://localhost/mcp",
                "longhaul-task/1/2026-07-28//http://localhost/mcp",
                "longhaul-task/1/2026-07-28/t1///host/mcp"
            })
    void anything_else_is_refused_in_one_sentence(String text) {
        assertThatThrownBy(() -> TaskReference.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("[A-Z][^\n]*\\.");
    }
}
