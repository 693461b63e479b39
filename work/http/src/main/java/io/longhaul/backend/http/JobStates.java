// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The words of an API for the states of its jobs, compared without case. Immutable.
 *
 * @param done      words for a job that has succeeded
 * @param failed    words for a job that has failed
 * @param cancelled words for a job that was cancelled
 */
public record JobStates(Set<String> done, Set<String> failed, Set<String> cancelled) {

    /** The words that most APIs use. */
    public static final JobStates USUAL = new JobStates(
            Set.of("succeeded", "success", "successful", "completed", "complete", "done", "finished"),
            Set.of("failed", "failure", "error", "errored", "timed_out", "timeout"),
            Set.of("canceled", "cancelled", "aborted", "stopped", "terminated"));

    private static final Set<String> USUALLY_WORKING = Set.of(
            "queued",
            "pending",
            "running",
            "inprogress",
            "in_progress",
            "notstarted",
            "not_started",
            "accepted",
            "working",
            "started",
            "waiting",
            "validating",
            "processing");

    /** The meaning of a word. */
    enum Stage {
        WORKING,
        DONE,
        FAILED,
        CANCELLED
    }

    /** @throws IllegalArgumentException when a word stands for two states, or no word means that a job is done */
    public JobStates {
        done = lowerCase(done);
        failed = lowerCase(failed);
        cancelled = lowerCase(cancelled);
        if (done.isEmpty()) {
            throw new IllegalArgumentException("no state means that a job is done");
        }
        checkApart(done, failed);
        checkApart(failed, cancelled);
        checkApart(cancelled, done);
    }

    private static void checkApart(Set<String> some, Set<String> others) {
        some.stream().filter(others::contains).findFirst().ifPresent(word -> {
            throw new IllegalArgumentException("'" + word + "' stands for two states");
        });
    }

    private static Set<String> lowerCase(Set<String> words) {
        return words.stream().map(word -> word.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** The meaning of a word; any word that is in no set means that the job goes on. */
    Stage of(String word) {
        var lower = word.toLowerCase(Locale.ROOT);
        if (done.contains(lower)) {
            return Stage.DONE;
        }
        if (failed.contains(lower)) {
            return Stage.FAILED;
        }
        return cancelled.contains(lower) ? Stage.CANCELLED : Stage.WORKING;
    }

    /** As {@link #of} for the usual words; empty for a word that is probably not the state of a job. */
    static Optional<Stage> usual(String word) {
        var stage = USUAL.of(word);
        return stage != Stage.WORKING || USUALLY_WORKING.contains(word.toLowerCase(Locale.ROOT))
                ? Optional.of(stage)
                : Optional.empty();
    }
}
