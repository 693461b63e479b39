// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Retention.Basis;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.session.Session;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Sessions of two nodes that join and leave one task at once. */
class TaskMembersTest {

    private static final Member MEMBER = new Member("tools/async", List.of(), null);

    @AutoClose
    private final ReceiverParts parts = new ReceiverParts();

    private final TaskEngine engine = parts.context.engine();
    private final TaskMembers one = new TaskMembers(parts.with(Map.of(
                    "retain",
                    arguments -> retain((Owner) arguments[0], (TaskId) arguments[1], (Retention) arguments[2])))
            .engine());
    private final TaskMembers other = new TaskMembers(engine);
    private final Session first = ReceiverParts.session("first", ReceiverParts.ANN);
    private final Session second = ReceiverParts.session("second", ReceiverParts.ANN);
    private final Task task = parts.task(first);
    private Runnable beforeEnd = () -> {};

    private TaskEngine.Retained retain(Owner owner, TaskId id, Retention retention) {
        if (retention.basis() != Basis.LEAVING) {
            beforeEnd.run();
        }
        return engine.retain(owner, id, retention);
    }

    private Basis kept() {
        return engine.find(task.owner(), task.id())
                .orElseThrow()
                .status()
                .retention()
                .basis();
    }

    @Test
    void a_task_is_kept_for_a_session_that_joins_while_the_last_one_leaves_at_another_node() {
        one.join(first, task, MEMBER, null);
        beforeEnd = () -> other.join(second, task, MEMBER, null);
        one.sessionEnded(first.id());
        assertThat(kept()).isEqualTo(Basis.LEAVING);
        other.sessionEnded(second.id());
        assertThat(kept()).isEqualTo(Basis.CREATION);
    }
}
