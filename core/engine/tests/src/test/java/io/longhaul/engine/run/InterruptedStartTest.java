// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.longhaul.testkit.RunInMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts of jobs whose run is stopped meanwhile. */
@Timeout(60)
class InterruptedStartTest {

    private final Starts<String> starts = new Starts<>();
    private final RunInMemory run = new RunInMemory("{}");

    @Test
    void a_start_is_sent_to_its_end_though_its_thread_is_interrupted_and_a_stop_waits_for_it() throws Exception {
        var sent = new CountDownLatch(1);
        var answer = new CompletableFuture<String>();
        var interrupted = new CompletableFuture<Boolean>();
        var sender = Thread.ofVirtual().start(() -> {
            var end = starts.send(run, () -> {}, "unsent", () -> {
                sent.countDown();
                return answer.join();
            });
            interrupted.complete(Thread.currentThread().isInterrupted() && end.equals("job 7"));
        });
        sent.await();
        sender.interrupt();
        var stop = new FutureTask<>(() -> starts.ended(run, "failed"));
        Thread.ofVirtual().start(stop);
        answer.complete("job 7");
        assertThat(interrupted.get()).isTrue();
        assertThat(stop.get()).contains("job 7");
        starts.forget(run);
        assertThat(starts.isEmpty()).isTrue();
        assertThat(starts.ended(run, "failed")).isEmpty();
    }

    @Test
    void nothing_is_sent_that_cannot_be_recorded() throws Exception {
        var sent = new CountDownLatch(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> starts.send(
                        run,
                        () -> {
                            throw new IllegalStateException("the task is over");
                        },
                        "unsent",
                        () -> {
                            sent.countDown();
                            return "sent";
                        }));
        assertThat(starts.ended(run, "failed")).contains("unsent");
        assertThat(sent.getCount()).isEqualTo(1);
    }

    @Test
    void a_start_that_fails_in_an_unknown_way_is_told_to_its_stop() throws Exception {
        assertThatIllegalStateException()
                .isThrownBy(() -> starts.send(run, () -> {}, "unsent", () -> {
                    throw new IllegalArgumentException("out of memory");
                }));
        assertThat(starts.ended(run, "failed")).contains("failed");
    }
}
