// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.HandOverParts;
import io.longhaul.server.Served;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Which results count as received, so that the same call again is a new run. */
class HandOverReceivedTest extends HandOverParts {

    @AutoClose
    private final Served served = serve(work());

    /** An answer is the result of a run of its own, rather than that of an earlier call. */
    private static void assertOwn(JsonNode result) {
        assertThat(text(result)).isEqualTo("done for Ada");
        assertThat(result.path("content")).hasSize(1);
    }

    private void assertRunsAgain(Served.Handshake client) {
        assertOwn(client.ask("tools/call", WORK).path("result"));
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void the_same_call_that_waits_whether_the_first_is_given_up_runs_when_the_first_gets_its_result(String version)
            throws Exception {
        var client = served.handshake(version, PLAIN);
        var first = client.send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        var again = client.send("tools/call", WORK);
        time.awaitAlarmIn(Duration.ofMillis(500));
        mayEnd.release(2);
        assertOwn(result(first));
        assertOwn(result(again));
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
    void a_result_that_was_read_on_a_resumed_stream_was_received(String version) throws Exception {
        var client = served.handshake(version, PLAIN);
        var broken = client.send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":1}"));
        String last = broken.nextMessageEvent().id();
        broken.leave();
        var resumed = client.resume(last);
        mayEnd.release(2);
        assertOwn(result(resumed));
        assertRunsAgain(client);
    }

    @Test
    void a_resumed_stream_that_broke_again_had_not_brought_the_result() throws Exception {
        var client = served.handshake("2025-11-25", PLAIN);
        var broken = client.send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":1}"));
        String last = broken.nextMessageEvent().id();
        broken.leave();
        var resumed = client.resume(last);
        assertThat(resumed.isStream()).isTrue();
        resumed.leave();
        mayEnd.release();
        var joined = client.ask("tools/call", WORK).path("result");
        assertThat(joined.at("/content/1/text").asString()).contains("had not reached you");
        assertThat(runs).hasValue(1);
    }

    @Test
    void the_same_call_beside_one_that_has_joined_is_one_of_its_own() throws Exception {
        callAfter(Duration.ZERO).leave();
        MemoryReply joined = callAfter(Duration.ofSeconds(1));
        MemoryReply other = callAfter(Duration.ofSeconds(2));
        mayEnd.release(2);
        assertOwn(result(other));
        assertThat(result(joined).at("/content/1/text").asString()).contains("had not reached you");
        assertThat(runs).hasValue(2);
    }

    /** The same call in a session of its own, some time later. */
    private MemoryReply callAfter(Duration some) throws Exception {
        time.advance(some);
        var reply = served.handshake("2025-06-18", PLAIN).send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        assertThat(reply.isStream()).isTrue();
        return reply;
    }
}
