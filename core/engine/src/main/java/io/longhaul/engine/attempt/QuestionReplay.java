// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Matches the questions of this attempt with recorded questions. A question with the method and params of an earlier
 * attempt's question takes over that question, in the order of asking; any other question gets a new key. Where the
 * work is a job that goes on, a question without a key takes over only an open question: an answered question has had
 * its effect on the job, and the same question again needs another answer.
 */
final class QuestionReplay {

    /** The keys of the asked questions in their order, and the questions that are to be recorded. */
    record Opened(List<String> keys, List<InputRequest> fresh) {}

    private final List<InputRequest> unclaimed;
    private final Set<String> used = new HashSet<>();
    private final boolean goesOn;
    private final int limit;

    /** @param goesOn whether the work continues a job, instead of running from its beginning */
    QuestionReplay(List<InputRequest> recorded, boolean goesOn, int limit) {
        unclaimed = new ArrayList<>(recorded);
        unclaimed.removeIf(InputRequest::isOfChild);
        this.goesOn = goesOn;
        this.limit = limit;
        recorded.forEach(question -> used.add(question.key()));
    }

    synchronized Opened open(List<Run.Question> questions, Instant now, Instant deadline) {
        var keys = new ArrayList<String>();
        var fresh = new ArrayList<InputRequest>();
        for (Run.Question question : questions) {
            var recorded = claim(question);
            if (recorded == null) {
                var key = freshKey(question.key());
                fresh.add(new InputRequest(key, question.method(), question.params(), now, deadline, null));
                keys.add(key);
            } else {
                keys.add(recorded.key());
            }
        }
        return new Opened(keys, fresh);
    }

    /** The answers to questions of earlier attempts that this attempt has not asked again. */
    synchronized Map<String, Payload> answered() {
        return unclaimed.stream()
                .filter(question -> !question.isOutstanding())
                .collect(Collectors.toUnmodifiableMap(
                        InputRequest::key, question -> Objects.requireNonNull(question.answer())));
    }

    /** The open questions of earlier attempts that this attempt has not asked again. */
    synchronized Map<String, Run.Question> outstanding() {
        return unclaimed.stream()
                .filter(InputRequest::isOutstanding)
                .collect(Collectors.toUnmodifiableMap(
                        InputRequest::key,
                        question -> new Run.Question(question.key(), question.method(), question.params())));
    }

    private @Nullable InputRequest claim(Run.Question question) {
        for (InputRequest recorded : unclaimed) {
            if (recorded.method().equals(question.method())
                    && recorded.params().equals(question.params())
                    && isKeyOf(recorded, question.key())) {
                unclaimed.remove(recorded);
                return recorded;
            }
        }
        return null;
    }

    private boolean isKeyOf(InputRequest recorded, @Nullable String wanted) {
        return wanted == null
                ? recorded.isOutstanding() || !goesOn
                : recorded.key().equals(wanted) || recorded.key().matches(Pattern.quote(wanted) + "-\\d+");
    }

    /** Counts a question of a child, which already has a key. */
    synchronized void count(InputRequest question) {
        if (!used.contains(question.key())) {
            checkRoom();
            used.add(question.key());
        }
    }

    private void checkRoom() {
        if (used.size() >= limit) {
            throw RunException.internal("The task has asked " + limit + " questions and may ask no more.");
        }
    }

    private String freshKey(@Nullable String wanted) {
        checkRoom();
        String base = wanted == null ? "q" + (used.size() + 1) : wanted;
        String key = base;
        for (int number = 2; !used.add(key); number++) {
            key = base + "-" + number;
        }
        return key;
    }

    /** The answers in the order of the keys, or null while an answer is missing. */
    static @Nullable List<Payload> answers(List<InputRequest> inputs, List<String> keys) {
        var answers = new ArrayList<Payload>();
        for (String key : keys) {
            var answer = inputs.stream()
                    .filter(question -> question.key().equals(key))
                    .flatMap(question -> Stream.ofNullable(question.answer()))
                    .findFirst()
                    .orElse(null);
            if (answer == null) {
                return null;
            }
            answers.add(answer);
        }
        return answers;
    }
}
