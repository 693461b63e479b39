// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import static io.longhaul.receiver.ReceiverParts.ANN;
import static io.longhaul.receiver.ReceiverParts.BOB;
import static io.longhaul.receiver.ReceiverParts.NO_ORIGIN;
import static io.longhaul.receiver.ReceiverParts.session;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.ReceiverParts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The index of the tasks of a session. */
class SessionTasksTest {

    private static final RequestId ONE = new RequestId.Number(1);

    private final ReceiverParts parts = new ReceiverParts();
    private final SessionTasks tasks = SessionTasks.of(parts.context);
    private final Session session = session("s1", ANN);

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void a_session_has_the_tasks_that_it_created_and_no_others() {
        Task own = created(session, ONE);
        created(session("s10", ANN), ONE);
        created(session("s", ANN), ONE);
        created(session("s1", BOB), ONE);
        parts.task(session);
        assertThat(ids(tasks.of(session).toList())).containsExactly(own.id().value());
    }

    @Test
    void all_tasks_of_a_session_are_read_however_many_they_are() {
        List<Task> all = new ArrayList<>();
        for (int i = 0; i < 201; i++) {
            all.add(created(session, new RequestId.Number(i)));
        }
        assertThat(ids(tasks.of(session).toList())).containsExactlyInAnyOrderElementsOf(ids(all));
    }

    @Test
    void a_request_is_known_by_its_very_id() {
        Task number = created(session, ONE);
        Task text = created(session, new RequestId.Text("1"));
        created(session, new RequestId.Number(11));
        assertThat(ids(tasks.createdBy(session, ONE).toList()))
                .containsExactly(number.id().value());
        assertThat(ids(tasks.createdBy(session, new RequestId.Text("1")).toList()))
                .containsExactly(text.id().value());
    }

    @Test
    void the_latest_task_whose_call_a_request_repeated_is_found_for_as_long_as_a_task_may_be_kept() {
        tasks.repeated(session, ONE, parts.task(session));
        Task latest = parts.task(session);
        tasks.repeated(session, ONE, latest);
        assertThat(tasks.repeatedBy(session, ONE).map(Task::id)).contains(latest.id());
        assertThat(tasks.repeatedBy(session, new RequestId.Number(2))).isEmpty();
        assertThat(tasks.repeatedBy(session("s10", ANN), ONE)).isEmpty();
        parts.time.advance(ReceiverParts.LONGEST.minusMillis(1));
        assertThat(tasks.repeatedBy(session, ONE)).isPresent();
        parts.time.advance(Duration.ofMillis(1));
        assertThat(tasks.repeatedBy(session, ONE)).isEmpty();
    }

    private Task created(Session creator, RequestId request) {
        return parts.task(creator, NO_ORIGIN, SessionTasks.route(creator.id(), request), null);
    }

    private static List<String> ids(List<Task> tasks) {
        return tasks.stream().map(task -> task.id().value()).toList();
    }
}
