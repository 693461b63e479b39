// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program that uses the client wrongly is told so in a sentence that says what to do. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class WrongUseTest {

    private final TestTime time = new TestTime();

    @ParameterizedTest
    @CsvSource({
        "//host/mcp, is no http or https address",
        "ftp://host/mcp, is no http or https address",
        "http:/mcp, is no http or https address",
        "http://report_server:8080/mcp, no underscores"
    })
    void an_address_that_is_none_of_a_server_is_refused_before_anything_is_opened(String address, String why) {
        assertThatThrownBy(() -> McpClient.to(URI.create(address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void the_scheme_of_an_address_may_be_in_capitals() {
        assertThat(McpClient.to(URI.create("HTTP://host/mcp"))).isNotNull();
    }

    @Test
    void a_command_needs_a_program() {
        assertThatThrownBy(() -> McpClient.launch(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no program");
    }

    @Test
    void a_call_with_null_for_arguments_says_what_to_give() {
        try (var client = Scripts.over(script(STATELESS), time).connect()) {
            assertThatThrownBy(() -> client.call("report", null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Map.of()");
        }
    }

    @Test
    void a_call_that_is_not_known_to_be_a_task_yet_cannot_be_left_running_yet() throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n.. {\"go\":true}\n<- {\"content\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            script.await(JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
            assertThatThrownBy(call::detach)
                    .isInstanceOf(UnsupportedByServerException.class)
                    .hasMessageContaining("reference()");
            script.go();
            assertThat(call.reference()).isEmpty();
            assertThatThrownBy(call::detach).hasMessageContaining("no task");
        }
    }

    @Test
    void a_client_that_attaches_to_a_task_of_another_address_warns_of_both_addresses() throws Exception {
        var elsewhere = TaskReference.parse("longhaul-task/1/2025-11-25/t1/http://elsewhere.test/mcp");
        var script =
                script(Scripts.HANDSHAKE, "->* tasks/get\n<! -32602 Unknown", "->* tasks/result\n<! -32602 Unknown");
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.attach(elsewhere);
            call.await();
            assertThat(call.warnings())
                    .singleElement()
                    .asString()
                    .contains("http://elsewhere.test/mcp", "http://script.test/mcp");
        }
    }
}
