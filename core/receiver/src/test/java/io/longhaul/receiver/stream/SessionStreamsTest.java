// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which streams a session has, and what goes from one to another. */
class SessionStreamsTest {

    private static final TaskId TASK = new TaskId("a".repeat(TaskId.LENGTH));

    private final Session session = new Session("s", Principal.LOCAL, new Share("local"), null);
    private final SessionStreams streams = SessionStreams.of(session);
    private int names;

    private MessageStream stream(Kind kind) {
        String random = String.format("%024d", names++);
        return new MessageStream(
                EventId.start(kind, session, random, Mark.NONE, null), SessionStreams.SESSION_BYTES, false);
    }

    private static Unsent message(int at) {
        return new Unsent(Json.raw("{\"method\":\"m" + at + "\"}"), new Mark(Instant.ofEpochMilli(at), TASK, at), true);
    }

    private static String text(int at) {
        return message(at).message().toString();
    }

    private RecordedStream open(MessageStream stream, Unsent... first) {
        var connection = new RecordedStream();
        streams.open(stream, connection, 0, List.of(first));
        return connection;
    }

    @Test
    void what_a_broken_stream_did_not_carry_goes_on_the_next_one_in_the_order_of_time() {
        var broken = stream(Kind.SESSION);
        var connection = open(broken);
        broken.enqueue(List.of(message(1)));
        broken.enqueue(List.of(message(3)));
        streams.closed(broken, connection);
        var next = stream(Kind.SESSION);
        var second = open(next, message(2), message(4));
        next.flush();
        assertThat(second.messages()).containsExactly(text(1), text(2), text(3), text(4));
    }

    @Test
    void what_a_stream_did_not_carry_goes_at_once_on_another_one_that_is_open() {
        var older = stream(Kind.SESSION);
        var living = open(older);
        var newer = stream(Kind.SESSION);
        var connection = open(newer);
        newer.enqueue(List.of(message(1)));
        streams.closed(newer, connection);
        older.flush();
        assertThat(living.messages()).containsExactly(text(1));
        assertThat(streams.current()).isSameAs(older);
    }

    @Test
    void nothing_overtakes_what_a_stream_had_still_to_carry_when_its_connection_was_found_to_be_gone() {
        var older = stream(Kind.SESSION);
        var living = open(older);
        var newer = stream(Kind.SESSION);
        var connection = open(newer);
        newer.enqueue(List.of(message(1)));
        newer.detach(connection);
        streams.current().enqueue(List.of(message(2)));
        streams.closed(newer, connection);
        older.flush();
        assertThat(living.messages()).containsExactly(text(1), text(2));
    }

    @Test
    void a_stream_that_is_opened_carries_what_an_earlier_one_has_not_written_to_its_slow_client() {
        var slow = stream(Kind.SESSION);
        open(slow);
        slow.enqueue(List.of(message(1)));
        var next = stream(Kind.SESSION);
        var connection = open(next);
        next.enqueue(List.of(message(2)));
        next.flush();
        assertThat(connection.messages()).containsExactly(text(1), text(2));
        assertThat(slow.takeUnsent()).isEmpty();
    }

    @Test
    void what_a_stream_had_still_to_carry_stays_there_for_a_client_that_is_coming_back_to_it() {
        open(stream(Kind.SESSION));
        var newer = stream(Kind.SESSION);
        var connection = open(newer);
        newer.enqueue(List.of(message(1)));
        newer.detach(connection);
        newer.resuming(true);
        assertThat(streams.current()).isSameAs(newer);
        assertCarriesFirst(newer);
    }

    /** A client that opens the stream reads the first message on it. */
    private void assertCarriesFirst(MessageStream stream) {
        var connection = open(stream);
        stream.flush();
        assertThat(connection.messages()).containsExactly(text(1));
    }

    @Test
    void the_stream_that_was_opened_last_and_is_carried_is_the_current_one() {
        var first = stream(Kind.SESSION);
        open(first);
        var second = stream(Kind.SESSION);
        var connection = open(second);
        assertThat(streams.current()).isSameAs(second);
        second.detach(connection);
        assertThat(streams.current()).isSameAs(first);
    }

