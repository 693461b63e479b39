// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.exchange.ExchangeResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a call is sent again, and how it ends. */
class NextStepTest {

    private static final ClientDialect USED = ClientDialects.newestHandshake();
    private static final RpcError ERROR = new RpcError(-32000, "no");
    private static final NextStep.CallFacts SAFE = new NextStep.CallFacts(false, false, false, true, false, null);
    private static final NextStep.CallFacts UNSAFE = new NextStep.CallFacts(false, false, false, false, false, null);
    private static final NextStep.CallFacts CANCELLED = new NextStep.CallFacts(true, false, false, true, false, null);
    private static final NextStep.CallFacts BEGUN = new NextStep.CallFacts(false, false, true, true, false, null);
    private static final NextStep.CallFacts TOLD = new NextStep.CallFacts(false, true, false, true, false, null);

    private static NextStep after(ExchangeResult end, NextStep.CallFacts facts) {
        return NextStep.after(end, new Call.ListTools(null), facts, USED, error -> Optional.empty());
    }

    private static CallResult finished(ExchangeResult end, NextStep.CallFacts facts) {
        return ((NextStep.Finish) after(end, facts)).end();
    }

    private static ExchangeResult broken(TransportException.Kind kind) {
        return new ExchangeResult.Broken(new TransportException(kind, "gone"));
    }

