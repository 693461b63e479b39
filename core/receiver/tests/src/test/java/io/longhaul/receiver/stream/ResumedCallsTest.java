// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of quick calls whose connection breaks. */
class ResumedCallsTest {

    private static final String CALL = Served.and(Served.call("counts", "{}"), "\"_meta\":{\"progressToken\":\"p\"}");

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Tool counts = Tool.define("counts").handler((none, task) -> {
        task.progress(1, "one");
        gate.await();
        task.progress(2, "two");
        return "done";
    });
    private final Tool asks = Tool.define("asks").handler((none, task) -> {
        task.progress(1, "one");
        gate.await();
        return task.elicit("Who?", Tools.Name.class).content().name();
    });
    private final Served served = Served.with(counts, asks);

    @AfterEach
    void close() {
        gate.countDown();
        served.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
    void a_client_comes_back_for_what_it_has_not_seen(String version) {
        var client = served.handshake(version);
        var reply = client.send("tools/call", CALL);
        String last = lastIdAfterFirstMessage(reply);
        reply.leave();
        gate.countDown();
        var resumed = client.resume(last).messages();
        assertThat(resumed).hasSize(2);
        assertThat(resumed.getFirst()).contains("\"progress\":2");
        assertThat(text(Served.json(resumed.getLast()).path("result"))).isEqualTo("done");
        assertThat(client.resume(last).messages()).isEqualTo(resumed);
    }

    @Test
    void a_stream_that_has_ended_with_its_response_is_not_resumed_after_that() {
        gate.countDown();
        var client = served.handshake("2025-11-25");
        var reply = client.send("tools/call", CALL);
        var last = new ArrayList<MemoryReply.Event>();
        for (var event = reply.next(); event.isPresent(); event = reply.next()) {
            last.add(event.get());
        }
        assertThat(last.getLast().data()).contains("\"result\"");
        assertThat(client.resume(last.getLast().id()).status()).isEqualTo(405);
    }

    @Test
    void a_call_goes_on_over_the_stream_that_its_client_came_back_to() {
        var client = served.handshake("2025-11-25");
        var reply = client.send("tools/call", CALL);
        String last = lastIdAfterFirstMessage(reply);
        reply.leave();
        var resumed = client.resume(last);
        assertThat(resumed.next().orElseThrow().data()).isEmpty();
        gate.countDown();
        assertThat(Served.resultText(resumed)).isEqualTo("done");
    }

    @Test
    void a_question_waits_for_a_client_that_comes_back() {
        var client = served.handshake("2025-11-25");
        var reply = client.send("tools/call", CALL.replace("counts", "asks"));
        String last = lastIdAfterFirstMessage(reply);
        reply.leave();
        gate.countDown();
        var resumed = client.resume(last);
        var question = Served.json(resumed.nextMessage());
        client.answer(question, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");
        assertThat(Served.resultText(resumed)).isEqualTo("Ada");
    }

    @Test
    void a_stream_is_resumed_by_its_own_session_alone() {
        var reply = served.handshake("2025-11-25").send("tools/call", CALL);
        String last = lastIdAfterFirstMessage(reply);
        reply.leave();
        assertThat(served.handshake("2025-11-25").resume(last).status()).isEqualTo(400);
        assertThat(served.handshake("2025-11-25", Served.BOB).resume(last).status())
                .isEqualTo(400);
    }

    @Test
    void the_streams_of_calls_that_ended_long_ago_are_not_kept() {
        gate.countDown();
        var client = served.handshake("2025-11-25");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            var reply = client.send("tools/call", CALL);
            ids.add(lastIdAfterFirstMessage(reply));
            reply.messages();
        }
        assertThat(client.resume(ids.getFirst()).status()).isEqualTo(405);
        assertThat(client.resume(ids.getLast()).messages()).hasSize(2);
    }

    @Test
    void a_call_that_is_answered_at_once_needs_no_stream() {
        served.server().addTool(Tool.define("quick").handler((none, task) -> "hi"));
        var reply = served.handshake("2025-11-25").send("tools/call", Served.call("quick", "{}"));
        assertThat(reply.isStream()).isFalse();
    }

    private static String lastIdAfterFirstMessage(MemoryReply reply) {
        for (var event = reply.next(); event.isPresent(); event = reply.next()) {
            if (!event.get().data().isEmpty()) {
                return String.valueOf(event.get().id());
            }
        }
        throw new AssertionError("the stream has ended");
    }
}
