// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.transport.socket.SocketProtocol;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a relay does with each line, without any stream. */
class RelayTrafficTest {

    private static final String INITIALIZE = "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'a':1}}";
    private static final long OF_TASK = QuestionRanges.ofTask(4711).value();
    private static final long OF_CALL = QuestionRanges.ofCall(new Random(1)).value();
    private static final String ANSWER = answer("accept");

    private final RelayTraffic traffic =
            new RelayTraffic(WireLimits.DEFAULT, new RepeatRules("w", "slow"::equals, 4 << 20));

    @Test
    void a_call_that_makes_a_task_gets_a_creation_key_beside_what_it_has() {
        traffic.connected();
        assertThat(server(host(call(7, "slow", "{'progressToken':3}"))))
                .containsExactly("{'jsonrpc':'2.0','id':7,'method':'tools/call','params':{'name':'slow','_meta':"
                        + "{'progressToken':3,'io.longhaul/creation-key':'window-w-1'}}}");
    }

    @Test
    void a_host_keeps_its_own_creation_key() {
        traffic.connected();
        var call = call(7, "slow", "{'io.longhaul/creation-key':'mine'}");
        assertThat(server(host(call))).containsExactly(call);
    }

    @Test
    void what_has_no_answer_goes_to_the_next_server_in_its_order_after_the_handshake() {
        traffic.connected();
        host(INITIALIZE);
        fromServer("{'jsonrpc':'2.0','id':1,'result':{}}");
        host("{'jsonrpc':'2.0','method':'notifications/initialized'}");
        host(call(7, "slow", "{}"));
        host(request(8, "tools/list"));
        host(request(9, "ping"));
        fromServer("{'jsonrpc':'2.0','id':8,'result':{}}");
        assertThat(traffic.lost()).isEmpty();
        host(request(10, "ping"));
        assertThat(texts(traffic.connected()))
                .satisfiesExactly(
                        one -> assertThat(one).contains("'method':'initialize','params':{'a':1}"),
                        one -> assertThat(one).contains("notifications/initialized"),
                        one -> assertThat(one).contains("'id':7").contains("window-w-1"),
                        one -> assertThat(one).isEqualTo(request(9, "ping")),
                        one -> assertThat(one).isEqualTo(request(10, "ping")));
    }

    @Test
    void the_host_does_not_see_the_answer_to_a_repeated_handshake() {
        traffic.connected();
        host(INITIALIZE);
        fromServer("{'jsonrpc':'2.0','id':1,'result':{}}");
        traffic.lost();
        traffic.connected();
        assertThat(fromServer("{'jsonrpc':'2.0','id':'io.longhaul/window-1','result':{}}"))
                .isEqualTo(RelayTraffic.Step.NONE);
    }

    @Test
    void the_messages_of_a_batch_are_passed_on_one_by_one_where_the_session_has_batches() {
        traffic.connected();
        host(INITIALIZE);
        fromServer("{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-03-26'}}");
        String batch = "[" + request(8, "ping") + "," + request(9, "ping") + ",[]]";
        assertThat(server(host(batch))).containsExactly(request(8, "ping"), request(9, "ping"), "[]");
        fromServer("{'jsonrpc':'2.0','id':8,'result':{}}");
        traffic.lost();
        assertThat(texts(traffic.connected())).contains(request(9, "ping")).doesNotContain(request(8, "ping"));
    }

    @Test
    void a_batch_is_left_to_the_server_where_the_session_has_none() {
        traffic.connected();
        host(INITIALIZE);
        fromServer("{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-06-18'}}");
        String batch = "[" + request(8, "ping") + "]";
        assertThat(server(host(batch))).containsExactly(batch);
    }

    @Test
    void a_request_is_answered_once() {
        traffic.connected();
        host(request(8, "tools/list"));
        var answer = "{'jsonrpc':'2.0','id':8,'result':{}}";
        assertThat(toHost(fromServer(answer))).containsExactly(answer);
        assertThat(toHost(fromServer(answer))).isEmpty();
    }

    @Test
    void a_quick_call_that_died_with_its_server_is_answered_with_an_error() {
        traffic.connected();
        host(call(7, "quick", "{}"));
        assertThat(texts(traffic.lost()))
                .singleElement()
                .asString()
                .contains("'id':7,'error':{'code':-32603", "was not started again");
        assertThat(traffic.connected()).isEmpty();
    }

    @Test
    void a_quick_call_that_no_server_has_had_yet_goes_to_the_next_one() {
        var call = call(7, "quick", "{}");
        assertThat(server(host(call))).isEmpty();
        assertThat(traffic.lost()).isEmpty();
        assertThat(texts(traffic.connected())).containsExactly(call);
    }