    @ParameterizedTest
    @EnumSource(
            value = TransportException.Kind.class,
            names = {"LOST", "TIMEOUT", "UNREACHABLE"})
    void a_call_that_may_reach_the_server_twice_is_sent_again(TransportException.Kind kind) {
        assertThat(after(broken(kind), SAFE)).isInstanceOf(NextStep.Repeat.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = TransportException.Kind.class,
            names = {"LOST", "TIMEOUT", "UNREACHABLE"})
    void a_call_that_is_known_to_have_begun_is_not_sent_again_however_often_it_may_come(TransportException.Kind kind) {
        assertThat(finished(broken(kind), BEGUN)).isInstanceOf(CallResult.OutcomeUnknown.class);
        assertThat(finished(new ExchangeResult.UnknownSession(null), BEGUN))
                .isInstanceOf(CallResult.OutcomeUnknown.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = TransportException.Kind.class,
            names = {"LOST", "TIMEOUT"})
    void the_outcome_of_a_call_that_may_have_begun_is_unknown_rather_than_begun_twice(TransportException.Kind kind) {
        assertThat(finished(broken(kind), UNSAFE))
                .isInstanceOfSatisfying(
                        CallResult.OutcomeUnknown.class,
                        unknown -> assertThat(unknown.reason()).contains("it may have begun the work"));
    }

    @Test
    void a_call_that_has_not_reached_the_server_is_sent_again_in_any_case() {
        assertThat(after(broken(TransportException.Kind.UNREACHABLE), UNSAFE)).isInstanceOf(NextStep.Repeat.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = TransportException.Kind.class,
            names = {"LOST", "TIMEOUT", "UNREACHABLE"})
    void a_call_for_which_no_session_came_about_was_not_sent_and_is_sent_later(TransportException.Kind kind) {
        assertThat(NextStep.withoutSession(new TransportException(kind, "gone"), UNSAFE))
                .isInstanceOf(NextStep.Repeat.class);
    }

    @Test
    void an_answer_that_cannot_be_read_ends_the_call() {
        assertThat(finished(broken(TransportException.Kind.UNUSABLE), SAFE)).isInstanceOf(CallResult.Unusable.class);
        assertThat(finished(broken(TransportException.Kind.UNSUPPORTED), SAFE)).isInstanceOf(CallResult.Unusable.class);
        assertThat(finished(new ExchangeResult.Result(Json.raw("7")), SAFE)).isInstanceOf(CallResult.Unusable.class);
        assertThat(finished(new ExchangeResult.Result(Json.raw("{\"tools\":[]}")), SAFE))
                .isInstanceOf(CallResult.Answered.class);
    }

    @Test
    void a_call_that_a_busy_server_has_put_off_is_sent_again_in_any_case_and_when_the_server_wants_it() {
        var inAWhile = Duration.ofSeconds(30);
        for (var putOff : List.of(new ExchangeResult.Busy(429, inAWhile), new ExchangeResult.Busy(503, inAWhile))) {
            assertThat(after(putOff, UNSAFE))
                    .isInstanceOfSatisfying(
                            NextStep.Repeat.class,
                            repeat -> assertThat(repeat.trouble().retryAfter()).isEqualTo(inAWhile));
        }
        assertThat(after(new ExchangeResult.Busy(429, null), UNSAFE)).isInstanceOf(NextStep.Repeat.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 500, 502, 503, 504, 524})
    void a_call_that_failed_on_its_way_is_sent_again_where_it_is_safe_and_its_outcome_is_unknown_elsewhere(int status) {
        var end = ExchangeResult.ofStatus(status, true, null);
        assertThat(after(end, SAFE)).isInstanceOf(NextStep.Repeat.class);
        assertThat(finished(end, UNSAFE)).isInstanceOf(CallResult.OutcomeUnknown.class);
    }

    @Test
    void a_session_that_the_server_has_forgotten_is_renewed() {
        var renewed = new NextStep.CallFacts(false, false, false, true, true, null);
        assertThat(after(new ExchangeResult.UnknownSession(null), SAFE))
                .isInstanceOfSatisfying(
                        NextStep.Renew.class,
                        renew -> assertThat(renew.dialect()).isSameAs(USED));
        assertThat(after(new ExchangeResult.UnknownSession(ERROR), SAFE)).isInstanceOf(NextStep.Renew.class);
        assertThat(finished(new ExchangeResult.UnknownSession(ERROR), renewed))
                .isEqualTo(new CallResult.Refused(ERROR));
    }

    @Test
    void a_version_that_the_server_refuses_is_exchanged_for_one_that_both_speak() {
        var step = NextStep.after(
                new ExchangeResult.Failure(ERROR),
                new Call.ListTools(null),
                SAFE,
                USED,
                error -> Optional.of(ClientDialects.newest()));
        assertThat(step)
                .isInstanceOfSatisfying(
                        NextStep.Renew.class,
                        renew -> assertThat(renew.dialect()).isSameAs(ClientDialects.newest()));
    }

    @Test
    void a_session_that_is_lost_at_once_is_opened_again_where_the_server_says_no_more() {
        var renewed = new NextStep.CallFacts(false, false, false, true, true, null);
        assertThat(after(new ExchangeResult.UnknownSession(null), renewed)).isInstanceOf(NextStep.Renew.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {-32600, -32001})
    void a_session_that_is_lost_at_once_is_opened_again_where_the_error_is_about_the_session(int code) {
        var renewed = new NextStep.CallFacts(false, false, false, true, true, null);
        var error = new RpcError(code, "No such session");
        assertThat(after(new ExchangeResult.UnknownSession(error), renewed)).isInstanceOf(NextStep.Renew.class);
    }

    @Test
    void a_message_without_a_response_is_done_when_the_server_has_taken_it() {
        assertThat(finished(new ExchangeResult.Accepted(), SAFE))
                .isEqualTo(new CallResult.Answered(new CallResponse.Done()));
    }

    @Test
    void an_error_of_the_server_ends_the_call_with_that_error() {
        assertThat(finished(new ExchangeResult.Failure(ERROR), SAFE)).isEqualTo(new CallResult.Refused(ERROR));
    }

    @Test
    void an_internal_error_ends_no_call_that_is_patient_until_it_is_repeated_no_more() {
        var internal = new RpcError(RpcError.INTERNAL_ERROR, "no disk");
        var patient = new NextStep.CallFacts(false, false, false, true, false, "It fails");
        assertThat(after(new ExchangeResult.Failure(internal), patient))
                .isInstanceOfSatisfying(NextStep.Repeat.class, repeat -> {
                    assertThat(repeat.trouble()).hasMessage("It fails: no disk");
                    assertThat(repeat.refused()).isEqualTo(new CallResult.Refused(internal));
                });
        assertThat(finished(new ExchangeResult.Failure(ERROR), patient)).isEqualTo(new CallResult.Refused(ERROR));
        assertThat(finished(new ExchangeResult.Failure(internal), SAFE)).isEqualTo(new CallResult.Refused(internal));
        var cancelled = new NextStep.CallFacts(true, false, false, true, false, "It fails");
        assertThat(finished(new ExchangeResult.Failure(internal), cancelled)).isInstanceOf(CallResult.Cancelled.class);
    }

    @Test
    void a_missing_authorization_is_one_clear_sentence() {
        assertThat(finished(new ExchangeResult.Rejected(401), SAFE))
                .isInstanceOfSatisfying(
                        CallResult.Unusable.class,
                        unusable -> assertThat(unusable.reason()).contains("authorization (HTTP 401)"));
    }

    @Test
    void nothing_comes_of_a_call_that_was_cancelled() {
        assertThat(finished(new ExchangeResult.Failure(ERROR), CANCELLED)).isInstanceOf(CallResult.Cancelled.class);
        assertThat(finished(broken(TransportException.Kind.LOST), CANCELLED)).isInstanceOf(CallResult.Cancelled.class);
        assertThat(finished(broken(TransportException.Kind.LOST), TOLD)).isInstanceOf(CallResult.Cancelled.class);
    }

    @ParameterizedTest
    @CsvSource({"'{\"content\":[],\"nextResumeToken\":\"a\"}', Answered", "'{\"content\":[]}', Cancelled"})
    void a_part_of_a_call_that_was_cancelled_is_wanted_and_its_last_result_is_not(String result, String end) {
        var extras = new Call.CallExtras(Json.raw("1"), null, null);
        var call = new Call.CallTool(
                "pages", Json.EMPTY_OBJECT, new Call.TaskWish.NextPart(null, false), extras, Call.Round.FIRST);
        var step = NextStep.after(
                new ExchangeResult.Result(Json.raw(result)),
                call,
                TOLD,
                ClientDialects.of(Generation.SEP_1003),
                error -> Optional.empty());
        assertThat(((NextStep.Finish) step).end().getClass().getSimpleName()).isEqualTo(end);
    }

    @Test
    void a_call_that_was_cancelled_and_is_to_be_made_with_other_headers_is_not_over() {
        var mismatch = new RpcError(RpcError.HEADER_MISMATCH, "other headers");
        assertThat(finished(new ExchangeResult.Failure(mismatch), TOLD)).isEqualTo(new CallResult.Refused(mismatch));
        assertThat(finished(new ExchangeResult.Failure(ERROR), TOLD)).isInstanceOf(CallResult.Cancelled.class);
    }
}
