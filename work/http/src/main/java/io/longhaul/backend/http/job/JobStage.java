// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.job;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a word of an API for the state of a job means. */
public enum JobStage {
    WORKING(
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
            "processing"),
    DONE("succeeded", "success", "successful", "completed", "complete", "done", "finished"),
    FAILED("failed", "failure", "error", "errored", "timed_out", "timeout"),
    CANCELLED("canceled", "cancelled", "aborted", "stopped", "terminated");

    private final Set<String> usualWords;

    JobStage(String... usualWords) {
        this.usualWords = Set.of(usualWords);
    }

    /** The words that most APIs use. */
    public Set<String> usualWords() {
        return usualWords;
    }

    /** The stage of a usual word; empty for a word that is probably not the state of a job. */
    public static Optional<JobStage> usual(String word) {
        var lower = word.toLowerCase(Locale.ROOT);
        return Stream.of(values())
                .filter(stage -> stage.usualWords.contains(lower))
                .findFirst();
    }
}
