// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.Blocking;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines for a reader that takes its time. */
@Timeout(60)
class LineWriterTest {

    private static final byte[] MEBIBYTE_WITH_ITS_END = new byte[(1 << 20) - 1];

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch reads = new CountDownLatch(1);
    private final AtomicLong read = new AtomicLong();
    private final LineWriter writer = new LineWriter(
            new OutputStream() {
                @Override
                public void write(int one) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void write(byte[] line, int from, int length) {
                    begun.countDown();
                    Blocking.await(reads);
                    read.addAndGet(length);
                }
            },
            "stuck",
            () -> {});

    @AfterEach
    void close() {
        reads.countDown();
        writer.close(Duration.ofSeconds(20));
    }

    @Test
    void sixteen_mib_wait_for_the_reader_and_who_sends_more_waits_too() throws Exception {
        writer.start();
        writer.write(new byte[0]);
        begun.await();
        for (int i = 0; i < 16; i++) {
            assertThat(writer.write(MEBIBYTE_WITH_ITS_END, Duration.ZERO)).isTrue();
        }
        assertThat(writer.write(new byte[0], Duration.ZERO)).isFalse();
        var waiting = CompletableFuture.supplyAsync(() -> writer.write(new byte[0]));
        reads.countDown();
        assertThat(waiting.get()).isTrue();
        assertThat(writer.close(Duration.ofSeconds(20))).isTrue();
        assertThat(read).hasValue(1 + (16 << 20) + 1);
    }

    @Test
    void who_asks_for_it_waits_until_the_lines_so_far_are_written() throws Exception {
        writer.start();
        writer.write(new byte[9]);
        begun.await();
        var written = CompletableFuture.supplyAsync(writer::awaitWritten);
        assertThat(written).isNotDone();
        reads.countDown();
        assertThat(written.get()).isTrue();
        assertThat(read).hasValue(10);
    }

    @Test
    void lines_that_cannot_be_written_are_not_waited_for() {
        var broken = new LineWriter(
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        throw new IOException("the reader has left");
                    }
                },
                "broken",
                () -> {});
        broken.start();
        broken.write(new byte[9]);
        assertThat(broken.awaitWritten()).isFalse();
    }

    @Test
    void lines_that_a_closed_writer_has_not_written_are_not_waited_for() throws Exception {
        writer.start();
        writer.write(new byte[9]);
        begun.await();
        var written = CompletableFuture.supplyAsync(writer::awaitWritten);
        assertThat(writer.close(Duration.ZERO)).isFalse();
        assertThat(written.get()).isFalse();
    }
}
