// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What is promised of tasks and those that they have called: each call has one child, which is there as long as its
 * parent lives, ends with it at the latest, and asks by it while the parent waits.
 */
final class Families {

    private static final Payload WITHDRAWN = Payload.ofText("{}");

    private Families() {}

    /** A task is created. */
    static void created(KnownTask child) {
        var parent = child.parent();
        if (parent != null) {
            var name =
                    Objects.requireNonNull(child.last().spec().source().route()).member();
            var other = parent.children.putIfAbsent(Objects.requireNonNull(name), child);
            child.require(other == null, "is the second child %s of %s", name, parent);
            child.require(child.isOf(parent.last().owner()), "is of another owner than %s", parent);
        }
    }

    /** A task is kept for another time. */
    static void retained(KnownTask child) {
        child.require(!child.isKept() || isHeld(child), "is not kept for its parent");
    }

    /** A task is removed: not before its parent has ended. */
    static void removed(KnownTask task) {
        task.require(!task.isKept(), "is removed, and its parent lives");
    }

    /** A task is removed since somebody wants that: with its children, but for those that are to be swept anyway. */
    static void deleted(KnownTask task, Instant latest) {
        task.require(
                task.children.values().stream().noneMatch(child -> child.isStored() && !child.isExpired(latest)),
                "is deleted without its children");
    }

    /** What is over has let its children go: holds at any time. */
    static void check(KnownTask task) {
        var parent = task.parent();
        if (parent != null && task.isStored() && (parent.isRemoved || parent.hasEndedWork())) {
            task.require(task.last().ending() != null, "goes on, and its parent is over: %s", parent);
            task.require(!isHeld(task) || task.isWanted(), "is kept for ever: its parent is over: %s", parent);
        }
    }

    private static boolean isHeld(KnownTask task) {
        return task.last().status().retention().basis() == Retention.Basis.LEAVING;
    }

    /** How many questions a task may come to ask of its own and for all that it has called. */
    static long questions(KnownTask parent) {
        long own = parent.last().status().inputs().stream()
                .filter(question -> !question.isOfChild())
                .count();
        return own
                + parent.children.values().stream()
                        .mapToLong(child -> child.last().status().inputs().size())
                        .sum();
    }

    /** Holds of an attempt that waits for a child, when no thread can go on. */
    static void checkQuestions(KnownTask parent, KnownTask child) {
        for (var open : child.isLive() ? child.outstanding() : List.<InputRequest>of()) {
            var key = open.ofChild(child.id).key();
            parent.require(
                    parent.outstanding().stream().anyMatch(copy -> copy.key().equals(key)),
                    "does not ask what %s asks, or keeps the answer",
                    child);
        }
        for (var copy : asked(parent, child)) {
            child.require(
                    child.isLive()
                            && child.outstanding().stream()
                                    .anyMatch(
                                            open -> open.ofChild(child.id).key().equals(copy.key())),
                    "asks no more, and %s still asks for it",
                    parent);
        }
    }

    /** What was answered is withdrawn nowhere. */
    static void checkAnswers(KnownTask parent, KnownTask child) {
        for (var own : child.last().status().inputs()) {
            var key = own.ofChild(child.id).key();
            boolean isAnswered = own.answer() != null && !own.answer().equals(WITHDRAWN);
            parent.require(
                    !isAnswered
                            || parent.last().status().inputs().stream()
                                    .noneMatch(copy -> copy.key().equals(key) && WITHDRAWN.equals(copy.answer())),
                    "has withdrawn what was answered at %s",
                    child);
        }
    }

    /** What a parent asks for a child. */
    static List<InputRequest> asked(KnownTask parent, KnownTask child) {
        return parent.outstanding().stream()
                .filter(copy -> copy.key().startsWith(child.id + "/"))
                .toList();
    }
}
