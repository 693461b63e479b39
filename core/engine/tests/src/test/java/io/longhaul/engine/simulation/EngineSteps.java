// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Retention;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/** Draws what happens next: what clients do, what befalls nodes, and how time goes by. */
final class EngineSteps {

    private static final List<Owner> OWNERS = List.of(new Owner("ann"), new Owner("bob"));
    static final int MOST_NODES = 3;
    private static final int ROUNDS = 150;

    private final EngineWorld world;
    private final NothingForgotten promises;
    private final boolean kills;
    private int started;
    private int created;
    private boolean isBroken;

    EngineSteps(EngineWorld world) {
        this.world = world;
        promises = new NothingForgotten(world);
        kills = world.random.nextInt(4) > 0;
        startNode();
    }

    void step() {
        world.nextStep();
        int drawn = world.random.nextInt(100);
        if (drawn < 68) {
            client(drawn);
        } else if (drawn < 80) {
            work();
        } else if (drawn < 92) {
            world.advance(Duration.ofMillis(world.random.nextInt(world.random.nextBoolean() ? 3_000 : 40_000)));
        } else {
            befall(drawn);
        }
        rest();
    }

    private void rest() {
        if (world.random.nextInt(3) == 0) {
            world.scheduler.run(world.random.nextInt(30));
        } else {
            world.scheduler.run();
            if (!isBroken) {
                promises.check();
            }
        }
        world.nodes.removeIf(EngineNode::isOver);
        promises.checkLimits();
        world.throwFault();
    }

    private void client(int drawn) {
        if (world.nodes.isEmpty()) {
            if (isBroken) {
                breakStore();
            }
            startNode();
            return;
        }
        var node = world.random.nextInt(6) == 0 ? any(world.nodes) : world.nodes.getLast();
        var tasks = world.stored();
        if (tasks.isEmpty() || drawn < 18) {
            create(node);
            return;
        }
        var task = drawn < 60 ? anyOf(tasks, known -> !known.hasEndedWork()) : any(tasks);
        var owner = world.random.nextInt(12) == 0 ? any(OWNERS) : task.last().owner();
        if (drawn < 40) {
            var asked = anyOf(tasks, known -> !known.outstanding().isEmpty());
            var keys = keys(asked);
            log("answer", asked, node);
            node.clients.answer(
                    asked,
                    owner.equals(task.last().owner()) ? asked.last().owner() : owner,
                    keys.isEmpty() || world.random.nextBoolean() ? keys : List.of(any(keys)));
        } else if (drawn < 46) {
            log("cancel", task, node);
            node.clients.cancel(task, owner);
        } else if (drawn < 52) {
            node.clients.await(task);
        } else if (drawn < 57) {
            node.clients.look(task, owner);
        } else if (drawn < 62) {
            log("retain", task, node);
            node.clients.retain(task, owner, retention());
        } else {
            log("delete", task, node);
            node.clients.delete(task, owner);
        }
    }

    private Retention retention() {
        var duration = Duration.ofSeconds(20 + world.random.nextInt(200));
        return switch (world.random.nextInt(5)) {
            case 0 -> Retention.fromCreation(duration);
            case 1 -> Retention.fromCreation(duration).atLeast(Duration.ofSeconds(30));
            case 2 -> Retention.fromLeaving(duration);
            default -> Retention.fromCompletion(duration);
        };
    }

    private void create(EngineNode node) {
        var work = any(EngineWorld.WORKS).name();
        var script = Scripts.draw(world.random, work);
        var owner = any(OWNERS);
        var key = world.random.nextInt(3) == 0 ? null : new CreationKey("key " + created++, "digest");
        world.log("create " + work + " " + script + " at " + node.name);
        int times = key == null ? 1 : 1 + world.random.nextInt(2);
        var retention = world.random.nextInt(3) == 0 ? retention() : null;
        for (int time = 0; time < times; time++) {
            var at = world.random.nextInt(5) == 0 ? any(world.nodes) : node;
            at.clients.create(owner, work, script, key, retention);
        }
    }

    /** Work and jobs go on. */
    private void work() {
        var running = world.jobs.running();
        if (!running.isEmpty() && world.random.nextBoolean()) {
            world.jobs.end(any(running));
            return;
        }
        for (var node : world.nodes) {
            for (var attempt : List.copyOf(node.attempts)) {
                if (world.random.nextInt(3) == 0) {
                    List.copyOf(attempt.gates).forEach(CountDownLatch::countDown);
                }
            }
        }
    }

