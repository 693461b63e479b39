// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRpcCodecTest {

    private static final JsonRpcCodec CODEC = new JsonRpcCodec(new WireLimits(10_000, 8, 1, Duration.ofHours(1), 1));

    private static Parsed parse(String text) {
        return CODEC.parse(bytes(text));
    }

    private static void broken(String text, int code, @Nullable RequestId id, String words) {
        broken(bytes(text), code, id, words);
    }

    private static void broken(byte[] text, int code, @Nullable RequestId id, String words) {
        assertThat(CODEC.parse(text)).isInstanceOfSatisfying(Parsed.Broken.class, broken -> {
            assertThat(broken.error().code()).isEqualTo(code);
            assertThat(broken.error().message()).contains(words);
            assertThat(broken.id()).isEqualTo(id);
        });
    }

    private static RequestId number(long value) {
        return new RequestId.Number(value);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void a_request_keeps_its_params_raw() {
        assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\": [1, 2.50]},\"new\":{}}"))
                .isEqualTo(new Parsed.Message(
                        new JsonRpcMessage.Request(number(1), "ping", Json.raw("{\"a\": [1, 2.50]}"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":1}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"b\":[]}}",
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32603,\"message\":\"no\",\"data\":{}}}"
            })
    void each_kind_of_message_is_written_as_it_is_read(String text) {
        var message = ((Parsed.Message) parse(text)).message();
        assertThat(JsonRpcCodec.encode(message).toString()).isEqualTo(text);
    }

    @Test
    void number_and_text_ids_differ() {
        assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"ping\"}"))
                .isEqualTo(new Parsed.Message(
                        new JsonRpcMessage.Request(new RequestId.Text("1"), "ping", Json.EMPTY_OBJECT)));
    }

    @Test
    void a_message_without_id_is_a_notification() {
        assertThat(parse("{\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}"))
                .isEqualTo(new Parsed.Message(
                        new JsonRpcMessage.Notification("notifications/initialized", Json.EMPTY_OBJECT)));
    }

    @Test
    void responses_hold_a_result_or_an_error() {
        assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"roots\":[]}}"))
                .isEqualTo(new Parsed.Message(
                        new JsonRpcMessage.Result(new RequestId.Text("q"), Json.raw("{\"roots\":[]}"))));
        assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1,\"message\":\"no\",\"data\":[1]}}"))
                .isEqualTo(
                        new Parsed.Message(new JsonRpcMessage.Failure(null, new RpcError(-1, "no", Json.raw("[1]")))));
        broken("{\"jsonrpc\":\"2.0\",\"id\":7}", -32600, number(7), "method, a result or an error");
        broken(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1,\"error\":{\"code\":1,\"message\":\"\"}}",
                -32600,
                null,
                "either");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"code\":1}",
                "{\"message\":\"a\"}",
                "{\"code\":\"1\",\"message\":\"a\"}",
                "{\"code\":1.5,\"message\":\"a\"}",
                "{\"code\":2147483648,\"message\":\"a\"}",
                "{\"code\":1,\"message\":7}",
                "\"no\"",
                "null"
            })
    void an_error_has_an_integer_code_and_a_message(String error) {
        broken("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":" + error + "}", -32600, null, "error must");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1.5", "1e3", "1.0", "99999999999999999999", "true", "{}", "[1]"})
    void an_id_is_a_string_or_an_integer(String id) {
        broken("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}", -32600, null, "id must be");
        for (String good : List.of("\"\"", "\"a\"", "0", "-1", "9223372036854775807")) {
            assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":" + good + ",\"method\":\"ping\"}"))
                    .isInstanceOf(Parsed.Message.class);
        }
    }

    @Test
    void faults_name_the_request_wherever_its_id_can_be_read() {
        broken("{\"id\":7,\"method\":\"ping\"}", -32600, number(7), "jsonrpc");
        broken("{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"ping\"}", -32600, number(7), "jsonrpc");
        broken("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":5}", -32600, number(7), "method must be a string");
        broken("{\"jsonrpc\":\"2.0\",\"id\":7}", -32600, number(7), "method, a result or an error");
        broken("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":[1]}", -32602, number(7), "params");
        broken("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":null}", -32602, number(7), "params");
        broken("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"result\":1}", -32600, number(7), "either");
        broken(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":{\"b\":1,\"b\":1}}",
                -32600,
                number(7),
                "twice");
        broken(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":" + "[".repeat(70),
                -32600,
                number(7),
                "deeper");
    }

    @Test
    void faults_of_a_response_are_not_told_under_its_id() {
        broken("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{}}", -32600, null, "either");
        broken("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":1.5,\"message\":\"a\"}}", -32600, null, "error must");
        broken("{\"jsonrpc\":\"2.0\",\"result\":{}}", -32600, null, "id of its request");
    }

    @Test
    void names_are_matched_with_case() {
        broken("{\"jsonrpc\":\"2.0\",\"ID\":7,\"Method\":\"ping\"}", -32600, null, "must have a method");
    }

    @Test
    void a_batch_is_told_apart() {
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        assertThat(parse(" [" + ping + ",\n7]")).isEqualTo(new Parsed.Batch(List.of(Json.raw(ping), Json.raw("7"))));
        broken("\"ping\"", -32600, null, "JSON object");
        broken("[]", -32600, null, "must hold a message");
        broken("[1,", -32700, null, "not JSON");
    }

    @Test
    void a_batch_holds_a_hundred_messages() {
        String ones = "1,".repeat(JsonRpcCodec.BATCH - 1) + "1";
        assertThat(parse("[" + ones + "]")).isInstanceOf(Parsed.Batch.class);
        broken("[" + ones + ",1]", -32600, null, "more than 100 messages");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,}|not JSON",
                "{\"a\":NaN}|not JSON",
                "{\"a\":Infinity}|not JSON",
                "{\"a\":01}|not JSON",
                "{'a':1}|not JSON",
                "{\"a\":1}//x|follows",
                "{\"a\":/*x*/1}|not JSON",
                "{\"a\":1} {}|follows",
                "{\"a\":1}}|follows",
                "{\"a\":\"x|not JSON",
                "{\"a\":\"\\x\"}|not JSON",
                "{\"a\":\"\\ud800\"}|surrogate",
                "{\"a\":\"\\udc00\\ud800\"}|surrogate",
                "{|not JSON",
            })
    void bad_json_is_a_parse_error(String text, String words) {
        broken(text, -32700, null, words);
    }

    @Test
    void an_empty_message_is_a_parse_error() {
        broken("", -32700, null, "no JSON at all");
    }

    @Test
    void duplicate_members_are_refused_anywhere() {
        broken(
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"a\",\"params\":{\"b\":{\"c\":1,\"\\u0063\":2}}}",
                -32600,
                number(3),
                "twice");
        broken("{\"jsonrpc\":\"2.0\",\"id\":3,\"id\":4,\"method\":\"a\"}", -32600, null, "twice");
    }

    @Test
    void depth_and_size_are_limited() {
        broken(
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"a\",\"params\":{\"b\":" + "[".repeat(9) + "]".repeat(9)
                        + "}}",
                -32600,
                number(3),
                "deeper than the limit of 8");
        broken("[".repeat(9_000), -32600, null, "deeper");
        broken("{\"a\":\"" + "x".repeat(10_000) + "\"}", -32600, null, "limit of 10000 bytes");
        broken("{\"a\":" + "1".repeat(5_000) + "}", -32600, null, "number is longer");
    }

    @Test
    void text_must_be_utf8() {
        for (var bad : new int[][] {
            {0xff}, {0xc0, 0x80}, {0xe0, 0x80, 0xaf}, {0xed, 0xa0, 0x80}, {0xc3}, {0xf4, 0x90, 0x80, 0x80}
        }) {
            var text = new byte[bad.length + 8];
            var shell = "{\"a\":\"\"}".getBytes(StandardCharsets.UTF_8);
            System.arraycopy(shell, 0, text, 0, 6);
            for (var i = 0; i < bad.length; i++) {
                text[6 + i] = (byte) bad[i];
            }
            System.arraycopy(shell, 6, text, 6 + bad.length, 2);
            broken(text, -32700, null, "UTF-8");
        }
        broken("{}".getBytes(StandardCharsets.UTF_16LE), -32700, null, "control character");
        broken("\ufeff{}", -32700, null, "byte order mark");
    }

    @Test
    void values_with_line_breaks_are_kept_on_one_line() {
        assertThat(parse("{\"jsonrpc\":\"2.0\",\n\"id\":1,\"method\":\"a\","
                        + "\"params\":{\r\n  \"b\":\n1,\"c\":\"d\\n\"}}"))
                .isEqualTo(new Parsed.Message(
                        new JsonRpcMessage.Request(number(1), "a", Json.raw("{  \"b\":1,\"c\":\"d\\n\"}"))));
    }

    @Test
    void encoding_splices_raw_values_on_one_line() {
        assertThat(JsonRpcCodec.encode(new JsonRpcMessage.Result(number(-4), Json.raw("{\"x\": 1.0}"))))
                .hasToString("{\"jsonrpc\":\"2.0\",\"id\":-4,\"result\":{\"x\": 1.0}}");
        assertThat(JsonRpcCodec.encode(
                        new JsonRpcMessage.Failure(null, new RpcError(1, "a\"\n\u0001\u00e9\ud83d\ude00"))))
                .hasToString("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1,"
                        + "\"message\":\"a\\\"\\n\\u0001\u00e9\ud83d\ude00\"}}");
        assertThat(JsonRpcCodec.encode(
                        new JsonRpcMessage.Request(new RequestId.Text("q/1"), "roots/list", Json.EMPTY_OBJECT)))
                .hasToString("{\"jsonrpc\":\"2.0\",\"id\":\"q/1\",\"method\":\"roots/list\"}");
        assertThat(JsonRpcCodec.encode(new JsonRpcMessage.Notification("n", Json.raw("{\"a\":1}"))))
                .hasToString("{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{\"a\":1}}");
    }
}
