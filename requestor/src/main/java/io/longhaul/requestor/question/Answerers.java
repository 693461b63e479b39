// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.question;

import io.longhaul.protocol.Guard;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.Registration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who answers the questions of one server: the answerer of the call that a question belongs to, where a call has one of
 * its own, else the answerer of the client. Thread-safe.
 */
public final class Answerers {

    private final Answerer usual;
    private final Guard lock = new Guard();
    private final List<Answerer> underway = new ArrayList<>();
    private final Map<String, Answerer> tasks = new HashMap<>();

    /** @param usual of the client */
    public Answerers(Answerer usual) {
        this.usual = usual;
    }

    /** The answerer of the client. */
    public Answerer usual() {
        return usual;
    }

    /** A call with an answerer of its own is under way, until closed. */
    public Registration underway(@Nullable Answerer own) {
        if (own == null) {
            return () -> {};
        }
        lock.run(() -> underway.add(own));
        return () -> lock.run(() -> underway.remove(own));
    }

    /** A task of the server has an answerer of its own, until closed. */
    public Registration ofTask(String taskId, @Nullable Answerer own) {
        if (own == null) {
            return () -> {};
        }
        lock.run(() -> tasks.put(taskId, own));
        return () -> lock.run(() -> tasks.remove(taskId, own));
    }

    /**
     * The answerer of one question.
     *
     * @param task   that asks, where the question names one
     * @param stream the answerer of the call on whose own stream the question came, or null where that is not known:
     *               the question is then for the one call that is under way. Where several are, nobody can know which
     *               of their callers is meant, and the client's own answerer is asked
     */
    public Answerer of(Optional<String> task, @Nullable Answerer stream) {
        return lock.get(() -> {
            var own = task.map(tasks::get);
            if (own.isPresent()) {
                return own.get();
            }
            if (stream != null) {
                return stream;
            }
            return underway.stream().distinct().count() == 1 ? underway.getFirst() : usual;
        });
    }

    /** The answerer of what a task shows that it asks. */
    public Answerer of(String taskId) {
        return lock.get(() -> tasks.getOrDefault(taskId, usual));
    }
}
