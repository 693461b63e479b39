// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.Dialect.Decoded;
import io.longhaul.protocol.dialect.Dialect.Encoded;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.DialectSelector.Settled;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.RequestHeaders;
import io.longhaul.protocol.dialect.Selection;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage.Request;
import io.longhaul.protocol.rpc.Parsed;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** The cost of a dialect for one parsed tool call: selecting the dialect, decoding the call, encoding its result. */
public class DialectBench extends Microbenchmark {

    /** The generation that the client speaks. */
    @Param({"V2024_11_05", "V2025_06_18", "V2025_11_25", "V2026_07_28"})
    public Generation generation = Generation.V2026_07_28;

    private final DialectSelector selector = new DialectSelector("bench", "1.0");
    private final Request inSession = parsed(CodecBench.SESSION);
    private final Request stateless = parsed(CodecBench.STATELESS);

    private static Request parsed(byte[] message) {
        return (Request) ((Parsed.Message) new JsonRpcCodec(WireLimits.DEFAULT).parse(message)).message();
    }

    /** Selecting the dialect. */
    @Benchmark
    public Selection select() {
        return selector.select(
                settled(), RequestHeaders.NONE, request().method(), request().params());
    }

    /** Selecting, and decoding the call. */
    @Benchmark
    public Decoded decode() {
        return ((Selection.Use) select())
                .dialect()
                .decode(request().method(), request().params());
    }

    /** Selecting, decoding, and encoding the result. */
    @Benchmark
    public Encoded answer() {
        var dialect = ((Selection.Use) select()).dialect();
        var decoded =
                (Decoded.Good) dialect.decode(request().method(), request().params());
        return dialect.encode(request().id(), decoded.call(), CodecBench.RESULT);
    }

    private Request request() {
        return generation == Generation.V2026_07_28 ? stateless : inSession;
    }

    private @Nullable Settled settled() {
        return generation == Generation.V2026_07_28 ? null : new Settled(generation.version(), Capabilities.NONE);
    }
}
