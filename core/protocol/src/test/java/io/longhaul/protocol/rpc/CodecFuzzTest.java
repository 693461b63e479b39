// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.WireLimits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Breaks good messages in 200,000 ways, the same ones in every run. */
class CodecFuzzTest {

    private static final List<byte[]> SEEDS = List.of(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":"
                            + "{\"x\":[1,2.5e3,-0,true,false,null,\"\\u00e9\\ud83d\\ude00\\n\"]},\"_meta\":{}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":\"caf\u00e9 \ud83d\ude00\",\"result\":{\"content\":[]}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"m\",\"data\":{}}}",
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}",
                    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]")
            .stream()
            .map(seed -> seed.getBytes(StandardCharsets.UTF_8))
            .toList();

    private final Random random = new Random(20_260_728);
    private final JsonRpcCodec codec = new JsonRpcCodec(WireLimits.DEFAULT);

    @Test
    void no_input_makes_the_codec_throw_and_what_it_takes_can_be_written_and_read_again() {
        var taken = 0;
        for (var i = 0; i < 200_000; i++) {
            var input = mutate(SEEDS.get(i % SEEDS.size()));
            var parsed = codec.parse(input);
            if (parsed instanceof Parsed.Message(JsonRpcMessage message)) {
                taken++;
                var written = JsonRpcCodec.encode(message);
                assertThat(codec.parse(written.bytes())).isEqualTo(parsed);
                assertThat(written.toString()).doesNotContain("\n");
            }
        }
        assertThat(taken).isBetween(1_000, 150_000);
    }

    private byte[] mutate(byte[] seed) {
        var bytes = seed;
        for (var rounds = 1 + random.nextInt(4); rounds > 0 && bytes.length > 1; rounds--) {
            var at = random.nextInt(bytes.length);
            bytes = switch (random.nextInt(5)) {
                case 0 -> replaced(bytes, at, (byte) random.nextInt(256));
                case 1 -> replaced(bytes, at, (byte) "{}[]\",:\\un0-e \n".charAt(random.nextInt(15)));
                case 2 -> Arrays.copyOf(bytes, at);
                case 3 -> joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at + 1, bytes.length));
                default -> joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at / 2, bytes.length));
            };
        }
        return bytes;
    }

    private static byte[] replaced(byte[] bytes, int at, byte by) {
        var copy = bytes.clone();
        copy[at] = by;
        return copy;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        var both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
