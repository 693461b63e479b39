// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.request;

import io.longhaul.requestor.Registration;
import io.longhaul.requestor.RequestorTime;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The real clock. An alarm is a virtual thread that sleeps. */
public final class SystemRequestorTime implements RequestorTime {

    public static final SystemRequestorTime INSTANCE = new SystemRequestorTime();

    private SystemRequestorTime() {}

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime());
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    @Override
    public Registration after(Duration duration, Runnable action) {
        var pending = Thread.ofVirtual().name("longhaul-client-alarm").start(() -> {
            try {
                Thread.sleep(duration);
            } catch (InterruptedException e) {
                return;
            }
            action.run();
        });
        return pending::interrupt;
    }

    @Override
    public double chance() {
        return ThreadLocalRandom.current().nextDouble();
    }

    @Override
    public String newId() {
        return UUID.randomUUID().toString();
    }
}
