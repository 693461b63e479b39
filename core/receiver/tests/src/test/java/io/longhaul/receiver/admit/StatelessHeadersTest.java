// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests of 2026-07-28 on the wire: their headers and {@code _meta} say what the server must know first. */
class StatelessHeadersTest {

    private static final String VERSION = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"";
    private static final String CAPABILITIES = "\"io.modelcontextprotocol/clientCapabilities\":{}";

    @AutoClose
    private final Served served = Served.with(
            Tool.define("Hello").handler((none, task) -> "hello"),
            Tool.define("SGVsbG8").handler((none, task) -> "not decoded"));

    private MemoryReply call(String name, String meta, Map<String, String> changed) {
        Map<String, String> headers = new HashMap<>(
                Map.of("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", name));
        changed.forEach((header, value) -> {
            headers.remove(header);
            if (!value.isEmpty()) {
                headers.put(header, value);
            }
        });
        var params = "{\"name\":\"" + name + "\",\"arguments\":{},\"_meta\":{" + meta + "}}";
        return served.transport().post(Served.ALICE, Served.request(1, "tools/call", params), headers);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"protocolVersion | " + CAPABILITIES, "clientCapabilities | " + VERSION})
    void a_request_without_a_key_of_its_meta_is_refused_by_the_name_of_the_key(String key, String meta) {
        var refused = call("Hello", meta, Map.of());
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.response()).contains("\"id\":1", "\"code\":-32602", "io.modelcontextprotocol/" + key);
    }

    @ParameterizedTest
    @CsvSource({
        "MCP-Protocol-Version, ''",
        "MCP-Protocol-Version, 2025-11-25",
        "Mcp-Method, ''",
        "Mcp-Method, TOOLS/CALL",
        "Mcp-Name, ''",
        "Mcp-Name, hello"
    })
    void a_header_that_lacks_or_differs_from_the_body_is_refused_by_its_name(String header, String value) {
        var refused = call("Hello", VERSION + "," + CAPABILITIES, Map.of(header, value));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.response()).contains("\"id\":1", "\"code\":-32020", header);
    }

    @Test
    void names_of_headers_have_no_case() {
        var headers = Map.of("mcp-protocol-version", "2026-07-28", "MCP-METHOD", "tools/call", "mcp-name", " Hello ");
        var params = "{\"name\":\"Hello\",\"arguments\":{},\"_meta\":{" + VERSION + "," + CAPABILITIES + "}}";
        assertThat(served.transport()
                        .post(Served.ALICE, Served.request(1, "tools/call", params), headers)
                        .response())
                .contains("\"hello\"");
    }

    @ParameterizedTest
    @CsvSource({
        "Hello, =?base64?SGVsbG8=?=, true",
        "Hello, =?base64?SGVsbG8?=, false",
        "Hello, =?base64?SGVs!!!bG8=?=, false",
        "Hello, =?base64?SGVsbG9=?=, false",
        "SGVsbG8, SGVsbG8, true"
    })
    void a_name_in_a_header_may_be_in_exact_base64(String name, String header, boolean isTaken) {
        var reply = call(name, VERSION + "," + CAPABILITIES, Map.of("Mcp-Name", header));
        assertThat(reply.status()).isEqualTo(isTaken ? 200 : 400);
        assertThat(reply.response()).contains(isTaken ? "\"result\"" : "\"code\":-32020");
    }

    @Test
    void what_a_session_said_does_not_count_for_a_stateless_request() {
        var reply = call("Hello", VERSION + "," + CAPABILITIES, Map.of("Mcp-Session-Id", session()));
        assertThat(reply.response()).contains("\"resultType\":\"complete\"");
    }

    @Test
    void without_a_header_the_version_of_the_session_counts() {
        var headers = Map.of("Mcp-Session-Id", session());
        var reply = served.transport().post(Served.ALICE, Served.request(1, "tasks/list", "{}"), headers);
        assertThat(reply.response()).contains("\"result\":{\"tasks\":[]");
    }

    private String session() {
        var opened = served.transport().post(Served.ALICE, Served.initialize("2025-11-25", "{}"), Map.of());
        return opened.header("Mcp-Session-Id").orElseThrow();
    }
}
