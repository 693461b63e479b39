// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The messages of one stream, on whatever connections. */
class MessageStreamTest {

    private static final Session SESSION = new Session("s", Principal.LOCAL, new Share("local"), null);
    private static final TaskId TASK = new TaskId("a".repeat(TaskId.LENGTH));
    private static final int ROOMY = 1 << 20;

    private final MessageStream stream = stream(ROOMY, false);
    private final RecordedStream connection = new RecordedStream();

    private static MessageStream stream(int keptBytes, boolean comesBack) {
        var start = EventId.start(Kind.SESSION, SESSION, "abcdefghijklmnopqrstuvwx", Mark.NONE, null);
        return new MessageStream(start, keptBytes, comesBack);
    }

    private static Json message(int number) {
        return Json.raw("{\"method\":\"m" + number + "\"}");
    }

    private static Mark mark(int seq) {
        return new Mark(Instant.ofEpochMilli(seq), TASK, seq);
    }

    private static List<String> messages(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(number -> message(number).toString())
                .toList();
    }

    private void enqueue(int from, int to) {
        IntStream.rangeClosed(from, to).forEach(number -> stream.enqueue(message(number), mark(number)));
    }

    private void carry(RecordedStream by, long from) {
        stream.attach(by, from);
        stream.flush();
    }

    /** A connection carries up to {@code sent}, and breaks with all up to {@code last} enqueued. */
    private void breakAfter(int sent, int last) {
        carry(connection, 0);
        enqueue(1, sent);
        stream.flush();
        connection.leavesAfter(0);
        enqueue(sent + 1, last);
        stream.flush();
    }

    /** What carries the stream to a client that comes back behind an event. */
    private RecordedStream carriedFrom(long seen) {
        var again = new RecordedStream();
        carry(again, seen);
        return again;
    }

