package io.longhaul.receiver;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.task.Owner;
import io.longhaul.protocol.WireLimits;
import java.time.Instant;
import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * What all parts of one receiver share.
 *
 * @param engine keeps the tasks
 * @param server what it says of itself
 * @param limits of messages, sessions and streams
 * @param random unpredictable
 * @param between what happens between the rounds of a call
 * @param attendance who attends to which tasks
 */
public record Context(
        TaskEngine engine,
        ServerIdentity server,
        WireLimits limits,
        RandomGenerator random,
        Between between,
        Attendance attendance) {

    private static final int ID_BYTES = 18;

    /**
     * Between the rounds of a call.
     *
     * @param rounds how they are answered
     * @param sealed what clients carry
     */
    record Between(Rounds rounds, SealedState sealed) {}

    public Rounds rounds() {
        return between.rounds();
    }

    public SealedState sealed() {
        return between.sealed();
    }

    public Instant now() {
        return engine.time().now();
    }

    public TaskViews views() {
        return new TaskViews(engine);
    }

    /**
     * Whether a task waits for the answer to a question at this moment: whoever follows it has read it a while ago. If
     * so, the question may be put, and its answer is found also after a restart.
     */
    boolean mayPut(Owner owner, QuestionKey question) {
        var open = engine.find(owner, question.task()).stream()
                .flatMap(task -> task.outstanding().stream())
                .filter(input -> input.key().equals(question.key()))
                .findFirst();
        open.ifPresent(input -> questionIds().keep(question, input.deadline()));
        return open.isPresent();
    }

    SessionTasks sessionTasks() {
        return new SessionTasks(engine);
    }

    QuestionIds questionIds() {
        return new QuestionIds(engine.handles());
    }

    /** An id of 144 random bits in visible ASCII. */
    public String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
