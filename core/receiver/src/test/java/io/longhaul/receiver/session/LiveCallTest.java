// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.plan.Left;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One request that is being answered. */
class LiveCallTest {

    private final LiveCall call = new LiveCall(new RequestId.Number(1), false);
    private final AtomicBoolean interrupted = new AtomicBoolean();

    @Test
    void a_thread_that_works_for_a_call_is_interrupted_when_the_call_is_given_up() throws Exception {
        call.interruptibly(() -> {
            call.leave(Left.CANCELLED);
            interrupted.set(Thread.currentThread().isInterrupted());
            return null;
        });
        assertThat(interrupted).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void a_thread_that_writes_a_message_is_interrupted_when_the_message_is_written() throws Exception {
        var whileItWrites = new AtomicBoolean();
        call.interruptibly(() -> {
            call.uninterrupted(() -> {
                call.leave(Left.STOPPED);
                whileItWrites.set(Thread.currentThread().isInterrupted());
            });
            interrupted.set(Thread.currentThread().isInterrupted());
            return null;
        });
        assertThat(whileItWrites).isFalse();
        assertThat(interrupted).isTrue();
    }

    @Test
    void a_thread_that_has_not_noticed_its_interrupt_writes_a_message_without_it() throws Exception {
        var whileItWrites = new AtomicBoolean();
        call.interruptibly(() -> {
            call.leave(Left.CANCELLED);
            call.uninterrupted(() -> whileItWrites.set(Thread.currentThread().isInterrupted()));
            interrupted.set(Thread.currentThread().isInterrupted());
            return null;
        });
        assertThat(whileItWrites).isFalse();
        assertThat(interrupted).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"CANCELLED", "CLOSED"})
    void a_thread_that_has_not_noticed_its_interrupt_answers_without_it(Left how) throws Exception {
        boolean answers = call.interruptibly(() -> {
            call.leave(how);
            boolean begun = call.beginAnswer();
            interrupted.set(Thread.currentThread().isInterrupted());
            return begun;
        });
        assertThat(answers).isEqualTo(how == Left.CLOSED);
        assertThat(interrupted).isFalse();
    }

    @Test
    void a_message_that_another_thread_writes_leaves_the_working_thread_to_be_interrupted() throws Exception {
        call.interruptibly(() -> {
            var other = Thread.ofVirtual().start(() -> call.uninterrupted(() -> call.leave(Left.CANCELLED)));
            try {
                other.join();
                interrupted.set(Thread.currentThread().isInterrupted());
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
            return null;
        });
        assertThat(interrupted).isTrue();
    }

    @Test
    void a_call_that_was_given_up_runs_nothing_more() {
        call.leave(Left.CANCELLED);
        assertThatThrownBy(() -> call.interruptibly(() -> "done")).isInstanceOf(InterruptedException.class);
    }

    @Test
    void a_call_that_is_being_answered_is_given_up_by_nothing_that_comes_then() throws Exception {
        call.interruptibly(() -> {
            assertThat(call.beginAnswer()).isTrue();
            call.leave(Left.STOPPED);
            assertThat(call.leave(Left.CANCELLED)).isFalse();
            interrupted.set(Thread.currentThread().isInterrupted());
            return null;
        });
        assertThat(interrupted).isFalse();
        assertThat(call.isOver()).isFalse();
        assertThat(call.beginAnswer()).isTrue();
    }

    @Test
    void a_call_that_was_given_up_is_not_answered_unless_the_server_ends() {
        call.leave(Left.TIMED_OUT);
        assertThat(call.beginAnswer()).isFalse();
        var open = new LiveCall(new RequestId.Number(2), false);
        open.leave(Left.CLOSED);
        assertThat(open.beginAnswer()).isTrue();
    }
}
