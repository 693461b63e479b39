// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.StoreUnreachableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures of a store for the operator: a full disk, and storage that cannot be reached, with one line a minute;
 * any other failure at once, with its trace. Thread-safe.
 */
public final class Operator {

    private static final Logger LOG = LoggerFactory.getLogger(Operator.class);

    private final Failures failures;
    private final BiConsumer<String, @Nullable Throwable> log;
    private final Consumer<Runnable> inAMinute;
    private final Passing full =
            new Passing(", refused writes: ", "reads go on, and so do writes as soon as there is room");
    private final Passing away = new Passing("; refused: ", "all goes on as soon as there is a connection");

    /** {@code inAMinute} runs an action after a minute. */
    public Operator(Failures failures, BiConsumer<String, @Nullable Throwable> log, Consumer<Runnable> inAMinute) {
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
        switch (told) {
            case StoreFullException noRoom -> full.tell(noRoom);
            case StoreUnreachableException noConnection -> away.tell(noConnection);
            default -> log.accept("A task store failed", told);
        }
        return told;
    }

    /** A trouble that ends by itself or by the operator, and fails many calls until then. */
    private final class Passing {
        private final String refusals;
        private final String end;
        private int refused;
        private boolean quiet;
        private String problem = "";

        Passing(String refusals, String end) {
            this.refusals = refusals;
            this.end = end;
        }

        synchronized void tell(StoreException told) {
            problem = String.valueOf(told.getMessage());
            refused++;
            if (!quiet) {
                quiet = true;
                say();
            }
        }

        private void say() {
            log.accept(capitalized(problem) + refusals + refused + "; " + end, null);
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
    }

    private static String capitalized(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
