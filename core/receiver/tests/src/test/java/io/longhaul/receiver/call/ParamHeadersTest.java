// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Arguments that a schema marks with {@code x-mcp-header} stand in headers, too. */
class ParamHeadersTest {

    private static final String CALL = Served.call("fetch", "{\"region\":\"eu\",\"shard\":7}");

    private final Tool fetch = Tool.define("fetch")
            .inputSchema("""
                    {"type": "object",
                     "properties": {
                       "region": {"type": "string", "x-mcp-header": "Region"},
                       "shard": {"type": "integer", "x-mcp-header": "Shard"}}}""")
            .handler((arguments, task) -> arguments.path("region").asString() + arguments.path("shard"));

    @AutoClose
    private final Served served = Served.with(fetch);

    @Test
    void a_call_whose_headers_say_what_its_arguments_say_is_served() {
        var reply = call(Map.of("Mcp-Param-Region", "eu", "mcp-param-shard", "7.0"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(Served.resultText(reply)).isEqualTo("eu7");
    }

    @Test
    void a_header_that_is_missing_or_differs_is_refused_by_its_name_under_400() {
        assertRefused(call(Map.of("Mcp-Param-Region", "eu")), "Mcp-Param-Shard");
        assertRefused(call(Map.of("Mcp-Param-Region", "us", "Mcp-Param-Shard", "7")), "Mcp-Param-Region");
        assertRefused(call(Map.of("Mcp-Param-Region", "eu", "Mcp-Param-Shard", "8")), "Mcp-Param-Shard");
    }

    @Test
    void the_mark_is_shown_and_a_session_needs_no_headers() {
        var session = served.handshake("2025-11-25");
        var tool = session.ask("tools/list", "{}").path("result").path("tools").path(0);
        assertThat(tool.at("/inputSchema/properties/region/x-mcp-header").asString())
                .isEqualTo("Region");
        assertThat(text(session.ask("tools/call", CALL).path("result"))).isEqualTo("eu7");
    }

    private MemoryReply call(Map<String, String> headers) {
        return served.stateless("{}").send("tools/call", CALL, headers);
    }

    private static void assertRefused(MemoryReply reply, String header) {
        assertThat(reply.status()).isEqualTo(400);
        var error = Served.json(reply.response()).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32020);
        assertThat(error.path("message").asString()).contains(header);
    }
}
