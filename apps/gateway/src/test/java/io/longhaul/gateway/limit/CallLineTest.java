// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallLineTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final List<String> begun = Collections.synchronizedList(new ArrayList<>());

    private CallLine line(Integer concurrency, Rate rate) {
        return new CallLine(new CallLimits(concurrency, rate, null, Retry.NEVER), now::get);
    }

    private Thread enters(CallLine line, String name) {
        int before = line.waiting();
        var thread = Thread.ofVirtual().start(() -> {
            try {
                line.enter();
                begun.add(name);
            } catch (InterruptedException e) {
                begun.add(name + " gave up");
            }
        });
        while (line.waiting() == before && thread.isAlive()) {
            Thread.onSpinWait();
        }
        return thread;
    }

    @Test
    void calls_wait_for_a_place_and_begin_in_the_order_of_their_arrival() throws Exception {
        var line = line(1, null);
        line.enter();
        var threads = List.of(enters(line, "first"), enters(line, "second"), enters(line, "third"));
        assertThat(line.waiting()).isEqualTo(3);
        for (var thread : threads) {
            line.leave();
            thread.join();
        }
        assertThat(begun).containsExactly("first", "second", "third");
    }

    @Test
    void a_call_that_gives_up_lets_the_next_one_begin() throws Exception {
        var line = line(1, null);
        line.enter();
        var first = enters(line, "first");
        var second = enters(line, "second");
        first.interrupt();
        first.join();
        line.leave();
        second.join();
        assertThat(begun).containsExactly("first gave up", "second");
    }

    @Test
    void a_call_that_has_begun_before_waits_for_nothing_and_takes_a_place() throws Exception {
        var line = line(1, null);
        line.enterAgain();
        var next = enters(line, "next");
        assertThat(line.waiting()).isOne();
        line.leave();
        next.join();
    }

    @Test
    void a_rate_delays_the_calls_beyond_it() throws Exception {
        var line = line(null, new Rate(2, Duration.ofMillis(50)));
        line.enter();
        line.enter();
        var third = enters(line, "third");
        assertThat(line.waiting()).isOne();
        now.set(Instant.EPOCH.plusMillis(50));
        third.join();
        assertThat(begun).containsExactly("third");
    }

    @Test
    void the_timeout_and_the_retries_of_a_tool_go_before_those_of_its_server() {
        var retry = new Retry(2, Duration.ZERO);
        var server = new CallLimits(4, new Rate(1, Duration.ofSeconds(1)), Duration.ofMinutes(1), retry);
        assertThat(CallLimits.NONE.over(server)).isEqualTo(new CallLimits(null, null, Duration.ofMinutes(1), retry));
        var own = new CallLimits(2, null, Duration.ofSeconds(3), new Retry(1, Duration.ZERO));
        assertThat(own.over(server)).isEqualTo(own);
    }
}
