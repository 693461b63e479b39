// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.requestor.Registration;
import io.longhaul.requestor.RequestorTime;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The time of a client in a test. Alarms come by the test's clock. A pause, before a client polls or tries again, ends
 * with the next news or after a moment, so that a test does not have to move the clock for what only passes the time.
 */
record ClientTime(TestClock clock, News news) implements RequestorTime {

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        news.await(news.told());
    }

    @Override
    public Registration after(Duration duration, Runnable action) {
        var alarm = clock.time()
                .at(
                        now().plus(duration),
                        () -> Thread.ofVirtual().name("client-alarm").start(action));
        return alarm::cancel;
    }

    @Override
    public double chance() {
        return 0.5;
    }

    @Override
    public String newId() {
        return UUID.randomUUID().toString();
    }
}