    private void befall(int drawn) {
        if (world.nodes.isEmpty() || drawn == 92 && !world.isShared()) {
            startNode();
            return;
        }
        var node = any(world.nodes);
        switch (drawn) {
            case 92 -> {
                if (world.random.nextBoolean()) {
                    startNode();
                } else {
                    node.drain(!node.isDraining());
                }
            }
            case 93 -> {
                if (kills) {
                    kill(node);
                }
            }
            case 94 -> {
                if (node.isFrozen()) {
                    world.log(node.name + " goes on");
                    node.thaw();
                } else if (kills) {
                    world.log(node.name + " is paused");
                    node.freeze();
                }
            }
            case 95 -> {
                world.log(node.name + " is stopped");
                node.close();
            }
            case 96 -> node.offer();
            case 97 -> {
                if (!world.hasSteadyClocks()) {
                    var by = wrong();
                    world.log("the clock of " + node.name + " is wrong by " + by);
                    node.clock.setWrong(by);
                }
            }
            case 98 -> {
                if (world.isFaulty() && !isBroken) {
                    failAnAlarm();
                }
            }
            default -> breakStore();
        }
    }

    private void breakStore() {
        if (isBroken) {
            world.log("the store works again");
            isBroken = false;
            world.faults.repair();
            world.stored().forEach(task -> task.troubled(world.time.now()));
        } else if (world.isFaulty()) {
            world.log("the store is broken");
            isBroken = true;
            world.faults.breakDown();
        }
    }

    /** The store fails just while an alarm rings, as that of a deadline, and time goes by until it was tried again. */
    private void failAnAlarm() {
        for (int others = world.random.nextInt(8); others > 0; others--) {
            nextAlarm();
        }
        breakStore();
        nextAlarm();
        breakStore();
        world.advance(EngineWorld.RETRY.plusSeconds(1));
        world.scheduler.run();
    }

    private void nextAlarm() {
        world.time.advanceToNextAlarm();
        world.scheduler.run();
    }

    private void kill(EngineNode node) {
        world.log(node.name + " is killed");
        node.kill();
    }

    private Duration wrong() {
        return Duration.ofSeconds(world.random.nextInt(400) - 200L);
    }

    private void startNode() {
        if (world.nodes.size() >= MOST_NODES) {
            kill(world.nodes.getFirst());
            world.nodes.removeFirst();
        }
        var name = "node " + ++started;
        world.log(name + " starts");
        var wrongBy = world.random.nextBoolean() ? Duration.ZERO : wrong();
        world.nodes.add(new EngineNode(world, name, wrongBy, world.random.nextInt(4) == 0));
    }

    /** All faults end, and so does every task. */
    void finish() {
        isBroken = false;
        world.heal();
        world.nodes.forEach(node -> node.drain(false));
        world.scheduler.run();
        if (world.nodes.stream().noneMatch(EngineNode::serves) || world.random.nextBoolean()) {
            startNode();
        }
        for (int round = 0; round < ROUNDS && !isFinished(); round++) {
            world.nextStep();
            world.jobs.running().forEach(world.jobs::end);
            world.nodes.stream().filter(EngineNode::serves).forEach(this::finish);
            world.scheduler.run();
            world.advance(Duration.ofSeconds(5));
            world.scheduler.run();
            promises.check();
            promises.checkLimits();
            world.throwFault();
        }
        world.require(isFinished(), "some tasks never end: %s", unfinished());
        world.throwFault();
    }

    private void finish(EngineNode node) {
        node.offer();
        node.attempts.forEach(attempt -> List.copyOf(attempt.gates).forEach(CountDownLatch::countDown));
        for (var task : world.stored()) {
            if (!task.outstanding().isEmpty() && task.last().ending() == null) {
                node.clients.answer(task, task.last().owner(), keys(task));
            }
        }
    }

    private static List<String> keys(KnownTask task) {
        return task.outstanding().stream().map(InputRequest::key).toList();
    }

    private boolean isFinished() {
        return world.stored().stream().allMatch(KnownTask::hasEndedWork);
    }

    private List<KnownTask> unfinished() {
        return world.stored().stream().filter(task -> !task.hasEndedWork()).toList();
    }

    private void log(String what, KnownTask task, EngineNode node) {
        world.log(what + " " + task.id + " at " + node.name);
    }

    private <T> T any(List<T> all) {
        return all.get(world.random.nextInt(all.size()));
    }

    private <T> T anyOf(List<T> all, Predicate<T> wanted) {
        var some = all.stream().filter(wanted).toList();
        return any(some.isEmpty() ? all : some);
    }
}
