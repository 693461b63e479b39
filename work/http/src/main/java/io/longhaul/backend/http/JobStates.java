// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.backend.http.job.JobStage;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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
    public static final JobStates USUAL =
            new JobStates(JobStage.DONE.usualWords(), JobStage.FAILED.usualWords(), JobStage.CANCELLED.usualWords());

    /** @throws IllegalArgumentException when a word stands for two states, or no word means that a job is done */
    public JobStates {
        done = lowerCase(done);
        failed = lowerCase(failed);
        cancelled = lowerCase(cancelled);
        if (done.isEmpty()) {
            throw new IllegalArgumentException("no state means that a job is done");
        }
        stages(done, failed, cancelled);
    }

    private static Set<String> lowerCase(Set<String> words) {
        return words.stream().map(word -> word.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** The stages by their words, in lower case; any other word means that the job goes on. */
    Map<String, JobStage> stages() {
        return stages(done, failed, cancelled);
    }

    private static Map<String, JobStage> stages(Set<String> done, Set<String> failed, Set<String> cancelled) {
        var stages = new HashMap<String, JobStage>();
        var sets = Map.of(JobStage.DONE, done, JobStage.FAILED, failed, JobStage.CANCELLED, cancelled);
        sets.forEach((stage, words) -> words.forEach(word -> {
            if (stages.put(word, stage) != null) {
                throw new IllegalArgumentException("'" + word + "' stands for two states");
            }
        }));
        return stages;
    }
}
