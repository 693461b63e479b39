// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Does what the {@link Scripts script} of its task says, and checks what the engine tells it. */
final class ScriptedBackend implements Backend {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final EngineNode node;

    ScriptedBackend(EngineNode node) {
        this.node = node;
    }

    static Outcome result(String script) {
        return new Outcome.Result(Payload.ofText("did " + script), false);
    }

    @Override
    public Outcome run(Run run) throws Exception {
        var attempt = node.begin(run);
        try {
            var script = run.spec().request().text();
            for (int i = 0; i < script.length(); i = Scripts.next(script, i)) {
                var before = node.world.time.now();
                act(script.charAt(i), i, run, attempt);
                attempt.heard(node.world.time.now());
                attempt.said = "pl".indexOf(script.charAt(i)) < 0 ? attempt.said : before;
            }
            return result(script);
        } catch (Exception e) {
            node.world.log(attempt + " at " + node.name + " ends with " + e);
            throw e;
        } finally {
            attempt.over = true;
            node.attempts.remove(attempt);
        }
    }

    private void act(char letter, int place, Run run, ModelAttempt attempt) throws Exception {
        switch (letter) {
            case 's' -> step("step " + place, run, attempt);
            case 'p' -> emit(run.attempt() + "." + place, run, attempt.task);
            case 'r' -> run.progress(new Progress(place, null, null));
            case 'm' -> run.status("at " + place);
            case 'l' -> run.log("info", null, Payload.ofText("line"));
            case 'q' -> ask(List.of("q" + place), run, attempt);
            case 'Q' -> ask(List.of("a" + place, "b" + place), run, attempt);
            case 'T' -> askFromThreads(place, run, attempt);
            case 'g' -> attempt.awaitGate();
            case 'u' -> attempt.awaitGateDeafly();
            case 'j' -> job(run, attempt);
            case 'c', 'C', 'D', 'd', 'k' ->
                new ScriptedCalls(node, run, attempt)
                        .act(letter, Scripts.calls(run.spec().request().text(), place));
            case 'f' -> {
                run.retry("failed");
                throw new RunException(new Outcome.Error(-1, "the tool fails", null));
            }
            case 'e' -> throw new RunException(new Outcome.Error(-1, "the tool says so", null));
            case 'x' -> throw new IllegalStateException("the tool is broken");
            default -> throw new IllegalArgumentException("no such letter: " + letter);
        }
    }

    private boolean isOwn(ModelAttempt attempt) {
        return node.holds(attempt.task) && attempt.isLatest();
    }

    private void step(String name, Run run, ModelAttempt attempt) throws Exception {
        var task = attempt.task;
        var done = run.step(name, () -> {
            // A node that has lost its lease learns of it when it writes.
            node.world.require(
                    !isOwn(attempt) || !task.steps.containsKey(name), "%s of %s is done again", name, task.id);
            return Payload.ofText(name + " of attempt " + run.attempt());
        });
        node.world.require(done.equals(task.steps.get(name)), "%s of %s is not what was recorded", name, task.id);
    }

    private void emit(String piece, Run run, KnownTask task) {
        run.partial(Payload.ofText(piece));
        node.world.require(task.pieces.contains(piece), "piece %s of %s is not stored", piece, task.id);
        node.world.require(
                run.partialCount() == task.pieces.size(),
                "%s counts %d pieces, and has %d",
                task.id,
                run.partialCount(),
                task.pieces.size());
    }

    private void ask(List<String> questions, Run run, ModelAttempt attempt) throws InterruptedException {
        attempt.asked.addAll(questions);
        try {
            var asked = questions.stream()
                    .map(text -> new Run.Question(null, "ask", Payload.ofText(text)))
                    .toList();
            var answers = attempt.waiting(run, () -> run.askAll(asked, PATIENCE));
            for (int i = 0; i < questions.size(); i++) {
                var answer = answers.get(i).text();
                node.world.require(
                        answer.startsWith("answer to " + questions.get(i) + " "),
                        "%s has asked %s, and got %s",
                        run.id(),
                        questions.get(i),
                        answer);
            }
        } finally {
            attempt.asked.removeAll(questions);
        }
    }

    /** The threads that it starts belong to the group of this one. */
    private void askFromThreads(int place, Run run, ModelAttempt attempt) throws InterruptedException {
        var asked = new CountDownLatch(2);
        for (var question : List.of("s" + place, "t" + place)) {
            attempt.threads++;
            Thread.ofVirtual().start(() -> {
                try {
                    ask(List.of(question), run, attempt);
                } catch (InterruptedException | RunException | StoreException | IllegalStateException e) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException e) {
                    // The attempt has lost its task.
                } finally {
                    attempt.threads--;
                    asked.countDown();
                }
            });
        }
        ask(List.of("r" + place), run, attempt);
        asked.await();
    }

    private void job(Run run, ModelAttempt attempt) throws InterruptedException {
        var task = attempt.task;
        // A node that has lost its lease learns of it when it writes: another node may have begun the job meanwhile.
        node.world.require(
                !isOwn(attempt) || run.handle().isPresent() || !task.hasHandle, "the job of %s is lost", run.id());
        if (run.handle().isEmpty()) {
            run.saveHandle(Payload.ofText("job of " + run.id()));
            task.hasHandle = true;
        }
        node.world.jobs.runToEnd(run.id());
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        var task = node.world.known(run.id());
        node.world.scheduler.pause();
        if (node.world.isUnlucky()) {
            task.troubled(node.world.time.now());
            throw new IllegalStateException("the job cannot be stopped now");
        }
        node.world.jobs.end(run.id());
    }
}
