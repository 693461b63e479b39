// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.serving;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.task.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Finds out whether a store accepts writes: writes one small row, at most once a second. Thread-safe. */
public final class StoreProbe {
    public static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final String SPACE = "health";
    private static final Duration KEPT = Duration.ofMinutes(1);

    /** Large enough to fail on a full disk: a small row may fit where no task does. */
    private static final Payload VALUE = Payload.of(new byte[4096]);

    private record Probe(Instant at, CompletableFuture<Optional<String>> found) {
        boolean isFresh(Instant now) {
            return !found.isDone() || now.isBefore(at.plus(FRESH));
        }
    }

    private final TaskEngine engine;
    private @Nullable Probe latest;

    public StoreProbe(TaskEngine engine) {
        this.engine = engine;
    }

    /** Why the store accepts no writes; empty where it does. Waits {@code patience} for a slow store. */
    public Optional<String> trouble(Duration patience) {
        try {
            return probe().found().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.of("the task store has not answered for " + patience.toSeconds() + " s");
        } catch (ExecutionException e) {
            return Optional.of("the task store failed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("the question was interrupted");
        }
    }

    private synchronized Probe probe() {
        var now = engine.time().now();
        var known = latest;
        if (known != null && known.isFresh(now)) {
            return known;
        }
        var next = new Probe(now, new CompletableFuture<>());
        latest = next;
        Thread.ofVirtual().name("store-probe").start(() -> next.found().complete(write(now)));
        return next;
    }

    /** Writes the row; gives the problem in words without the paths of the store's messages, which are for the log. */
    private Optional<String> write(Instant now) {
        try {
            engine.rows().put(new StoredRow(SPACE, "probe", VALUE, now.plus(KEPT)));
            return Optional.empty();
        } catch (StoreFullException e) {
            return Optional.of("the disk of the task store is full");
        } catch (StoreException e) {
            return Optional.of("the task store takes no writes");
        } catch (RuntimeException e) {
            return Optional.of("the task store failed");
        }
    }
}
