// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.created;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.Timeouts;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cancellation that the server may not have got is sent again. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class RepeatedCancelTest {

    private final TestTime time = new TestTime();

    /** How a call ends that is cancelled, and whose task shows its end after so many cancellations. */
    private CallOutcome cancelled(Transcript script, int times) throws InterruptedException {
        var soonLost = Timeouts.DEFAULT.withTrouble(Duration.ZERO);
        try (var client = Scripts.over(script, time).timeouts(soonLost).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            call.reference();
            call.cancel();
            script.await(JsonTree.read(Json.raw("{\"method\":\"tasks/cancel\"}")), times);
            script.go();
            return call.await();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<! -32603 Busy", "<! -32602 Unknown", "<0", "<x", "<= 500", "<= 503"})
    void a_cancellation_that_met_a_passing_trouble_is_sent_again_until_the_server_takes_it(String trouble)
            throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n<- " + created(),
                "-> tasks/cancel\n" + trouble,
                "-> tasks/cancel\n" + trouble,
                "-> tasks/cancel\n<- {\"resultType\":\"complete\"}",
                "->* tasks/get\n.. {\"go\":true}\n<- " + task("cancelled", ""));
        assertThat(cancelled(script, 3)).isInstanceOf(CallOutcome.Cancelled.class);
    }

    @Test
    void a_cancellation_is_sent_no_more_when_the_call_has_ended() throws Exception {
        var done = ",\"result\":{\"content\":[],\"isError\":false}";
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n<- " + created(),
                "->* tasks/cancel\n<! -32603 Broken",
                "->* tasks/get\n.. {\"go\":true}\n<- " + task("completed", done));
        assertThat(cancelled(script, 2)).isInstanceOf(CallOutcome.ToolResult.class);
    }
}
