// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage.Failure;
import io.longhaul.protocol.rpc.JsonRpcMessage.Notification;
import io.longhaul.protocol.rpc.JsonRpcMessage.Request;
import io.longhaul.protocol.rpc.JsonRpcMessage.Result;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client makes of messages that a server must not send so. */
class LeniencyTest {

    private static final RequestId ONE = new RequestId.Number(1);

    private static Parsed parse(String members) {
        var text = "{\"jsonrpc\":\"2.0\"," + members + "}";
        return JsonRpcCodec.lenient().parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void reads(String members, JsonRpcMessage message) {
        assertThat(parse(members)).isEqualTo(new Parsed.Message(message));
    }

    private static Failure failure(@Nullable RequestId id, int code, String message) {
        return new Failure(id, new RpcError(code, message));
    }

    @Test
    void an_unusable_id_or_unusable_params_are_read_as_absent() {
        reads("\"method\":\"a\",\"id\":1.5,\"params\":[1]", new Notification("a", Json.EMPTY_OBJECT));
        reads("\"method\":\"a\",\"id\":null,\"params\":{\"b\":1}", new Notification("a", Json.raw("{\"b\":1}")));
        reads("\"method\":\"a\",\"id\":1,\"params\":null", new Request(ONE, "a", Json.EMPTY_OBJECT));
    }

    @Test
    void a_null_error_beside_a_result_is_none() {
        reads("\"id\":1,\"result\":{},\"error\":null", new Result(ONE, Json.EMPTY_OBJECT));
    }

    @Test
    void an_error_beside_a_result_is_an_error() {
        reads("\"id\":1,\"result\":{},\"error\":{\"code\":-1,\"message\":\"no\"}", failure(ONE, -1, "no"));
    }

    @Test
    void an_error_may_be_any_value() {
        reads("\"id\":1,\"error\":\"no\"", failure(ONE, RpcError.INTERNAL_ERROR, "no"));
        reads("\"id\":1,\"error\":null", failure(ONE, RpcError.INTERNAL_ERROR, "no reason given"));
        reads("\"id\":1,\"error\":[]", failure(ONE, RpcError.INTERNAL_ERROR, "no reason given"));
        reads("\"id\":1,\"error\":{\"code\":\"x\"}", failure(ONE, RpcError.INTERNAL_ERROR, "no reason given"));
        reads("\"id\":1,\"error\":{\"code\":9999999999}", failure(ONE, RpcError.INTERNAL_ERROR, "no reason given"));
    }

    @Test
    void the_data_of_an_error_is_kept() {
        reads(
                "\"id\":1,\"error\":{\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[]}}",
                new Failure(ONE, new RpcError(-32022, "no", Json.raw("{\"supported\":[]}"))));
    }

    @Test
    void an_answer_that_names_no_request_is_an_error_without_an_id() {
        reads("\"result\":{}", failure(null, RpcError.INVALID_REQUEST, "The answer does not name its request."));
        reads("\"error\":{\"code\":1,\"message\":\"no\"}", failure(null, 1, "no"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"id\":1", "\"method\":7", "\"id\":1,\"id\":2,\"result\":{}", "\"result\":"})
    void what_is_neither_a_call_nor_a_response_is_broken(String members) {
        assertThat(parse(members)).isInstanceOf(Parsed.Broken.class);
    }

    @Test
    void another_version_of_json_rpc_is_broken() {
        var codec = JsonRpcCodec.lenient();
        assertThat(codec.parse("{\"jsonrpc\":\"1.0\",\"id\":1,\"result\":{}}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(Parsed.Broken.class);
    }

    @Test
    void an_array_may_hold_any_number_of_messages() {
        var codec = JsonRpcCodec.lenient();
        var array = "[" + "{},".repeat(JsonRpcCodec.BATCH) + "{}]";
        assertThat(codec.parse(array.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(
                        Parsed.Batch.class,
                        batch -> assertThat(batch.messages()).hasSize(JsonRpcCodec.BATCH + 1));
    }
}
