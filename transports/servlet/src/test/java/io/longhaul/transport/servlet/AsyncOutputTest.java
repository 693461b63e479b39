// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.fakes.Blocking;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A container uses the objects of a response for another request as soon as it has them back. */
@Timeout(60)
class AsyncOutputTest {

    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch written = new CountDownLatch(1);
    private final AtomicInteger returned = new AtomicInteger();
    private Runnable whenWritten = () -> {};
    private AsyncContext async;
    private AsyncOutput output;

    /** A stream of a container whose writes take as long as the test wants. */
    private final class SlowStream extends ServletOutputStream {
        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int one) {
            writing.countDown();
            Blocking.await(written);
            whenWritten.run();
        }
    }

    private <T> T container(Class<T> type, String method, Object result) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, called, given) -> {
            if (called.getName().equals("complete")) {
                returned.incrementAndGet();
            }
            return called.getName().equals(method) ? result : null;
        }));
    }

    @BeforeEach
    void open() throws IOException {
        var response = container(ServletResponse.class, "getOutputStream", new SlowStream());
        async = container(AsyncContext.class, "getResponse", response);
        output = AsyncOutput.of(async, Duration.ofMinutes(1));
        output.onWritePossible();
    }

    private Thread writer() throws InterruptedException {
        var writer = Thread.ofVirtual().start(() -> {
            try {
                output.write(new byte[1]);
            } catch (IOException e) {
                // The response ends meanwhile.
            }
        });
        writing.await();
        return writer;
    }

    @Test
    void a_response_that_is_completed_while_a_thread_writes_is_given_back_behind_the_write() throws Exception {
        var writer = writer();
        output.complete();
        assertThat(returned).hasValue(0);
        written.countDown();
        writer.join();
        assertThat(returned).hasValue(1);
        output.complete();
        assertThat(returned).hasValue(1);
    }

    @Test
    void a_response_that_has_failed_is_given_back_before_the_container_goes_on() throws Exception {
        var writer = writer();
        var container = Thread.ofPlatform().start(() -> output.onError(new AsyncEvent(async)));
        while (container.isAlive() && container.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(returned).hasValue(0);
        written.countDown();
        container.join();
        assertThat(returned).hasValue(1);
        writer.join();
        output.complete();
        assertThat(returned).hasValue(1);
    }

    @Test
    void a_failure_that_the_container_tells_on_the_writing_thread_waits_for_no_other() throws Exception {
        whenWritten = () -> output.onError(new AsyncEvent(async));
        var writer = writer();
        written.countDown();
        writer.join();
        assertThat(returned).hasValue(1);
    }

    @Test
    void nothing_is_written_and_no_head_is_set_once_the_response_has_ended() {
        output.complete();
        assertThatThrownBy(() -> output.begin(returned::incrementAndGet)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> output.write(new byte[1])).isInstanceOf(IOException.class);
        assertThat(returned).hasValue(1);
    }
}
