// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.simulation.Scripts.Called;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** ChildCalls children as the script of an attempt says, and checks what the engine tells it of them. */
record ScriptedCalls(EngineNode node, Run run, ModelAttempt attempt) {

    /** How long a child is kept, from the end of its parent. */
    static final Duration KEEP = Duration.ofSeconds(90);

    void act(char letter, List<Called> calls) throws InterruptedException {
        var children = new ArrayList<Run.Child>();
        for (var call : calls) {
            // Work that a node does not offer cannot be called there.
            if (node.offers(call.work())) {
                children.add(call(call));
            }
        }
        switch (letter) {
            case 'd' -> {
                // goes on, whatever becomes of it
            }
            case 'D' -> awaitInThreads(children);
            case 'k' -> {
                cancel(children);
                await(children);
            }
            default -> await(children);
        }
    }

    private Run.Child call(Called call) {
        var task = attempt.task;
        var owner = run.spec().owner();
        try {
            var child = node.clients.creating(owner, () -> run.call(call.name(), () -> request(call)));
            var known = task.children.get(call.name());
            task.require(
                    known != null && known.id.equals(child.id()), "calls %s, and gets %s", call.name(), child.id());
            node.world.log(attempt + " has called " + child.id() + " to do " + call);
            return child;
        } catch (StoreException e) {
            // What the engine has looked up may be of any task.
            task.troubled(node.world.time.now());
            throw e;
        }
    }

    private Run.Call request(Called call) {
        var calledAt = Payload.ofText(Long.toString(node.world.scheduler.next()));
        return new Run.Call(call.work(), Payload.ofText(call.script()), calledAt, KEEP);
    }

    private void cancel(List<Run.Child> children) {
        try {
            for (var child : children) {
                child.cancel();
                var known = node.world.known(child.id());
                known.require(known.last().ending() != null, "is cancelled by its parent, and goes on");
            }
        } catch (StoreException e) {
            attempt.task.troubled(node.world.time.now());
            throw e;
        }
    }

    private void await(List<Run.Child> children) throws InterruptedException {
        for (var child : children) {
            await(child);
        }
    }

    private void await(Run.Child child) throws InterruptedException {
        var known = node.world.known(child.id());
        attempt.awaited.add(known);
        try {
            check(known, attempt.waiting(run, child::await));
        } finally {
            attempt.awaited.remove(known);
        }
    }

    private void check(KnownTask child, Task told) {
        var ending = told.ending();
        var stored = child.last().ending();
        child.require(
                ending != null && stored != null && ending.outcome().equals(stored.outcome()),
                "is said to its parent to have ended with %s",
                String.valueOf(ending));
        attempt.task.require(
                isStale() || Families.asked(attempt.task, child).isEmpty(),
                "goes on, and asks for %s, which has ended",
                child);
        Families.checkAnswers(attempt.task, child);
    }

    private boolean isStale() {
        var task = attempt.task;
        return task.last().ending() != null || !node.holds(task) || !attempt.isLatest();
    }

    /** The threads that it starts belong to the group of this one. */
    private void awaitInThreads(List<Run.Child> children) throws InterruptedException {
        var ended = new CountDownLatch(children.size());
        for (var child : children) {
            attempt.threads++;
            Thread.ofVirtual().start(() -> {
                try {
                    await(child);
                } catch (InterruptedException | RunException | StoreException e) {
                    Thread.currentThread().interrupt();
                } catch (StaleRunException e) {
                    // The attempt has lost its task.
                } catch (RuntimeException e) {
                    attempt.task.require(isStale(), "waits, and gets %s", e);
                } finally {
                    attempt.threads--;
                    ended.countDown();
                }
            });
        }
        ended.await();
    }
}
