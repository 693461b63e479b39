// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.Served;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ids of events, and what a client gets that comes back with one. */
class ResumptionTest extends StreamParts {

    @AutoClose
    private final Served served = served(walks());

    private final Served.Handshake client = served.handshake("2025-11-25");

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
    void a_resumption_sends_what_came_after_the_id_and_nothing_else(String version) {
        var client = served.handshake(version);
        var reply = walk(client);
        steps.release(3);
        var read = events(reply);
        for (int seen = 0; seen < read.size() - 1; seen++) {
            var resumed = client.resume(read.get(seen).id());
            assertThat(resumed.messages())
                    .isEqualTo(read.subList(seen + 1, read.size()).stream()
                            .map(MemoryReply.Event::data)
                            .toList());
        }
        var over = client.resume(read.getLast().id());
        assertThat(over.status()).isEqualTo(405);
    }

    @Test
    void no_event_id_of_a_session_is_used_twice_also_where_streams_are_resumed() {
        var ids = new ArrayList<String>();
        var reply = walk(client);
        steps.release();
        var first = reply.nextContaining("step 1");
        ids.add(first.id());
        reply.leave();
        steps.release(2);
        events(client.resume(first.id())).forEach(event -> ids.add(event.id()));
        events(client.resume(first.id())).forEach(event -> ids.add(event.id()));
        assertThat(ids).hasSizeGreaterThan(5).doesNotHaveDuplicates();
    }

    @Test
    void a_cancelled_call_gets_no_response_when_its_stream_is_resumed() {
        var reply = walk(client);
        steps.release();
        String last = reply.nextContaining("step 1").id();
        client.post(Served.cancelled(1)).status();
        assertThat(reply.messages()).noneMatch(message -> message.contains("\"result\""));
        assertThat(client.resume(last).status()).isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "s.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.1.1..0.", "side.x.1.2..3"})
    void no_id_of_an_event_is_answered_with_404_which_would_end_the_session(String id) {
        assertThat(client.resume(id).status()).isNotEqualTo(404);
        assertThat(client.ask("ping", "{}").has("result")).isTrue();
    }

    private static MemoryReply walk(Served.Handshake client) {
        return client.send("tools/call", Served.and(Served.call("walks", "{}"), "\"_meta\":{\"progressToken\":\"p\"}"));
    }

    /** All events with a message, up to the end of the stream. */
    private static List<MemoryReply.Event> events(MemoryReply stream) {
        List<MemoryReply.Event> all = new ArrayList<>();
        for (var event = stream.next(); event.isPresent(); event = stream.next()) {
            if (!event.get().data().isEmpty()) {
                all.add(event.get());
            }
        }
        return all;
    }
}
