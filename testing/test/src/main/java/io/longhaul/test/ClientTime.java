// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.requestor.Registration;
import io.longhaul.requestor.RequestorTime;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The time of a client in a test. Alarms use the test's clock. A pause before a poll or a retry of the client ends with
 * the next news or after a moment, so that a test need not move the clock for it.
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
