// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.TaskId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The starts of jobs in another system: each is sent to its end, also where its run is stopped meanwhile, because what
 * that system says of the job is needed to cancel it, or to find it again. A stop that comes waits for it. Thread-safe.
 *
 * @param <B> what becomes of a start
 */
public final class Starts<B> {

    private static final Logger LOG = LoggerFactory.getLogger(Starts.class);

    private final Map<TaskId, CompletableFuture<B>> all = new ConcurrentHashMap<>();

    /**
     * One start.
     *
     * @param <B> what becomes of it
     */
    @FunctionalInterface
    public interface Start<B> {
        /** Sends the start, and gives what became of it. */
        B send() throws InterruptedException;
    }

    /**
     * Records that the job of a run may begin, sends the start on a thread of its own, and waits for its end, whatever
     * interrupts this thread. What became of it is known until {@link #forget}.
     *
     * @param record throws where the run is over, and then nothing is sent
     * @param unsent what a stop is told of a start that was not sent
     */
    public B send(Run run, Runnable record, B unsent, Start<B> start) {
        var begun = new CompletableFuture<B>();
        all.put(run.id(), begun);
        try {
            record.run();
        } catch (RuntimeException e) {
            begun.complete(unsent);
            throw e;
        }
        Thread.ofVirtual().name("job-start-" + run.id()).start(() -> {
            try {
                begun.complete(start.send());
            } catch (InterruptedException | RuntimeException e) {
                begun.completeExceptionally(e);
            }
        });
        return uninterrupted(begun);
    }

    private static <B> B uninterrupted(CompletableFuture<B> begun) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return begun.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException("a start failed in an unknown way", e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * What became of the start of a run, which is waited for; empty where this process has sent none.
     *
     * @param failed for a start that failed in an unknown way
     */
    public Optional<B> ended(Run run, B failed) throws InterruptedException {
        var begun = all.get(run.id());
        if (begun == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(begun.get());
        } catch (ExecutionException e) {
            LOG.debug("the start of task {} failed", run.id(), e);
            return Optional.of(failed);
        }
    }

    /** Whether nothing is remembered of any start. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** What became of the start of a run is on record now, or was asked for by its stop. */
    public void forget(Run run) {
        all.remove(run.id());
    }
}
