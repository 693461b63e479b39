// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.Dialect.Decoded;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.DialectSelector.Settled;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.RequestHeaders;
import io.longhaul.protocol.dialect.Selection;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage.Request;
import io.longhaul.protocol.rpc.Parsed;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** The cost of the protocol for one tool call: from the bytes of the request to the bytes of the response. */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CodecBench extends Microbenchmark {

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
            + "\"name\":\"echo\",\"arguments\":{\"message\":\"hello, world\",\"count\":3},\"_meta\":{";
    static final byte[] SESSION = (CALL + "\"progressToken\":1}}}").getBytes(StandardCharsets.UTF_8);
    static final byte[] STATELESS = (CALL + "\"io.modelcontextprotocol/protocolVersion\":\""
                    + Generation.V2026_07_28.version()
                    + "\","
                    + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1\"},"
                    + "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}")
            .getBytes(StandardCharsets.UTF_8);
    static final CallResponse RESULT =
            new CallResponse.ToolResult(Json.raw("{\"content\":[{\"type\":\"text\",\"text\":\"hello, world\"}]}"));

    private final JsonRpcCodec codec = new JsonRpcCodec(WireLimits.DEFAULT);
    private final DialectSelector selector = new DialectSelector("bench", "1.0");

    /** A call in a session. */
    @Benchmark
    public byte[] session() {
        return answer(SESSION, new Settled(Generation.V2025_06_18.version(), Capabilities.NONE));
    }

    /** A call without a session. */
    @Benchmark
    public byte[] stateless() {
        return answer(STATELESS, null);
    }

    private byte[] answer(byte[] message, @Nullable Settled session) {
        var request = (Request) ((Parsed.Message) codec.parse(message)).message();
        var selected =
                (Selection.Use) selector.select(session, RequestHeaders.NONE, request.method(), request.params());
        var decoded = (Decoded.Good) selected.dialect().decode(request.method(), request.params());
        var encoded = selected.dialect().encode(request.id(), decoded.call(), RESULT);
        return JsonRpcCodec.encode(encoded.response()).bytes();
    }
}
