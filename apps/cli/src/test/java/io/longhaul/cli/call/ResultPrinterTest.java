// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.client.CallOutcome;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultPrinterTest {
    private final TestTerminal user = TestTerminal.silent();

    @Test
    void text_is_printed_and_other_content_described() {
        int code = print(false, result("""
                {"content":[{"type":"text","text":"done\\n"},{"type":"image","mimeType":"image/png","data":"AAAA"},
                {"type":"resource_link","name":"log","uri":"file:///log"}]}""", false));
        assertThat(code).isZero();
        assertThat(user.out())
                .isEqualTo("done\n[image image/png, 3 bytes; --output json has it]\n[link log: file:///log]\n");
    }

    @Test
    void structured_content_is_printed_once() {
        print(false, result("""
                {"content":[{"type":"text","text":"{\\"a\\": 1}"}],"structuredContent":{"a":1}}""", false));
        assertThat(user.out().replaceAll("\\s", "")).isEqualTo("{\"a\":1}");
    }

    @Test
    void the_exit_code_tells_how_it_ended() {
        assertThat(print(false, result("{\"content\":[{\"type\":\"text\",\"text\":\"no\"}]}", true)))
                .isEqualTo(1);
        assertThat(print(false, new CallOutcome.ProtocolError(new RpcError(-32602, "bad"))))
                .isEqualTo(3);
        assertThat(print(false, new CallOutcome.Lost("the server forgot it"))).isEqualTo(3);
        assertThat(print(false, new CallOutcome.Cancelled())).isEqualTo(5);
        assertThat(user.out()).isEqualTo("no\n");
        assertThat(user.err()).isEqualTo("""
                        longhaul: the tool failed:
                        longhaul: the call failed: bad (-32602)
                        longhaul: the call failed: the server forgot it
                        longhaul: the call was cancelled
                        """);
    }

    @Test
    void machines_get_everything_as_json() {
        print(true, new CallOutcome.ProtocolError(new RpcError(-32602, "bad", Json.raw("{\"x\":1}"))));
        assertThat(user.out().replaceAll("\\s", ""))
                .isEqualTo("{\"outcome\":\"protocol_error\",\"error\":{\"code\":-32602,\"message\":\"bad\","
                        + "\"data\":{\"x\":1}},\"task\":\"ref\"}");
        assertThat(user.err()).isEmpty();
    }

    @Test
    void json_holds_no_character_that_does_something_to_a_terminal_and_stays_the_same_json() {
        var hostile = "a\u001b\u009b\u007f\u202e\u2028\u200f\udb40\udc41\ud800 größe 🙂\n";
        var result = JsonText.object();
        result.putArray("content").addObject().put("type", "text").put("text", hostile);
        print(true, new CallOutcome.ToolResult(JsonText.json(result)));
        assertThat(user.out())
                .doesNotContainPattern("[\\p{Cntrl}\\p{Cf}\\u0080-\\u009f\\u2028&&[^\n]]")
                .contains("größe 🙂\\n");
        assertThat(JsonText.read(user.out()).at("/result/content/0/text").stringValue())
                .isEqualTo(hostile);
    }

    private int print(boolean json, CallOutcome outcome) {
        return new ResultPrinter(user.terminal(), json).print(outcome, Optional.of("ref"));
    }

    private static CallOutcome result(String json, boolean isError) {
        var result = Json.raw(json.replace("\n", ""));
        return isError ? new CallOutcome.ToolError(result) : new CallOutcome.ToolResult(result);
    }
}
