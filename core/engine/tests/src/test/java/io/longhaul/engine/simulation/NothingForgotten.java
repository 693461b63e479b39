// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What must hold of the node that has the lease when none of its threads can go on: each live task is worked at, waits
 * for something that is still to come, or is tried again soon after a failure; and no more work runs than allowed.
 */
final class NothingForgotten {

    /** Within that time a lease lapses, a node has held its own for long enough, and takes what is free. */
    private static final Duration FREE = Duration.ofSeconds(90);

    private final EngineWorld world;
    /** When the slots of each kind may have been taken last, over all nodes. */
    private final Map<String, Instant> full = new HashMap<>();

    NothingForgotten(EngineWorld world) {
        this.world = world;
    }

    /** Holds at any time. */
    void checkLimits() {
        for (var node : world.nodes) {
            var held = node.attempts.stream().filter(ModelAttempt::holdsSlot).toList();
            world.require(held.size() <= world.limits.running(), "%s runs %d works", node.name, held.size());
            for (var work : EngineWorld.WORKS) {
                long ofKind = held.stream()
                        .filter(attempt -> attempt.task.isOf(work.name()))
                        .count();
                world.require(
                        ofKind <= EngineNode.RUNNING_OF_A_KIND, "%s runs %d of %s", node.name, ofKind, work.name());
            }
        }
        if (world.isShared()) {
            EngineWorld.WORKS.forEach(work -> checkOverAll(work.name()));
        }
        world.turns.checkLimit();
        world.stored().forEach(Families::check);
    }

    /** What a node runs whose lease is void does not count. */
    private void checkOverAll(String work) {
        long running = world.nodes.stream()
                .flatMap(node -> node.attempts.stream().filter(attempt -> isOf(node, attempt)))
                .filter(attempt -> attempt.holdsSlot() && attempt.task.isOf(work))
                .count();
        world.require(running <= EngineNode.RUNNING_OF_A_KIND, "all nodes together run %d of %s", running, work);
    }

    private static boolean isOf(EngineNode node, ModelAttempt attempt) {
        return node.holds(attempt.task)
                && attempt.isLatest()
                && attempt.task.last().execution().lease().equals(attempt.lease);
    }

    /** Holds when no thread can go on. */
    void check() {
        for (var work : EngineWorld.WORKS) {
            if (holders(world.nodes, other -> other.isOf(work.name())) >= EngineNode.RUNNING_OF_A_KIND) {
                full.put(work.name(), world.time.now());
            }
        }
        for (var node : world.nodes) {
            if (node.serves()) {
                check(node);
            }
        }
    }

    private void check(EngineNode node) {
        var now = world.time.now();
        for (var task : world.stored()) {
            if (!task.hasEndedWork() && !task.isTroubled(now, EngineWorld.RETRY) && !isOfOthers(node, task)) {
                check(node, task);
            }
        }
        for (var client : node.clients.waiting) {
            var task = client.task;
            task.require(
                    task.isTroubled(now, EngineWorld.RETRY)
                            || task.isNews()
                            || task.isStored() && task.last().position().version() <= client.version,
                    "has changed since %d, and a client that waits for it is not told",
                    client.version);
        }
    }

    /** Whether it is for others to do something about it: the node does not have it, or not yet. */
    private boolean isOfOthers(EngineNode node, KnownTask task) {
        if (!world.isShared() || node.holds(task)) {
            return task.isNews();
        }
        var within = FREE.plus(world.patience(task.last()));
        boolean couldTake = node.hasBeenUpFor(within)
                && !node.mayBeDraining()
                && node.offers(task.last().spec().work());
        task.require(!couldTake || task.freeFor().compareTo(within) < 0, "is of no node, and %s has room", node.name);
        return true;
    }

    private void check(EngineNode node, KnownTask task) {
        var last = task.last();
        task.require(
                node.lease() != null && node.lease().equals(last.execution().lease()), "is of no node");
        task.require(
                last.state() != TaskState.SUBMITTED || !node.isToGiveAway(task),
                "has not begun at %s, which is drained",
                node.name);
        if (waitsForItsWork(node, task)) {
            return;
        }
        var attempt = node.attempts.stream()
                .filter(running -> running.task == task)
                .max(Comparator.comparing(running -> running.number))
                .orElse(null);
        if (last.ending() != null) {
            task.require(attempt != null, "has ended, and nobody stops its work");
            return;
        }
        checkTimes(node, task);
        var retryAt = last.execution().attempts().retryAt();
        if (retryAt != null) {
            boolean isDue = world.hasSteadyClocks() && node.clock.now().isAfter(retryAt);
            task.require(attempt == null, "is worked at in the pause before its retry");
            task.require(!isDue || isWaitingForSlot(node, task) || node.mayBeDraining(), "is not retried");
        } else if (attempt != null) {
            checkAttempt(node, task, attempt);
        } else if (last.state() == TaskState.INPUT_REQUIRED) {
            boolean sleeps = world.policy(last) == CrashPolicy.RESTART && !asksForChild(task);
            boolean mayWait = sleeps || isWaitingForSlot(node, task);
            task.require(mayWait, "asks, and has no thread");
        } else {
            task.require(
                    isWaitingForSlot(node, task)
                            || world.hasRate() && last.state() == TaskState.SUBMITTED
                            || world.turns.isWaiting(task)
                            || node.mayBeDraining(),
                    "waits for nothing beside %s",
                    node.attempts);
        }
    }

