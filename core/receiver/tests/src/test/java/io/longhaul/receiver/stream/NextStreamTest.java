// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest;
import io.longhaul.server.Served;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a client was not told for want of a stream is told on its next one. */
class NextStreamTest extends StreamParts {

    @AutoClose
    private final Served served = served(walks());

    @Test
    void a_cancellation_is_told_on_the_next_stream_where_none_was_open() {
        var client = served.handshake("2025-06-18");
        var accepted = ToolsAsyncTest.call(client, "walks");
        client.post(Served.notification("tools/async/cancel", "{\"token\":" + accepted.path("token") + "}"))
                .status();
        assertThat(client.get().nextMessage()).contains("notifications/cancelled");
    }

    @Test
    void the_end_of_a_task_is_told_once_on_the_next_stream_where_none_was_open() {
        var client = served.handshake("2025-11-25");
        client.get().leave();
        String task = start(client, "walks");
        steps.release(3);
        client.await(task, "completed");
        var next = client.get();
        next.nextContaining("\"completed\"");
        next.leave();
        var last = client.get();
        client.delete().status();
        assertThat(last.messages()).isEmpty();
    }

    @Test
    void what_a_broken_stream_of_a_request_did_not_carry_goes_on_the_get_stream() throws Exception {
        var client = served.handshake("2025-11-25");
        var side = client.get();
        String task = start(client, "walks");
        var waits = openResult(client, task);
        steps.release();
        waits.nextContaining("step 1");
        waits.leave();
        steps.release(2);
        client.await(task, "completed");
        side.nextContaining("step 2");
        side.nextContaining("step 3");
        side.nextContaining("\"completed\"");
    }
}
