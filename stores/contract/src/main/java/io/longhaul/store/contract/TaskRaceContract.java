// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Task;
import io.longhaul.store.contract.RacedTask.Act;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What must hold when any two acts on a task come one after the other, in both orders, and at once: a task ends once,
 * the first end stays, the store agrees with what each caller was told, and a server that has lost its lease changes
 * nothing.
 */
abstract class TaskRaceContract extends StoreContract {

    private final int repetitions;

    /** @param repetitions how often to run each pair of acts at once */
    TaskRaceContract(TaskStoreContract stores, int repetitions) {
        super(stores);
        this.repetitions = repetitions;
    }

    @TestFactory
    Stream<DynamicTest> the_first_of_two_acts_stays() {
        return pairs().map(pair -> DynamicTest.dynamicTest(pair.getFirst() + ", then " + pair.getLast(), () -> {
            try (var task = new RacedTask(store)) {
                task.does(pair.getFirst());
                task.settle(pair.getFirst());
                task.does(pair.getLast());
                check(task, pair);
                task.checkFirst(pair.getFirst(), pair.getLast());
            }
        }));
    }

    @TestFactory
    Stream<DynamicTest> of_two_acts_at_once_one_wins_and_each_caller_is_told_the_truth() {
        return pairs().filter(
                        pair -> pair.getFirst().ordinal() <= pair.getLast().ordinal())
                .map(pair -> DynamicTest.dynamicTest(pair.getFirst() + " and " + pair.getLast(), () -> {
                    try (var threads = Executors.newFixedThreadPool(2)) {
                        for (int i = 0; i < repetitions; i++) {
                            race(threads, pair);
                        }
                    }
                }));
    }

    private void race(ExecutorService threads, List<Act> pair) throws Exception {
        try (var task = new RacedTask(store)) {
            var start = new CyclicBarrier(2);
            var acts = pair.stream()
                    .map(act -> threads.submit(() -> {
                        start.await();
                        return task.does(act);
                    }))
                    .toList();
            for (var act : acts) {
                act.get();
            }
            check(task, pair);
        }
    }

    private void check(RacedTask raced, List<Act> pair) {
        raced.stop();
        var stored = store.find(raced.id());
        raced.checkTold(stored);
        if (stored.isPresent()) {
            Task task = stored.get();
            var ends = store.history(raced.id(), 0, 1_000).stream()
                    .map(TaskEvent::what)
                    .filter(EventDetail.Ended.class::isInstance)
                    .toList();
            assertThat(ends).hasSize(task.ending() == null ? 0 : 1);
            Ending ending = task.ending();
            if (ending != null) {
                assertThat(pair).anyMatch(act -> act.ends(ending));
            }
        }
    }

    private static Stream<List<Act>> pairs() {
        var pairs = new ArrayList<List<Act>>();
        for (Act one : Act.values()) {
            for (Act other : Act.values()) {
                pairs.add(List.of(one, other));
            }
        }
        return pairs.stream();
    }
}
