// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one grammar of the ids of events. */
class EventIdTest {

    private static final Session SESSION = session("one");
    private static final Mark MARK = new Mark(Instant.ofEpochMilli(12), new TaskId("a".repeat(TaskId.LENGTH)), 34);
    private static final String RANDOM = "abcdefghijklmnopqrstuvwx";

    private static Session session(String id) {
        return new Session(id, Principal.LOCAL, new Share("local"), null);
    }

    private static EventId start(Kind kind, RequestId request) {
        return EventId.start(kind, SESSION, RANDOM, MARK, request);
    }

    static Stream<RequestId> requests() {
        var numbers = Stream.of(
                        0L, -1L, 999_999_999_999_999_999L, 1_000_000_000_000_000_000L, Long.MAX_VALUE, Long.MIN_VALUE)
                .map(RequestId.Number::new);
        var texts = Stream.of(
                        "",
                        "1",
                        "\"",
                        "a.b",
                        "x".repeat(1_000),
                        "\u0001".repeat(1_000),
                        "\u00e9".repeat(1_000),
                        "\ud83d\ude00".repeat(500))
                .map(RequestId.Text::new);
        return Stream.concat(numbers, texts);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void an_id_comes_back_as_it_went_out_whatever_id_the_request_has(RequestId request) {
        var id = start(Kind.CALL, request).next(MARK);
        assertThat(EventId.of(id.text())).contains(id);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void an_id_of_each_kind_comes_back_as_it_went_out(Kind kind) {
        var id = start(kind, new RequestId.Number(1)).next(MARK).next(MARK);
        assertThat(EventId.of(id.text())).contains(id);
        assertThat(id.number()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"p\"", "\"\"", "\"a.b\"", "7", "-1"})
    void an_id_comes_back_with_the_progress_token_of_its_request(String token) {
        var id =
                start(Kind.WAIT, new RequestId.Number(1)).under(Json.raw(token)).next(MARK);
        assertThat(EventId.of(id.text())).contains(id);
        assertThat(id.progressToken()).isEqualTo(Json.raw(token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "1.5", "\"a", "\"a\",\"b\":1"})
    void what_is_no_progress_token_makes_no_id_of_an_event(String token) {
        var text = start(Kind.WAIT, new RequestId.Number(1)).text();
        var other = Base64.getUrlEncoder().withoutPadding().encodeToString(token.getBytes(StandardCharsets.UTF_8));
        assertThat(EventId.of(text + "." + other)).isEmpty();
    }

    @Test
    void a_request_whose_progress_token_is_too_long_has_a_stream_without_ids() {
        var id = start(Kind.WAIT, new RequestId.Number(1));
        assertThat(id.under(Json.raw("\"" + "x".repeat(6_500) + "\"")).fits()).isTrue();
        assertThat(id.under(Json.raw("\"" + "x".repeat(6_700) + "\"")).fits()).isFalse();
    }

    @Test
    void an_id_of_no_task_and_no_request_comes_back_as_it_went_out() {
        var id = EventId.start(Kind.SESSION, SESSION, RANDOM, Mark.NONE, null);
        assertThat(EventId.of(id.text())).contains(id);
    }

    @Test
    void an_id_belongs_to_the_session_that_it_was_given_in() {
        var id = EventId.of(start(Kind.CALL, new RequestId.Number(1)).text()).orElseThrow();
        assertThat(id.isOf(SESSION)).isTrue();
        assertThat(id.isOf(session("two"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "x.abcdefghijklmnopqrstuvwx.1.1..0.",
                "s.short.1.1..0.",
                "s.abcdefghijklmnopqrstuvwx.-1.1..0.",
                "s.abcdefghijklmnopqrstuvwx.1234567890123456789.1..0.",
                "s.abcdefghijklmnopqrstuvwx.1.1.nosuchtask.0.",
                "c.abcdefghijklmnopqrstuvwx.1.1..0.MQ",
                "c.abcdefghijklmnopqrstuvwx.1.1..0.",
                "s.abcdefghijklmnopqrstuvwx.1.1..0.\u00e9"
            })
    void what_this_server_never_gives_is_no_id(String text) {
        assertThat(EventId.of(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775808",
                "-9223372036854775809",
                "1.0",
                "1e3",
                "null",
                "\"a",
                "\"a\"\"",
                "{}",
                "",
                "007",
                "-0"
            })
    void what_is_no_id_of_a_request_makes_no_id_of_an_event(String request) {
        String text = start(Kind.CALL, new RequestId.Number(1)).text();
        String other = Base64.getUrlEncoder().withoutPadding().encodeToString(request.getBytes(StandardCharsets.UTF_8));
        assertThat(EventId.of(text.substring(0, text.lastIndexOf('.') + 1) + other))
                .isEmpty();
    }

    @Test
    void an_id_is_not_given_where_it_would_be_refused_when_it_comes_back() {
        var fits = start(Kind.CALL, new RequestId.Text("x".repeat(6_000)));
        var tooLong = start(Kind.CALL, new RequestId.Text("x".repeat(7_000)));
        assertThat(List.of(fits.fits(), tooLong.fits())).containsExactly(true, false);
        assertThat(EventId.of(fits.text())).isPresent();
        assertThat(EventId.of(tooLong.text())).isEmpty();
    }

    @Test
    void an_id_has_9000_characters_at_most() {
        var text = start(Kind.CALL, new RequestId.Text("x".repeat(6_680))).text();
        assertThat(EventId.of(drawnOut(text, 9_000))).isPresent();
        assertThat(EventId.of(drawnOut(text, 9_001))).isEmpty();
    }

    /** An id of so many characters: the name of its stream is longer. */
    private static String drawnOut(String id, int length) {
        return id.replace(RANDOM, RANDOM + "x".repeat(length - id.length()));
    }

    @Test
    void a_request_whose_own_id_is_too_long_for_that_has_a_stream_without_ids() {
        assertThat(fits("x".repeat(6_600))).isTrue();
        assertThat(fits("x".repeat(6_700))).isFalse();
        assertThat(fits("\u0001".repeat(1_100))).isTrue();
        assertThat(fits("\u0001".repeat(1_110))).isFalse();
    }

    private static boolean fits(String request) {
        return start(Kind.CALL, new RequestId.Text(request)).fits();
    }
}
