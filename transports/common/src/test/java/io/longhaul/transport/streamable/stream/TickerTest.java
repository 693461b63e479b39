// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.stream;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TickerTest {

    @Test
    void a_look_that_had_no_memory_is_followed_by_the_next_one() throws Exception {
        var looks = new CountDownLatch(3);
        Runnable look = () -> {
            looks.countDown();
            throw new OutOfMemoryError("in a test");
        };
        try (var ticker = Ticker.every(1, "test-timer", look)) {
            looks.await();
        }
    }
}
