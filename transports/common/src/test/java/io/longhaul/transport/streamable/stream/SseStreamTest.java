// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.transport.streamable.request.HttpPeer;
import io.longhaul.transport.streamable.request.RequestHead;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SseStreamTest {

    private final AtomicBoolean hasLeft = new AtomicBoolean();
    private final Streams streams = new Streams(Duration.ofHours(1), null);

    private SseStream stream() {
        var out = new Responder.Stream() {
            @Override
            public void write(byte[] part) throws IOException {
                if (hasLeft.get()) {
                    throw new IOException("the client has left");
                }
            }

            @Override
            public void end() {}
        };
        var peer = new HttpPeer() {
            @Override
            public String address() {
                return "127.0.0.1";
            }

            @Override
            public byte[] body(RequestHead head, int most) {
                return new byte[0];
            }

            @Override
            public void watch(Runnable gone) {
                // This client is found to have left by a write alone.
            }

            @Override
            public boolean noticesAtOnce() {
                return true;
            }

            @Override
            public void cut() {}
        };
        return SseStream.open(out, null, peer, streams);
    }

    /** What is done when the client has left may wait for a thread that closes the stream. */
    @Test
    void the_actions_for_a_client_that_has_left_hold_nobody_up_who_closes_the_stream() {
        var stream = stream();
        var isClosed = new AtomicBoolean();
        stream.onGone(() -> {
            try {
                var closing = Thread.ofVirtual().start(stream::close);
                closing.join();
                isClosed.set(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        hasLeft.set(true);
        assertThatThrownBy(() -> stream.send(null, Json.raw("{}"))).isInstanceOf(PeerGoneException.class);
        assertThat(isClosed).isTrue();
    }
}
