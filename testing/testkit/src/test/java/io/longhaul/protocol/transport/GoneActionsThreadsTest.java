// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import io.longhaul.testkit.ThreadsContract;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/** What is to be done once the other side has left, whatever threads say so and add to it. */
public class GoneActionsThreadsTest extends ThreadsContract {

    private final GoneActions actions = new GoneActions();
    private final AtomicInteger added = new AtomicInteger();
    private final AtomicInteger run = new AtomicInteger();
    private final AtomicBoolean left = new AtomicBoolean();

    @Operation
    public void add() {
        added.incrementAndGet();
        actions.add(run::incrementAndGet);
    }

    @Operation
    public void leave() {
        left.set(true);
        actions.left().forEach(Runnable::run);
    }

    @Validate
    public void each_action_is_run_once_when_the_other_side_has_left() {
        int expected = left.get() ? added.get() : 0;
        require(run.get() == expected, run + " actions were run in place of " + expected);
    }
}
