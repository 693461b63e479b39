package io.longhaul.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.TaskId;
import io.longhaul.receiver.Asked.Key;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AskedTest {

    private static final TaskId TASK = new TaskId("a".repeat(TaskId.LENGTH));
    private static final Key NAME = new Key(TASK, "name");

    private final Asked asked = new Asked();
    private final AtomicBoolean open = new AtomicBoolean(true);

    private boolean claims() {
        return asked.claim(NAME, key -> open.get());
    }

    @Test
    void a_question_is_put_once() {
        assertThat(claims()).isTrue();
        assertThat(claims()).isFalse();
    }

    @Test
    void a_question_that_did_not_get_there_is_put_again() {
        assertThat(claims()).isTrue();
        asked.release(NAME);
        assertThat(claims()).isTrue();
    }

    @Test
    void a_question_that_was_answered_is_not_put_again_by_one_who_has_read_its_task_before() {
        assertThat(claims()).isTrue();
        open.set(false);
        asked.forget(TASK);
        assertThat(claims()).isFalse();
        assertThat(asked.withdraw(NAME)).as("it is not before the client").isFalse();
    }

    @Test
    void a_question_whose_task_cannot_be_read_is_put_later() {
        assertThatThrownBy(() -> asked.claim(NAME, key -> {
                    throw new StoreException("closed");
                }))
                .isInstanceOf(StoreException.class);
        assertThat(claims()).isTrue();
    }
}