    private static boolean waitsForItsWork(EngineNode node, KnownTask task) {
        return !node.offers(task.last().spec().work());
    }

    private void checkAttempt(EngineNode node, KnownTask task, ModelAttempt attempt) {
        if (world.isShared() && attempt.isDeaf() && !attempt.isLatest()) {
            // The node has lost the task and got it again, while its work went on.
            task.require(isWaitingForSlot(node, task), "waits for nothing beside work that is lost");
            return;
        }
        task.require(attempt.isLatest(), "is worked at by attempt %d", attempt.number);
        var idle = world.idle;
        task.require(
                idle == null || !attempt.isSilentFor(idle.multipliedBy(2).plus(FREE), world.time.now()),
                "says nothing for much longer than it may");
        boolean isBlocked = attempt.asking == attempt.threads && attempt.gates.isEmpty();
        boolean isToWait = task.outstanding().stream().anyMatch(question -> !question.isOfChild())
                || attempt.awaited.stream().anyMatch(child -> child.isLive() || mayBeUnknown(child));
        if (isBlocked && !isToWait) {
            task.require(isWaitingForSlot(node, task), "has all that it waits for, and waits");
        }
        boolean mayAsk = Families.questions(task) <= world.limits.inputsPerTask();
        attempt.awaited.stream()
                .filter(child -> mayAsk && !mayBeUnknown(child))
                .forEach(child -> Families.checkQuestions(task, child));
    }

    /** Whether a parent may not know yet what has become of a child. */
    private boolean mayBeUnknown(KnownTask child) {
        return child.isNews() || child.isTroubled(world.time.now(), EngineWorld.RETRY);
    }

    private static boolean asksForChild(KnownTask task) {
        return task.outstanding().stream().anyMatch(InputRequest::isOfChild);
    }

    private void checkTimes(EngineNode node, KnownTask task) {
        if (!world.hasSteadyClocks()) {
            return;
        }
        var now = node.clock.now();
        var timeout = world.timeout(task.last());
        var start = task.firstStart();
        task.require(
                timeout == null
                        || start == null
                        || now.isBefore(start.plus(timeout).plus(Duration.ofMillis(1))),
                "runs longer than it may");
        for (var question : task.outstanding()) {
            task.require(
                    now.isBefore(question.deadline().plus(Duration.ofMillis(1)))
                            || question.isOfChild()
                            || !isAsked(node, task, question),
                    "waits longer for an answer than it may");
        }
    }

    /** A question of an attempt before is watched from when the next attempt asks it again. */
    private static boolean isAsked(EngineNode node, KnownTask task, InputRequest question) {
        return node.attempts.stream()
                .filter(attempt -> attempt.task == task)
                .anyMatch(attempt -> attempt.asked.contains(question.params().text()));
    }

    private boolean isWaitingForSlot(EngineNode node, KnownTask task) {
        var work = task.last().spec().work();
        return holders(List.of(node), other -> true) >= world.limits.running()
                || holders(List.of(node), other -> other.isOf(work)) >= EngineNode.RUNNING_OF_A_KIND
                || world.isShared() && isWaitingForOthers(node, work);
    }

    /** Whether other nodes may have the slots, or had them until a while ago. */
    private boolean isWaitingForOthers(EngineNode node, String work) {
        var since = world.time.now().minus(FREE);
        return !node.hasBeenUpFor(FREE) || full.getOrDefault(work, Instant.MIN).isAfter(since);
    }

    /** How many may hold a slot: those that run, and those that are being stopped or have been in trouble. */
    private int holders(List<EngineNode> nodes, Predicate<KnownTask> which) {
        int count = 0;
        for (var task : world.all()) {
            if (which.test(task) && mayHoldSlot(nodes, task)) {
                count++;
            }
        }
        return count;
    }

    /** With plain loops: it is asked of each task after each step, which took a fifth of the time of all steps. */
    private boolean mayHoldSlot(List<EngineNode> nodes, KnownTask task) {
        boolean isWorkedAt = false;
        for (var node : nodes) {
            for (var attempt : node.attempts) {
                if (attempt.task == task) {
                    if (attempt.mayHoldSlot()) {
                        return true;
                    }
                    isWorkedAt = true;
                }
            }
        }
        boolean isStopping = task.isStored() && task.last().ending() != null && !task.hasEndedWork();
        return !isWorkedAt && (isStopping || task.isNews() || task.isTroubled(world.time.now(), EngineWorld.RETRY));
    }
}
