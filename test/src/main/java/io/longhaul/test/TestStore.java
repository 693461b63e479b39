// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.FaultyTaskStore.Fault;
import java.time.Duration;

/**
 * What a test does to the store of its server. A server that is started again finds a store without faults.
 * Thread-safe.
 */
public final class TestStore {

    private final FaultyTaskStore store;
    private final TestClock clock;

    TestStore(FaultyTaskStore store, TestClock clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * From now on each call of the store for a task takes this long by the test's clock; zero for no longer, also for
     * those that wait. The rows of sessions take no time, so that a client can connect.
     */
    public void slow(Duration duration) {
        store.slow(clock.time(), duration);
    }

    /** From now on commits wait until they are {@linkplain #release released}. */
    public void hold() {
        store.hold();
    }

    /** Lets the commits go on that wait, and later ones pass. */
    public void release() {
        store.release();
    }

    /** The next commit fails with a {@link StoreException}, and nothing is written. */
    public void failNext() {
        store.next(Fault.FAIL_BEFORE);
    }

    /** The next commit fails with a {@link StoreException}, and yet it is written: the server cannot know. */
    public void failNextAfterWriting() {
        store.next(Fault.FAIL_AFTER);
    }

    /** From now on there is no room: every write fails with a {@link StoreFullException}, and reads go on. */
    public void fill() {
        store.fill();
    }

    /** There is room again. */
    public void free() {
        store.free();
    }

    /** From now on every call fails with a {@link StoreException}, until the server is started again. */
    public void breakDown() {
        store.breakDown();
    }

    /** Whether a call waits for the test: for its time to pass, or to be released. */
    boolean isWaiting() {
        return store.waiting() > 0;
    }
}