    @Test
    void a_line_that_was_torn_by_the_death_of_its_server_is_dropped() {
        traffic.connected();
        host(request(8, "tools/list"));
        assertThat(fromServer("{'jsonrpc':'2.0','id':8,'resu")).isEqualTo(RelayTraffic.Step.NONE);
        traffic.lost();
        assertThat(texts(traffic.connected())).containsExactly(request(8, "tools/list"));
    }

    @Test
    void a_question_that_the_host_has_is_not_put_again_by_the_next_server_but_by_one_that_repeats_it() {
        traffic.connected();
        assertThat(toHost(fromServer(question(OF_TASK)))).hasSize(1);
        assertThat(traffic.lost()).as("nor is it taken back").isEmpty();
        traffic.connected();
        assertThat(fromServer(question(OF_TASK))).isEqualTo(RelayTraffic.Step.NONE);
        assertThat(toHost(fromServer(question(OF_TASK)))).hasSize(1);
    }

    @Test
    void a_question_that_was_withdrawn_is_put_again_where_a_later_server_wants_it() {
        asked();
        var withdrawn = "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':" + OF_TASK + "}}";
        assertThat(toHost(fromServer(withdrawn))).containsExactly(withdrawn);
        traffic.lost();
        traffic.connected();
        assertThat(toHost(fromServer(question(OF_TASK)))).hasSize(1);
    }

    @Test
    void an_answer_that_a_server_died_over_is_given_to_the_next_one() {
        asked();
        assertThat(server(host(ANSWER))).containsExactly(ANSWER);
        traffic.lost();
        assertThat(texts(traffic.connected())).containsExactly(ANSWER);
        var again = fromServer(question(OF_TASK));
        assertThat(server(again)).as("the answer may still be under way").containsExactly(ANSWER);
        assertThat(toHost(again)).isEmpty();
        assertThat(toHost(fromServer(question(OF_TASK))))
                .as("the server has it, and asks again")
                .hasSize(1);
    }

    private void assertNothingIsOwedOnceOneIsTaken() {
        taken(1);
        traffic.lost();
        assertThat(traffic.connected()).isEmpty();
    }

    @Test
    void an_answer_that_several_servers_died_over_is_given_until_one_has_taken_it_in() {
        asked();
        host(ANSWER);
        for (int death = 0; death < 3; death++) {
            traffic.lost();
            assertThat(texts(traffic.connected())).containsExactly(ANSWER);
        }
        assertNothingIsOwedOnceOneIsTaken();
    }

    @Test
    void an_answer_that_a_server_has_taken_in_is_given_to_no_other_and_the_host_is_asked_where_it_was_no_good() {
        asked();
        host(request(8, "ping"));
        host(ANSWER);
        taken(1);
        traffic.lost();
        assertThat(texts(traffic.connected())).contains(ANSWER);
        taken(1);
        var crossed = fromServer(question(OF_TASK));
        assertThat(server(crossed))
                .as("may have been put before the answer was taken")
                .containsExactly(ANSWER);
        assertThat(toHost(crossed)).isEmpty();
        assertThat(toHost(fromServer(question(OF_TASK)))).hasSize(1);
        traffic.lost();
        assertThat(texts(traffic.connected())).doesNotContain(ANSWER);
    }

    @Test
    void of_two_answers_to_one_question_the_last_one_is_kept() {
        asked();
        host(answer("decline"));
        fromServer(question(OF_TASK));
        host(ANSWER);
        traffic.lost();
        assertThat(texts(traffic.connected())).containsExactly(ANSWER);
    }

    @Test
    void an_answer_while_there_is_no_server_waits_for_one() {
        asked();
        traffic.lost();
        assertThat(server(host(ANSWER))).isEmpty();
        assertThat(texts(traffic.connected())).containsExactly(ANSWER);
    }

    @Test
    void the_question_of_a_quick_call_is_taken_back_when_its_server_dies() {
        traffic.connected();
        fromServer(question(OF_CALL));
        assertThat(texts(traffic.lost()))
                .singleElement()
                .asString()
                .contains("notifications/cancelled", "'requestId':" + OF_CALL);
    }

    @Test
    void a_notification_that_a_server_died_over_is_given_to_the_next_one_until_one_has_taken_it_in() {
        var cancel = "{'jsonrpc':'2.0','method':'notifications/tasks/cancelled','params':{'taskId':'t'}}";
        traffic.connected();
        assertThat(server(host(cancel))).containsExactly(cancel);
        traffic.lost();
        assertThat(texts(traffic.connected())).containsExactly(cancel);
        assertNothingIsOwedOnceOneIsTaken();
    }

