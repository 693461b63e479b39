// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.FaultyTaskStore.Fault;
import java.time.Duration;

/**
 * Injects delays and faults into the store of a test's server. A restarted server has a store without faults.
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
     * Makes each later call of the store for tasks take this long by the test's clock; zero ends that, also for waiting
     * calls. Rows of sessions take no time, so that a client can connect.
     */
    public void slow(Duration duration) {
        store.slow(clock.time(), duration);
    }

    /** Makes later commits wait until they are {@linkplain #release released}. */
    public void hold() {
        store.hold();
    }

    /** Lets waiting and later commits pass. */
    public void release() {
        store.release();
    }

    /** Makes the next commit fail with a {@link StoreException} without writing. */
    public void failNext() {
        store.next(Fault.FAIL_BEFORE);
    }

    /**
     * Makes the next commit write and then fail with a {@link StoreException}: the server cannot know that it was
     * written.
     */
    public void failNextAfterWriting() {
        store.next(Fault.FAIL_AFTER);
    }

    /** Makes every later write fail with a {@link StoreFullException}, as on a full disk; reads succeed. */
    public void fill() {
        store.fill();
    }

    /** Ends {@link #fill}: writes succeed again. */
    public void free() {
        store.free();
    }

    /** Makes every later call fail with a {@link StoreException}, until the server is restarted. */
    public void breakDown() {
        store.breakDown();
    }

    /** Whether a call waits for the test: for time to pass, or for a release. */
    boolean isWaiting() {
        return store.waiting() > 0;
    }
}
