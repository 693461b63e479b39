// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.reply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.transport.client.StreamEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseReaderTest {

    private static List<StreamEvent> read(InputStream in) throws IOException {
        var reader = new SseReader(in, 100);
        var events = new ArrayList<StreamEvent>();
        for (var event = reader.next(); event.isPresent(); event = reader.next()) {
            events.add(event.get());
        }
        return events;
    }

    private static List<StreamEvent> read(String text) throws IOException {
        return read(new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    private static List<String> data(List<StreamEvent> events) {
        return events.stream().map(event -> new String(event.data(), UTF_8)).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void lines_end_in_three_ways_even_when_bytes_come_one_by_one(String end) throws IOException {
        var text = "\uFEFFid: 7\ndata:{\"a\":\ndata: 1}\n\n: comment\n\ndata: ü\n\n".replace("\n", end);
        var oneByOne = new ByteArrayInputStream(text.getBytes(UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(1, length));
            }
        };

        var events = read(oneByOne);

        assertThat(data(events)).containsExactly("{\"a\":\n1}", "ü");
        assertThat(events.getFirst().id()).isEqualTo("7");
        assertThat(events.getLast().id()).isNull();
    }

    @Test
    void an_event_without_data_still_tells_its_id_and_when_to_come_back() throws IOException {
        var events = read("id: e0\nretry: 1500\ndata:\n\nretry: soon\n\nretry: 99999999999\n\nid: a\0b\n\n");

        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.id()).isEqualTo("e0");
            assertThat(event.retry()).isEqualTo(Duration.ofMillis(1500));
            assertThat(event.data()).isEmpty();
        });
    }

    @Test
    void only_messages_carry_data_and_unknown_fields_are_ignored() throws IOException {
        assertThat(data(read(
                        "event: message\ndata: 1\n\nevent: ping\ndata: 2\nid: 9\n\nother: x\ndata\n\ndata: 3\n\n")))
                .containsExactly("1", "", "", "3");
    }

    @Test
    void an_event_that_the_end_cuts_off_does_not_count() throws IOException {
        assertThat(data(read("data: 1\n\ndata: 2\n"))).containsExactly("1");
    }

    @Test
    void an_event_over_the_limit_is_refused_however_it_is_cut_into_lines() throws IOException {
        assertThat(data(read("data: " + "x".repeat(100) + "\n\n"))).hasSize(1);
        for (var text : List.of(
                "data: " + "x".repeat(101) + "\n\n", "data: 1234567\n".repeat(20) + "\n", "y".repeat(1_000_000))) {
            assertThatThrownBy(() -> read(text)).isInstanceOf(SseReader.TooLargeException.class);
        }
    }

    @Test
    void an_event_is_given_as_soon_as_it_is_whole_with_no_byte_read_further() throws IOException {
        var endless = new InputStream() {
            private final byte[] event = "data: 1\n\n".getBytes(UTF_8);
            private int position;

            @Override
            public int read() {
                throw new AssertionError();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                if (position == event.length) {
                    throw new AssertionError("Read beyond the event");
                }
                bytes[offset] = event[position++];
                return 1;
            }
        };
        assertThat(new SseReader(endless, 100).next()).isPresent();
    }
}
