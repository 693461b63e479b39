// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.client.McpClient;
import io.longhaul.client.ServerUnreachableException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CallRunnerTest {

    @Test
    void an_attempt_to_reach_a_server_that_takes_the_whole_wait_is_the_last_one() {
        var user = TestTerminal.silent();
        var nanos = new AtomicLong();
        var runner = new CallRunner(user.terminal(), Arguments.parse(List.of(), List.of()), interrupt -> {})
                .waiting(Duration.ofMinutes(10))
                .clock(() -> nanos.getAndAdd(Duration.ofMinutes(11).toNanos()));
        var nobody = McpClient.to(URI.create("http://127.0.0.1:1/mcp"));
        assertThatThrownBy(() -> runner.run(nobody, client -> client.call("report", List.of())))
                .isInstanceOf(ServerUnreachableException.class);
        assertThat(user.err()).doesNotContain("waiting for it");
    }
}