    @Test
    void a_cancel_reaches_the_task_through_the_next_server_unless_the_first_was_done_with_call_and_cancel() {
        var cancel = "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':7}}";
        traffic.connected();
        host(call(7, "slow", "{}"));
        assertThat(server(host(cancel))).containsExactly(cancel);
        // The thread of the call may be about to make the task, and only then to cancel it.
        taken(2);
        traffic.lost();
        assertThat(texts(traffic.connected()))
                .satisfiesExactly(
                        one -> assertThat(one).contains("'id':7", "window-w-1"),
                        one -> assertThat(one).isEqualTo(cancel));
        taken(2);
        assertNothingIsOwedOnceOneIsTaken();
    }

    @Test
    void a_repeated_cancel_of_a_task_that_is_cancelled_already_succeeds() {
        traffic.connected();
        host("{'jsonrpc':'2.0','id':7,'method':'tasks/cancel','params':{'taskId':'t'}}");
        traffic.lost();
        traffic.connected();
        var look = fromServer("{'jsonrpc':'2.0','id':7,'error':{'code':-32602,'message':'ended'}}");
        assertThat(server(look))
                .containsExactly("{'jsonrpc':'2.0','id':7,'method':'tasks/get','params':{'taskId':'t'}}");
        var task = "{'jsonrpc':'2.0','id':7,'result':{'taskId':'t','status':'cancelled'}}";
        assertThat(toHost(fromServer(task))).containsExactly(task);
    }

    @Test
    void progress_that_the_host_has_seen_is_not_told_again() {
        traffic.connected();
        host(call(7, "slow", "{'progressToken':3}"));
        assertThat(toHost(fromServer(progress(1)))).hasSize(1);
        traffic.lost();
        traffic.connected();
        assertThat(toHost(fromServer(progress(1)))).isEmpty();
        assertThat(toHost(fromServer(progress(2)))).hasSize(1);
    }

    @Test
    void a_server_that_leaves_gets_no_new_requests_and_is_left_after_its_quick_calls() {
        traffic.connected();
        host(call(7, "quick", "{}"));
        assertThat(traffic.mayLeave()).isFalse();
        fromServer("{'jsonrpc':'2.0','method':'" + SocketProtocol.LEAVING + "'}");
        assertThat(server(host(request(8, "ping")))).isEmpty();
        assertThat(traffic.mayLeave()).isFalse();
        fromServer("{'jsonrpc':'2.0','id':7,'result':{}}");
        assertThat(traffic.mayLeave()).isTrue();
    }

    @Test
    void a_second_request_under_an_open_id_is_refused_and_the_first_is_answered() {
        traffic.connected();
        host(request(8, "ping"));
        assertThat(toHost(host(request(8, "ping")))).singleElement().asString().contains("-32600");
        assertThat(toHost(fromServer("{'jsonrpc':'2.0','id':8,'result':{}}"))).hasSize(1);
    }

    private RelayTraffic.Step host(String line) {
        return traffic.fromHost(bytes(line));
    }

    /** A server is there, and has put the question of a task. */
    private void asked() {
        traffic.connected();
        fromServer(question(OF_TASK));
    }

    private RelayTraffic.Step fromServer(String line) {
        return traffic.fromServer(bytes(line));
    }

    private static String call(int id, String tool, String meta) {
        return "{'jsonrpc':'2.0','id':" + id + ",'method':'tools/call','params':{'name':'" + tool + "','_meta':" + meta
                + "}}";
    }

    private static String request(int id, String method) {
        return "{'jsonrpc':'2.0','id':" + id + ",'method':'" + method + "'}";
    }

    private static String question(long id) {
        return "{'jsonrpc':'2.0','id':" + id + ",'method':'elicitation/create','params':{}}";
    }

    private static String answer(String action) {
        return "{'jsonrpc':'2.0','id':" + OF_TASK + ",'result':{'action':'" + action + "'}}";
    }

    /** The server is done with the line of this number. */
    private void taken(long number) {
        var step = traffic.fromServer(SocketProtocol.taken(number).bytes());
        assertThat(step).as("the host hears nothing of it").isEqualTo(RelayTraffic.Step.NONE);
    }

    private static String progress(int value) {
        return "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':3,'progress':" + value
                + "}}";
    }

    private static List<String> server(RelayTraffic.Step step) {
        return texts(step.toServer());
    }

    private static List<String> toHost(RelayTraffic.Step step) {
        return texts(step.toHost());
    }

    private static List<String> texts(List<byte[]> lines) {
        return lines.stream()
                .map(line -> new String(line, UTF_8).replace('"', '\''))
                .toList();
    }

    private static byte[] bytes(String line) {
        return line.replace('\'', '"').getBytes(UTF_8);
    }
}
