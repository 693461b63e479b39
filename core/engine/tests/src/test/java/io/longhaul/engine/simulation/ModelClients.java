// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.TaskEngine.Answered;
import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.TaskEngine.Retained;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Clients of one node: each call is made on a thread of its own, and what it is told is held to what is durable. */
final class ModelClients {

    /** A client that waits for a change of a task, until it is told of one. */
    static final class Waiting {
        final KnownTask task;
        final long version;

        Waiting(KnownTask task, long version) {
            this.task = task;
            this.version = version;
        }
    }

    final List<Waiting> waiting = new ArrayList<>();
    private final Map<Owner, Integer> creating = new HashMap<>();
    private final EngineNode node;
    private final EngineWorld world;

    ModelClients(EngineNode node) {
        this.node = node;
        world = node.world;
    }

    void create(Owner owner, String work, String script, @Nullable CreationKey key, @Nullable Retention retention) {
        if (!node.offers(work)) {
            return;
        }
        var request = Payload.ofText(script);
        node.submit("create", engine -> {
            var calledAt = Payload.ofText(Long.toString(world.scheduler.next()));
            var creation = new Creation(owner, work, request, new Source(calledAt, null), key, retention);
            switch (creating(owner, () -> engine.create(creation))) {
                case Created.New made -> {
                    var task = durable(made.task());
                    task.acknowledged();
                    task.require(
                            retention == null
                                    || made.task().status().retention().equals(retention),
                            "is kept for another time than its creator was told");
                }
                case Created.Same same -> {
                    durable(same.task());
                    world.require(
                            key != null && key.equals(same.task().spec().creationKey()),
                            "another task has key %s",
                            key);
                    world.require(same.task().owner().equals(owner), "%s gets a task of another", owner);
                }
                case Created.KeyConflict conflict -> world.fail("a key of one request is that of another");
                case Created.TooManyLive many -> {
                    // A key is looked up, and tasks may end meanwhile.
                    if (key == null && node.serves() && node.hasBeenUpFor(EngineWorld.RETRY)) {
                        world.turns.refused(owner, creating.get(owner));
                    }
                }
            }
        });
    }

    /** An owner has a task being created, which may count already. */
    <T> T creating(Owner owner, Supplier<T> creation) {
        creating.merge(owner, 1, Integer::sum);
        try {
            return creation.get();
        } finally {
            creating.merge(owner, -1, Integer::sum);
        }
    }

    /** The place of the call that created the task among all events; the engine takes that for where it came from. */
    static long calledAt(Task task) {
        return Long.parseLong(task.spec().source().origin().text());
    }

    private KnownTask durable(Task told) {
        var task = world.known(told.id());
        task.require(
                task.isRemoved
                        || task.isStored()
                                && told.position().version()
                                        <= task.last().position().version(),
                "is told, and not durable: %s",
                told);
        return task;
    }

    void answer(KnownTask task, Owner owner, List<String> keys) {
        var answers = new HashMap<String, Payload>();
        for (var question : task.outstanding()) {
            if (keys.contains(question.key())) {
                answers.put(
                        question.key(),
                        Payload.ofText("answer to " + question.params().text() + " " + world.random.nextInt(1_000)));
            }
        }
        node.submit("answer", engine -> {
            switch (engine.answer(owner, task.id, answers)) {
                case Answered.Done done -> {
                    mayBeTold(task, owner);
                    durable(done.task());
                    task.require(
                            done.task().ending() != null
                                    || done.task().outstanding().stream()
                                            .noneMatch(question -> answers.containsKey(question.key())),
                            "has not taken an answer that it was said to take");
                }
                case Answered.NotFound none -> mayBeMissing(task, owner);
            }
        });
    }

    void cancel(KnownTask task, Owner owner) {
        node.submit("cancel", engine -> {
            switch (engine.cancel(owner, task.id, "no more")) {
                case Cancelled.Done done -> {
                    mayBeTold(task, owner);
                    durable(done.task());
                    var ending = done.task().ending();
                    task.require(
                            ending != null && ending.outcome() instanceof Outcome.Cancelled, "is said to be cancelled");
                }
                case Cancelled.AlreadyEnded ended -> {
                    mayBeTold(task, owner);
                    task.require(ended.task().ending() != null, "is said to have ended");
                }
                case Cancelled.NotFound none -> mayBeMissing(task, owner);
            }
        });
    }

    void delete(KnownTask task, Owner owner) {
        node.submit("delete", engine -> {
            if (task.isStored() && task.last().owner().equals(owner)) {
                task.deletionTried();
            }
            switch (engine.delete(owner, task.id)) {
                case Deleted.Done done -> {
                    mayBeTold(task, owner);
                    task.require(task.isRemoved, "is said to be deleted");
                }
                case Deleted.StillLive live -> mayBeTold(task, owner);
                case Deleted.NotFound none -> mayBeMissing(task, owner);
            }
        });
    }

    void retain(KnownTask task, Owner owner, Retention retention) {
        node.submit("retain", engine -> {
            task.wanted.add(retention);
            if (engine.retain(owner, task.id, retention) instanceof Retained.Done done) {
                durable(done.task());
                var kept = done.task().status().retention();
                boolean isForParent = task.parent() != null && kept.equals(Retention.fromLeaving(retention.duration()));
                task.require(isForParent || kept.equals(retention), "is kept for another time");
            } else {
                mayBeMissing(task, owner);
            }
        });
    }

    void look(KnownTask task, Owner owner) {
        node.submit("look", engine -> {
            long known = task.isStored() ? task.last().position().version() : 0;
            boolean serves = node.serves() && task.isStored() && !isTroubled(task);
            var found = engine.find(owner, task.id);
            // While the store fails, a node shows its task as it knows it.
            boolean isCurrent = serves && !isTroubled(task);
            found.ifPresent(seen -> {
                mayBeTold(task, owner);
                task.require(
                        !isCurrent || seen.position().version() >= known,
                        "is shown as it was at %d",
                        seen.position().version());
            });
            if (found.isEmpty()) {
                mayBeMissing(task, owner);
            }
            world.require(
                    engine.list(TaskFilter.of(owner), null, 100).tasks().stream()
                            .allMatch(seen -> seen.owner().equals(owner)),
                    "%s sees tasks of others",
                    owner);
        });
    }

    private boolean isTroubled(KnownTask task) {
        return task.isTroubled(world.time.now(), EngineWorld.RETRY);
    }

    /** Waits for a change of a task, for as long as it takes. */
    void await(KnownTask task) {
        node.submit("await", engine -> {
            var owner = task.last().owner();
            var now = engine.find(owner, task.id);
            if (now.isEmpty() || now.get().ending() != null) {
                return;
            }
            var wait = new Waiting(task, now.get().position().version());
            waiting.add(wait);
            try {
                engine.awaitChange(
                        owner, task.id, wait.version, node.clock.now().plus(Duration.ofDays(400)));
            } finally {
                waiting.remove(wait);
            }
        });
    }

    /** Whoever is told anything of a task must own it. */
    private void mayBeTold(KnownTask task, Owner owner) {
        task.require(task.last().owner().equals(owner), "is told to %s", owner);
    }

    private void mayBeMissing(KnownTask task, Owner owner) {
        task.require(
                !task.isStored() || !task.last().owner().equals(owner) || task.isExpired(node.clock.latest()),
                "is not found by its owner");
    }
}
