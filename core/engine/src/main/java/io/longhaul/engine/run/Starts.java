// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.TaskId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start requests of jobs in another system. Each start is completed, also where its run is stopped meanwhile,
 * because the answer of that system is needed to cancel the job or to find it again. A stop waits for the start.
 * Thread-safe.
 *
 * @param <B> the result of a start
 */
public final class Starts<B> {

    private static final Logger LOG = LoggerFactory.getLogger(Starts.class);

    private final Map<TaskId, CompletableFuture<B>> all = new ConcurrentHashMap<>();

    /**
     * One start.
     *
     * @param <B> the result of the start
     */
    @FunctionalInterface
    public interface Start<B> {
        /** Sends the start, and gives its result. */
        B send() throws InterruptedException;
    }

    /**
     * Records that the job of a run may begin, sends the start on a thread of its own, and waits for the result, even
     * where this thread is interrupted. The result is kept until {@link #forget}.
     *
     * @param record throws where the run has lost its task, and then nothing is sent
     * @param unsent the result that a stop gets of a start that was not sent
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
        try {
            return begun.join();
        } catch (CompletionException e) {
            throw new IllegalStateException("a start failed in an unknown way", e.getCause());
        }
    }

    /**
     * Waits for the result of the start of a run; empty where this process has sent no start for the run.
     *
     * @param failed the result of a start that failed in an unknown way
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

    /** Whether no start is remembered. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Forgets the start of a run: its result is recorded, or the stop of the run has got it. */
    public void forget(Run run) {
        all.remove(run.id());
    }
}
