// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.transport.streamable.stream.Streams;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that sends on, though its connection is being closed. */
@Timeout(60)
class LeavingTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @AutoClose
    private final Connections connections =
            new Connections(HOUR, new Streams(HOUR, null), new ConnectionLimit(1, 1), Long.MAX_VALUE);

    /** Sends nonsense, and then whatever a test says. */
    private abstract class Sender implements Wire {
        final HttpConnection connection = new HttpConnection(this, null, null, connections);
        private boolean isRefused;
        boolean isClosed;

        /** Gives how many bytes come behind the nonsense; -1 for the end. */
        abstract int more(int room);

        @Override
        public int read(ByteBuffer into) {
            if (isRefused) {
                return more(into.remaining());
            }
            isRefused = true;
            into.put("nonsense\r\n\r\n".getBytes(US_ASCII));
            return into.position();
        }

        @Override
        public void write(ByteBuffer bytes) {}

        @Override
        public void shutdownOutput() {}

        @Override
        public void close() {
            isClosed = true;
        }

        @Override
        public void reset() {
            close();
        }

        @Override
        public InetAddress address() {
            return InetAddress.getLoopbackAddress();
        }
    }

    @Test
    void a_client_that_sends_on_behind_its_last_answer_is_read_for_16_mib() {
        var sender = new Sender() {
            long read;

            @Override
            int more(int room) {
                read += room;
                return room;
            }
        };
        sender.connection.run();
        assertThat(sender.read).isBetween(16L << 20, (16L << 20) + 2 * HttpConnection.PIECE_BYTES);
        assertThat(sender.isClosed).isTrue();
    }

    @Test
    void a_client_that_sends_on_behind_its_last_answer_is_cut_after_a_second() {
        var sender = new Sender() {
            boolean isCutInTime;

            @Override
            int more(int room) {
                var second = connection.since().nanos() + Duration.ofSeconds(1).toNanos();
                connection.look(second, HOUR.toNanos());
                var isEarly = isClosed;
                connection.look(second + 1, HOUR.toNanos());
                isCutInTime = !isEarly && isClosed;
                return -1;
            }
        };
        sender.connection.run();
        assertThat(sender.isCutInTime).isTrue();
    }
}
