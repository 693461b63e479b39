// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.FakeTime;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.testkit.talk.RawHttp;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a whole server of MCP does in a servlet container, which notices only by a write that a client has left. */
abstract class ContainerContract extends ServerContract {

    /** By default a container notices with the second comment, 30 s after the call: hosts give up after that, too. */
    @ParameterizedTest
    @ValueSource(ints = {15, 30})
    void a_silent_call_whose_client_leaves_is_cancelled_whenever_that_is_noticed(int seconds) throws Exception {
        var time = new FakeTime();
        serveTools(server -> server.time(time));
        try (var client = new RawHttp(site().url())) {
            client.send(
                    "POST",
                    JSON + CALL + "Mcp-Name: silent\r\n",
                    message(
                            1,
                            "tools/call",
                            "\"name\":\"silent\",\"arguments\":{}," + META.replace(",\"progressToken\":1", "")));
            assertThat(client.response().headers()).containsEntry("content-type", "text/event-stream");
            time.awaitAlarmIn(PlainHosts.DEFAULT.hold());
            time.advance(Duration.ofSeconds(seconds));
        }
        Blocking.await(interrupted);
    }
}
