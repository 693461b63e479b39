// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndedTasksTest {

    private static final int LARGE = 10_000;

    private final EndedTasks ended = new EndedTasks(100_000);
    private int reads;

    @Test
    void an_ended_task_is_read_once() {
        var task = ended(1, 10, true);
        assertThat(find(task)).contains(task);
        assertThat(find(task)).contains(task);
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void a_task_that_can_change_is_read_each_time() {
        find(task(1));
        find(task(1));
        find(ended(2, 10, false));
        find(ended(2, 10, false));
        assertThat(reads).isEqualTo(4);
    }

    @Test
    void the_tasks_that_were_used_last_are_kept() {
        for (var number = 1; number <= 10; number++) {
            find(ended(1, LARGE, true));
            find(ended(number, LARGE, true));
        }
        reads = 0;
        find(ended(1, LARGE, true));
        assertThat(reads).isZero();
        find(ended(2, LARGE, true));
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void a_task_that_takes_much_of_the_room_is_not_kept() {
        find(ended(1, 2 * LARGE, true));
        find(ended(1, 2 * LARGE, true));
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void a_task_that_changes_while_it_is_read_is_not_kept() {
        var task = ended(1, 10, true);
        ended.find(task.id(), () -> {
            ended.forget(task.id());
            return Optional.of(task);
        });
        find(task);
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void what_is_forgotten_takes_no_room() {
        for (var number = 1; number <= 100; number++) {
            find(ended(number, LARGE, true));
            ended.forget(ended(number, LARGE, true).id());
        }
        find(ended(1, LARGE, true));
        find(ended(2, LARGE, true));
        reads = 0;
        find(ended(1, LARGE, true));
        assertThat(reads).isZero();
        ended.forgetAll();
        find(ended(1, LARGE, true));
        assertThat(reads).isEqualTo(1);
    }

    private Optional<Task> find(Task stored) {
        return ended.find(stored.id(), () -> {
            reads++;
            return Optional.of(stored);
        });
    }

    private static Task ended(long number, int bytes, boolean workEnded) {
        var task = task(number);
        var outcome = new Outcome.Result(Payload.of(new byte[bytes]), false);
        var was = task.status();
        var status = new TaskStatus(
                TaskState.COMPLETED, null, null, was.inputs(), new Ending(outcome, NOW, workEnded), was.retention());
        return new Task(task.id(), task.spec(), status, task.execution(), task.position());
    }
}
