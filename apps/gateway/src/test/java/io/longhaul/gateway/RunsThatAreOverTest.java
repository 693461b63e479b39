// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.task.Payload;
import io.longhaul.fakes.Blocking;
import io.longhaul.gateway.call.LongTool;
import io.longhaul.gateway.link.Link;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that has lost its task before its call went out makes no call. */
@Timeout(120)
class RunsThatAreOverTest {

    private ForeignServer foreign;
    private Link link;
    private LongTool tool;

    @BeforeEach
    void start() throws Exception {
        foreign = new ForeignServer();
        foreign.open();
        var upstream = Upstream.at("bank", foreign.address()).longTools("pay");
        link = new Link(upstream.server, listing -> {});
        link.start();
        link.awaitLook(Duration.ofMinutes(1));
        tool = new LongTool(Map.of("bank", link), upstream.server, "pay", false, new ConcurrentHashMap<>());
    }

    @AfterEach
    void stop() throws Exception {
        link.close();
        foreign.close();
    }

    private static class Over extends GatewayRun {
        private final boolean isStopping;
        private final boolean isStale;

        Over(boolean isStopping, boolean isStale) {
            this.isStopping = isStopping;
            this.isStale = isStale;
        }

        @Override
        public boolean isStopping() {
            return isStopping;
        }

        @Override
        public void saveHandle(Payload handle) {
            if (isStale) {
                throw new StaleRunException("another node has the task");
            }
        }
    }

    /** Waits until the tool follows no call. */
    private void awaitNoCall() {
        while (!tool.attempts().isEmpty() && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_run_that_was_stopped_before_it_began_makes_no_call() {
        assertThatThrownBy(() -> tool.run(new Over(true, false))).isInstanceOf(InterruptedException.class);
        awaitNoCall();
        assertThat(foreign.calls()).isZero();
    }

    @Test
    void a_run_whose_task_another_node_has_taken_makes_no_call() throws Exception {
        tool.run(new Over(false, true));
        awaitNoCall();
        assertThat(foreign.calls()).isZero();
    }

    @Test
    void a_call_that_has_not_gone_out_when_its_run_leaves_is_not_made_without_its_handle() {
        var left = new CountDownLatch(1);
        var over = new Over(false, true) {
            @Override
            public void saveHandle(Payload handle) {
                Blocking.await(left);
                super.saveHandle(handle);
            }
        };
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> tool.run(over)).isInstanceOf(InterruptedException.class);
        left.countDown();
        awaitNoCall();
        assertThat(foreign.calls()).isZero();
    }
}
