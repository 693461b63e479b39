// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import static io.longhaul.receiver.ReceiverParts.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.SamplingExtras;
import io.longhaul.protocol.call.ClientProfile.Takes;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.feature.ListMarks;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.session.Session.Facts;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The space in which the request ids of one client live. */
class SessionTest {

    private static final RequestId ONE = new RequestId.Number(1);
    private static final RequestId TWO = new RequestId.Number(2);
    private static final Facts FACTS = new Facts("next", Capabilities.NONE, null, Set.of());

    private final Session session = ReceiverParts.session("s", ANN);

    @Test
    void an_id_is_free_again_when_its_request_has_ended() {
        var call = session.begin(ONE, false).orElseThrow();
        assertThat(session.begin(ONE, false)).isEmpty();
        assertThat(session.begin(TWO, false)).isPresent();
        session.end(call);
        assertThat(session.begin(ONE, false)).isPresent();
    }

    @Test
    void a_request_has_ended_when_it_is_given_up_or_about_to_be_answered() {
        var answered = session.begin(ONE, false).orElseThrow();
        assertThat(answered.ended()).isNotDone();
        session.end(answered);
        assertThat(answered.ended()).isDone();
        var givenUp = session.begin(TWO, false).orElseThrow();
        givenUp.leave(Left.TIMED_OUT);
        assertThat(givenUp.ended()).isDone();
    }

    @Test
    void over_http_a_cancellation_may_come_before_its_request() {
        assertThat(session.cancel(ONE, null)).isEmpty();
        assertThat(session.begin(ONE, false).orElseThrow().isCancelled()).isTrue();
    }

    @Test
    void a_cancellation_of_a_request_that_was_given_up_does_not_reach_the_next_one_of_its_id() {
        var givenUp = session.begin(ONE, false).orElseThrow();
        givenUp.leave(Left.TIMED_OUT);
        session.end(givenUp);
        assertThat(session.cancel(ONE, null)).isEmpty();
        assertThat(session.begin(ONE, false).orElseThrow().isCancelled()).isFalse();
    }

    @Test
    void on_a_connection_messages_keep_their_order_so_that_a_cancellation_reaches_earlier_requests_alone() {
        var connection = new Session("c", ANN, new Share("ann"), null);
        assertThat(connection.cancel(ONE, null)).isEmpty();
        assertThat(connection.begin(ONE, false).orElseThrow().isCancelled()).isFalse();
    }

    @Test
    void a_cancellation_gives_the_request_that_it_cancels_and_none_that_was_stopped_before() {
        var call = session.begin(ONE, false).orElseThrow();
        var stopped = session.begin(TWO, false).orElseThrow();
        stopped.leave(Left.STOPPED);
        assertThat(session.cancel(ONE, null)).contains(call);
        assertThat(call.isCancelled()).isTrue();
        assertThat(session.cancel(TWO, null)).isEmpty();
        assertThat(stopped.isCancelled()).isFalse();
    }

    @Test
    void a_request_that_is_resumed_takes_the_place_of_the_one_whose_way_back_broke() {
        var before = session.begin(ONE, false).orElseThrow();
        var resumed = session.resume(ONE, null, Leaving.NOTHING);
        assertThat(before.isOver()).isTrue();
        session.end(before);
        assertThat(session.begin(ONE, false)).isEmpty();
        assertThat(session.cancel(ONE, null)).contains(resumed);
    }

    @Test
    void a_client_that_sends_nothing_more_ends_what_only_a_message_could_end() {
        var endless = session.begin(ONE, true).orElseThrow();
        var call = session.begin(TWO, false).orElseThrow();
        var response = session.pending().expect(ONE);
        session.inputEnded();
        assertThat(endless.isOver()).isTrue();
        assertThat(call.isOver()).isFalse();
        assertThat(response).isCancelled();
    }

    @Test
    void the_close_of_a_session_ends_its_calls_and_its_parts_also_those_that_come_later() {
        var call = session.begin(ONE, false).orElseThrow();
        var early = session.part(Early.class, Early::new);
        session.close();
        assertThat(call.isOver()).isTrue();
        assertThat(call.isCancelled()).isFalse();
        assertThat(early.closed).isTrue();
        assertThat(session.part(Late.class, Late::new).closed).isTrue();
    }

    @Test
    void a_session_has_one_part_of_each_type() {
        assertThat(session.part(Early.class, Early::new))
                .isSameAs(session.part(Early.class, Early::new))
                .isNotSameAs(session.part(Late.class, Late::new));
    }

    @Test
    void a_session_is_busy_while_it_has_a_request_or_a_busy_part() {
        assertThat(session.isBusy()).isFalse();
        var call = session.begin(ONE, false).orElseThrow();
        assertThat(session.isBusy()).isTrue();
        session.end(call);
        assertThat(session.isBusy()).isFalse();
        session.part(Early.class, Early::new).busy = true;
        assertThat(session.isBusy()).isTrue();
    }

    @Test
    void the_facts_of_a_session_change_one_at_a_time() {
        session.change(facts -> facts.withLogLevel("error"));
        session.change(facts -> facts.watching("a"));
        session.change(facts -> facts.watching("b"));
        session.change(facts -> facts.ignoring("a"));
        assertThat(session.facts()).isEqualTo(new Facts("next", Capabilities.NONE, "error", Set.of("b")));
    }

    static Stream<Capabilities> capabilities() {
        return Stream.of(
                new Capabilities(
                        true,
                        false,
                        true,
                        false,
                        new Takes(false, true, false, Set.of("sampling/createMessage")),
                        new SamplingExtras(true, false)),
                new Capabilities(
                        false, true, false, true, new Takes(false, false, true), new SamplingExtras(false, true)));
    }

    @ParameterizedTest
    @MethodSource("capabilities")
    void a_session_is_stored_whole(Capabilities capabilities) {
        session.settle(new Facts("next", capabilities, "debug", Set.of("a", "b")));
        session.lists(new ListMarks("t", "", "r"));
        var stored = SessionRow.read("s", new Share("other"), SessionRow.write(session));
        assertThat(stored.facts()).isEqualTo(session.facts());
        assertThat(stored.lists()).isEqualTo(session.lists());
        assertThat(stored.principal()).isEqualTo(ANN);
        assertThat(stored.share()).isEqualTo(new Share("other"));
    }

    @Test
    void a_session_of_which_little_is_known_is_stored_too() {
        session.settle(FACTS);
        var stored = SessionRow.read("s", new Share("ann"), SessionRow.write(session));
        assertThat(stored.facts()).isEqualTo(FACTS);
        assertThat(stored.lists()).isNull();
    }

    private static class Early implements Session.Part {
        boolean busy;
        boolean closed;

        @Override
        public boolean isBusy() {
            return busy;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static final class Late extends Early {}
}
