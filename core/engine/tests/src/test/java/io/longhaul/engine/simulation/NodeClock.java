// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.TaskTime;
import io.longhaul.fakes.FakeTime;
import io.longhaul.testkit.SeededScheduler.Group;
import java.time.Duration;
import java.time.Instant;

/**
 * The clock of one node, which is wrong by some time, and may be set anew. As with the real clock, an alarm comes after
 * the time that was left when it was set, however the clock is set meanwhile.
 */
final class NodeClock implements TaskTime {

    private final FakeTime real;
    private final Group group;
    private Duration wrongBy;
    private Instant latest;

    NodeClock(FakeTime real, Group group, Duration wrongBy) {
        this.real = real;
        this.group = group;
        this.wrongBy = wrongBy;
        latest = real.now().plus(wrongBy);
    }

    @Override
    public Instant now() {
        var now = real.now().plus(wrongBy);
        latest = now.isAfter(latest) ? now : latest;
        return now;
    }

    @Override
    public Alarm at(Instant when, Runnable action) {
        return real.at(when.minus(wrongBy), () -> {
            if (!group.isDead()) {
                group.start("alarm", action);
            }
        });
    }

    void setWrong(Duration by) {
        wrongBy = by;
    }

    /** The latest time that the node has ever seen. */
    Instant latest() {
        return latest;
    }
}
