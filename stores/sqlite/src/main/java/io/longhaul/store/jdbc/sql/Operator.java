// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures of a store for the operator: a full disk with one line a minute, any other failure at once.
 * Thread-safe.
 */
public final class Operator {

    private static final Logger LOG = LoggerFactory.getLogger(Operator.class);

    private final Failures failures;
    private final BiConsumer<String, Throwable> log;
    private final Consumer<Runnable> inAMinute;
    private int refused;
    private boolean quiet;

    /** {@code inAMinute} runs an action after a minute. */
    public Operator(Failures failures, BiConsumer<String, Throwable> log, Consumer<Runnable> inAMinute) {
        this.failures = failures;
        this.log = log;
        this.inAMinute = inAMinute;
    }

    public static Operator of(Failures failures) {
        return new Operator(failures, LOG::error, CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES)::execute);
    }

    /** The descriptions of failures. */
    public Failures failures() {
        return failures;
    }

    /** Logs a failure on a thread of the store, and gives the exception that its caller gets. */
    public StoreException tell(Throwable failure) {
        var told = failures.of(failure);
        if (told instanceof StoreFullException) {
            tellFull();
        } else {
            log.accept("A task store failed", told);
        }
        return told;
    }

    private synchronized void tellFull() {
        refused++;
        if (!quiet) {
            quiet = true;
            say();
        }
    }

    private void say() {
        log.accept(
                capitalized(failures.store()) + ": the disk is full, refused writes: " + refused
                        + "; reads go on, and so do writes as soon as there is room",
                null);
        refused = 0;
        inAMinute.accept(this::afterAMinute);
    }

    private synchronized void afterAMinute() {
        if (refused > 0) {
            say();
        } else {
            quiet = false;
        }
    }

    private static String capitalized(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