    @Test
    void messages_are_sent_once_in_their_order_and_numbered_from_1() {
        enqueue(1, 2);
        carry(connection, 0);
        enqueue(3, 3);
        stream.flush();
        stream.flush();
        assertThat(connection.messages()).isEqualTo(messages(1, 3));
        assertThat(connection.numbers()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void what_primes_a_stream_is_the_first_thing_on_its_wire_and_says_no_more_than_was_sent() {
        var primed = stream(ROOMY, true);
        primed.enqueue(message(1), mark(1));
        primed.attach(connection, 0);
        primed.flush();
        assertThat(connection.messages()).containsExactly("", message(1).toString());
        assertThat(connection.numbers()).containsExactly(0L, 1L);
        var again = new RecordedStream();
        primed.detach(connection);
        primed.enqueue(message(2), mark(2));
        primed.attach(again, 1);
        primed.flush();
        assertThat(again.messages()).containsExactly("", message(2).toString());
        assertThat(again.numbers()).containsExactly(1L, 2L);
    }

    @Test
    void a_client_that_comes_back_is_sent_what_came_after_its_event_and_nothing_else() {
        breakAfter(3, 5);
        var again = carriedFrom(2);
        assertThat(again.messages()).isEqualTo(messages(3, 5));
        assertThat(again.numbers()).containsExactly(3L, 4L, 5L);
    }

    @Test
    void a_message_whose_connection_broke_is_sent_on_the_next_one() {
        carry(connection.leavesAfter(1), 0);
        enqueue(1, 3);
        stream.flush();
        assertThat(connection.messages()).isEqualTo(messages(1, 1));
        assertThat(stream.isOpen()).isFalse();
        var again = carriedFrom(1);
        assertThat(again.messages()).isEqualTo(messages(2, 3));
    }

    @Test
    void what_was_taken_for_another_stream_leaves_a_gap_that_hides_nothing_of_what_is_kept() {
        breakAfter(5, 8);
        assertThat(stream.takeUnsent())
                .extracting(unsent -> unsent.message().toString())
                .isEqualTo(messages(6, 8));
        enqueue(9, 10);
        for (int seen = 0; seen <= 10; seen++) {
            assertThat(stream.covers(seen)).as("covers %d", seen).isTrue();
        }
        assertThat(stream.covers(11)).isFalse();
        var again = carriedFrom(1);
        assertThat(again.numbers()).containsExactly(2L, 3L, 4L, 5L, 9L, 10L);
    }

    @Test
    void questions_and_what_is_repeated_stay_where_another_stream_takes_the_rest() {
        carry(connection.leavesAfter(0), 0);
        stream.enqueue(List.of(new Unsent(message(1), mark(1), false)));
        stream.enqueue(List.of(new Unsent(message(2), mark(2), true)));
        stream.ask(message(3), mark(3));
        stream.flush();
        assertThat(stream.takeUnsent()).containsExactly(new Unsent(message(2), mark(2), true));
        assertThat(stream.takeUnsent()).isEmpty();
        var again = carriedFrom(0);
        assertThat(again.numbers()).containsExactly(1L, 3L);
    }

    @Test
    void a_message_that_was_being_written_when_its_connection_was_closed_is_unsent() {
        carry(connection, 0);
        connection.leavesAfter(0);
        connection.onGone(() -> stream.detach(connection));
        enqueue(1, 2);
        stream.flush();
        assertThat(stream.isOpen()).isFalse();
        assertThat(stream.takeUnsent()).extracting(Unsent::message).containsExactly(message(1), message(2));
    }

    @Test
    void a_message_that_was_being_written_when_later_ones_were_taken_stays_for_its_client() {
        carry(connection, 0);
        connection.leavesAfter(0);
        connection.onGone(() ->
                assertThat(stream.takeUnsent()).extracting(Unsent::message).containsExactly(message(2)));
        enqueue(1, 2);
        stream.flush();
        assertThat(stream.takeUnsent()).isEmpty();
        var again = carriedFrom(0);
        assertThat(again.messages()).isEqualTo(messages(1, 1));
    }

    @Test
    void the_only_message_of_a_connection_that_broke_goes_on_another_stream() {
        breakAfter(0, 1);
        assertThat(stream.takeUnsent()).extracting(Unsent::message).containsExactly(message(1));
    }

    @Test
    void what_was_taken_for_another_stream_leaves_room_for_what_is_kept() {
        var small = stream(3 * message(1).size(), false);
        small.attach(connection, 0);
        IntStream.rangeClosed(1, 3).forEach(number -> small.enqueue(message(number), mark(number)));
        assertThat(small.takeUnsent()).hasSize(3);
        IntStream.rangeClosed(4, 6).forEach(number -> small.enqueue(message(number), mark(number)));
        small.flush();
        assertThat(small.covers(3)).isTrue();
    }

    @Test
    void what_another_stream_did_not_carry_is_not_sent_twice_where_it_is_repeated() {
        stream.enqueue(List.of(new Unsent(message(1), mark(1), false)));
        stream.enqueue(List.of(new Unsent(Json.raw("{\"method\":\"m1\",\"of\":\"a later state\"}"), mark(1), true)));
        stream.enqueue(List.of(new Unsent(message(1), mark(2), true)));
        stream.enqueue(List.of(new Unsent(message(2), mark(2), true)));
        carry(connection, 0);
        assertThat(connection.messages())
                .containsExactly(
                        message(1).toString(), message(1).toString(), message(2).toString());
    }

    @Test
    void the_last_hundred_messages_are_kept() {
        carry(connection, 0);
        enqueue(1, ReplayBuffer.KEPT + 5);
        stream.flush();
        assertThat(stream.covers(4)).isFalse();
        assertThat(stream.covers(5)).isTrue();
        var again = carriedFrom(5);
        assertThat(again.messages()).isEqualTo(messages(6, ReplayBuffer.KEPT + 5));
    }

    @Test
    void no_more_bytes_are_kept_than_allowed() {
        var small = stream(3 * message(1).size(), false);
        small.attach(connection, 0);
        IntStream.rangeClosed(1, 5).forEach(number -> small.enqueue(message(number), mark(number)));
        small.flush();
        assertThat(small.covers(1)).isFalse();
        assertThat(small.covers(2)).isTrue();
    }

    @Test
    void all_that_is_enqueued_before_the_first_connection_is_sent() {
        enqueue(1, 2 * ReplayBuffer.KEPT);
        carry(connection, 0);
        assertThat(connection.messages()).isEqualTo(messages(1, 2 * ReplayBuffer.KEPT));
    }

    @Test
    void a_client_that_does_not_read_has_256_messages_wait_for_it_and_no_more() {
        stream.attach(connection, 0);
        var woken = new AtomicInteger();
        enqueue(1, 255);
        assertThat(stream.hasRoom()).isTrue();
        enqueue(256, 256);
        assertThat(stream.hasRoom()).isFalse();
        stream.whenRoom(woken::incrementAndGet);
        assertThat(woken).hasValue(0);
        stream.flush();
        assertThat(woken).hasValue(1);
        assertThat(stream.hasRoom()).isTrue();
    }

    @Test
    void a_gap_takes_no_room() {
        breakAfter(0, 90);
        assertThat(stream.takeUnsent()).hasSize(90);
        carry(new RecordedStream(), 0);
        IntStream.rangeClosed(1, 200).forEach(number -> stream.enqueue(message(number), mark(number)));
        assertThat(stream.hasRoom()).isTrue();
    }

    @Test
    void who_waits_for_room_goes_on_when_the_client_leaves() {
        stream.attach(connection, 0);
        var woken = new AtomicInteger();
        enqueue(1, 256);
        stream.whenRoom(woken::incrementAndGet);
        stream.detach(connection);
        assertThat(woken).hasValue(1);
        stream.whenRoom(woken::incrementAndGet);
        assertThat(woken).hasValue(2);
    }

    @Test
    void a_message_that_is_taken_back_is_not_sent_and_its_number_is_not_used_again() {
        enqueue(1, 3);
        stream.retract(message(2));
        carry(connection, 0);
        enqueue(4, 4);
        stream.flush();
        assertThat(connection.numbers()).containsExactly(1L, 3L, 4L);
    }

    @Test
    void a_message_that_is_taken_back_takes_no_room_from_the_messages_that_are_kept() {
        var small = stream(3 * message(1).size(), false);
        small.attach(connection, 0);
        small.enqueue(message(1), mark(1));
        small.enqueue(message(2), mark(2));
        small.flush();
        small.retract(message(1));
        small.enqueue(message(3), mark(3));
        small.enqueue(message(4), mark(4));
        small.flush();
        small.detach(connection);
        var again = new RecordedStream();
        small.attach(again, 1);
        small.flush();
        assertThat(again.messages()).isEqualTo(messages(2, 4));
    }

    @Test
    void the_same_announcement_waits_once() {
        stream.enqueueOnce(message(1));
        stream.enqueueOnce(message(1));
        carry(connection, 0);
        stream.enqueueOnce(message(1));
        stream.flush();
        assertThat(connection.messages()).hasSize(2);
    }

    @Test
    void nothing_follows_the_end() {
        carry(connection, 0);
        enqueue(1, 1);
        stream.end(message(2));
        enqueue(3, 3);
        stream.flush();
        assertThat(connection.messages()).isEqualTo(messages(1, 2));
        assertThat(stream.isOver(1)).isFalse();
        assertThat(stream.isOver(2)).isTrue();
    }

    @Test
    void a_new_connection_takes_the_place_of_the_one_before() {
        carry(connection, 0);
        assertThat(stream.attach(new RecordedStream(), 0)).isSameAs(connection);
        stream.detach(connection);
        assertThat(stream.isOpen()).isTrue();
    }
}
