// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.children;

import io.longhaul.engine.ledger.LiveRun;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.watch.Watchers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A child, as an attempt of its parent sees it. The attempt waits for the child as for an answer: without its slot, and
 * woken by changes of either task. A question of the child is also a question of the parent, until the question is
 * answered at the parent or at the child, or the child has ended.
 */
public final class CalledChild implements Run.Child {

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** The answer to a question of the parent that needs no answer any more. */
    private static final Payload WITHDRAWN = Payload.ofText("{}");

    private final TaskId id;
    private final Parent parent;
    private final Children children;
    private final ReentrantLock passing = new ReentrantLock();

    /** An attempt that has called a child. */
    public interface Parent extends LiveRun {

        LiveTask live();

        /** Throws where the attempt must not wait any longer. */
        void checkStillWaiting() throws InterruptedException;

        /** Blocks until the attempt, whose wait is over, holds a slot again, has ended, or must stop. */
        void resume();

        /**
         * The questions that the task passes on for a child, by key. A question whose write seemed to fail is found
         * too.
         */
        Map<String, InputRequest> questionsOf(TaskId child);

        void askForChild(List<InputRequest> fresh);

        /** Answers a question that needs no answer any more, unless it was just answered. */
        void withdraw(InputRequest question, Payload answer);
    }

    public CalledChild(TaskId id, Parent parent, Children children) {
        this.id = id;
        this.parent = parent;
        this.children = children;
    }

    @Override
    public TaskId id() {
        return id;
    }

    @Override
    public void cancel() {
        children.cancel(id, parent.live().stored(), "The task that had called it did.");
    }

    @Override
    public Task await() throws InterruptedException {
        var waiting = new AtomicReference<Watchers.@Nullable Waiter>();
        var watched = children.engine().watch(parent.live().owner(), id, (now, events) -> wake(waiting));
        try {
            Task ended = passOn(waiting);
            if (ended != null) {
                return ended;
            }
            parent.slot().pause();
            while (true) {
                ended = await(waiting);
                if (ended != null) {
                    return ended;
                }
            }
        } finally {
            watched.ifPresent(watch -> watch.stop().run());
            // Another thread of this attempt may have given the slot away.
            parent.resume();
        }
    }

    private static void wake(AtomicReference<Watchers.@Nullable Waiter> waiting) {
        var waiter = waiting.get();
        if (waiter != null) {
            waiter.wake();
        }
    }

    /** Waits for one change of the parent or the child; gives an ended child. */
    private @Nullable Task await(AtomicReference<Watchers.@Nullable Waiter> waiting) throws InterruptedException {
        var waiter = parent.live().watchers().register();
        waiting.set(waiter);
        try {
            var ended = passOn(waiting);
            if (ended == null) {
                waiter.await();
            }
            return ended;
        } finally {
            waiter.leave();
        }
    }

    /** Passes questions and answers on between the parent and the child, and gives the child where it has ended. */
    private @Nullable Task passOn(AtomicReference<Watchers.@Nullable Waiter> waiting) throws InterruptedException {
        parent.checkStillWaiting();
        try {
            var child = children.engine()
                    .find(parent.live().owner(), id)
                    .orElseThrow(() -> new IllegalStateException("the child " + id + " is gone"));
            pass(child);
            return child.ending() == null ? null : child;
        } catch (StoreException e) {
            // The child may have ended meanwhile, and then no further change wakes this thread.
            var time = children.parts().time();
            time.at(time.now().plus(LOOK_AGAIN), () -> wake(waiting));
            return null;
        }
    }

    /**
     * Asks the questions of the child, gives the child the answers, and withdraws questions that need no answer any
     * more.
     */
    private void pass(Task child) {
        passing.lock();
        try {
            var asked = parent.questionsOf(id);
            var fresh = new ArrayList<InputRequest>();
            var answers = new LinkedHashMap<String, Payload>();
            for (InputRequest open : child.ending() == null ? child.outstanding() : List.<InputRequest>of()) {
                var question = open.ofChild(id);
                var known = asked.remove(question.key());
                if (known == null) {
                    fresh.add(question);
                } else if (known.answer() != null) {
                    answers.put(open.key(), known.answer());
                }
            }
            parent.askForChild(fresh);
            if (!answers.isEmpty()) {
                children.engine().answer(parent.live().owner(), id, answers);
            }
            asked.values().stream()
                    .filter(InputRequest::isOutstanding)
                    .forEach(question -> parent.withdraw(question, answerOf(child, question)));
        } finally {
            passing.unlock();
        }
    }

    /** The answer that the child got itself, or {@link #WITHDRAWN}. */
    private Payload answerOf(Task child, InputRequest question) {
        return child.status().inputs().stream()
                .filter(own -> own.ofChild(id).key().equals(question.key()))
                .flatMap(own -> Stream.ofNullable(own.answer()))
                .findFirst()
                .orElse(WITHDRAWN);
    }
}