    @Test
    void the_fifth_stream_ends_the_connection_of_the_oldest() {
        var oldest = open(stream(Kind.SESSION));
        for (int more = 0; more < 3; more++) {
            open(stream(Kind.SESSION));
        }
        assertThat(oldest.isClosed()).isFalse();
        open(stream(Kind.SESSION));
        assertThat(oldest.isClosed()).isTrue();
    }

    @Test
    void a_stream_that_is_carried_anew_closes_the_connection_before() {
        var stream = stream(Kind.SESSION);
        var before = open(stream);
        open(stream);
        assertThat(before.isClosed()).isTrue();
        assertThat(streams.current()).isSameAs(stream);
    }

    @Test
    void eight_streams_are_remembered_for_clients_that_come_back() {
        var first = stream(Kind.SESSION);
        var second = stream(Kind.SESSION);
        streams.remember(first);
        streams.remember(second);
        for (int more = 0; more < 7; more++) {
            streams.remember(stream(Kind.SESSION));
        }
        assertThat(streams.remembered(first.name())).isEmpty();
        assertThat(streams.remembered(second.name())).isPresent();
    }

    @Test
    void an_announcement_waits_for_a_client_that_may_come_back_and_for_no_other() {
        assertThat(streams.announce(message(1).message())).isFalse();
        var stream = stream(Kind.SESSION);
        streams.closed(stream, open(stream));
        assertThat(streams.announce(message(1).message())).isTrue();
        assertCarriesFirst(stream);
    }

    @Test
    void the_stream_of_a_call_is_replaced_by_a_later_one_and_ends() {
        var first = stream(Kind.CALL);
        var connection = new RecordedStream();
        streams.open(TASK, first, connection);
        assertThat(streams.ofCall(TASK)).isSameAs(first);
        var second = stream(Kind.CALL);
        assertThat(streams.open(TASK, second, new RecordedStream())).containsSame(connection);
        assertThat(streams.ofCall(TASK)).isSameAs(second);
        assertThat(first.isOver(0)).isTrue();
    }

    @Test
    void a_session_that_has_ended_opens_no_stream_and_tells_when_to_resume_those_it_has() {
        var stream = stream(Kind.SESSION);
        var connection = open(stream);
        session.close();
        assertThat(stream.isOver(0)).isTrue();
        stream.flush();
        assertThat(connection.retries()).containsExactly(Reply.RESUME_AFTER);
        var late = stream(Kind.SESSION);
        var lateConnection = open(late);
        late.flush();
        assertThat(late.isOver(0)).isTrue();
        assertThat(lateConnection.retries()).containsExactly(Reply.RESUME_AFTER);
        assertThat(streams.current()).isNull();
    }

    @Test
    void a_session_that_has_ended_opens_no_stream_of_a_call() {
        session.close();
        var stream = stream(Kind.CALL);
        var connection = new RecordedStream();
        assertThat(streams.open(TASK, stream, connection)).isEmpty();
        stream.flush();
        assertThat(stream.isOver(0)).isTrue();
        assertThat(connection.retries()).containsExactly(Reply.RESUME_AFTER);
        assertThat(streams.ofCall(TASK)).isNull();
    }

    @Test
    void four_quick_calls_are_kept_after_their_end() {
        var first = stream(Kind.QUICK);
        for (int call = 0; call < 5; call++) {
            var stream = call == 0 ? first : stream(Kind.QUICK);
            streams.begin(stream);
            streams.end(stream, true);
        }
        var id = EventId.start(Kind.QUICK, session, String.format("%024d", 0), Mark.NONE, null);
        assertThat(streams.quick(id)).isEmpty();
        var last = EventId.start(Kind.QUICK, session, String.format("%024d", names - 1), Mark.NONE, null);
        assertThat(streams.quick(last)).isPresent();
    }
}
