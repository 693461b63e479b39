// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.handle;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.created;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.HandlesInMemory;
import io.longhaul.client.McpClient;
import io.longhaul.client.Scripts;
import io.longhaul.client.TestTime;
import io.longhaul.client.Transcript;
import io.longhaul.client.call.CallStart;
import io.longhaul.client.value.ResumePoint;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.plan.PartToken;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that outlive their client. Each client here plays a process of its own, on one store. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class HandlesTest {

    private static final String CALL = "{\"method\":\"tools/call\"}";
    private static final String DONE = "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";
    private static final CallOutcome RESULT = new CallOutcome.ToolResult(Json.raw(DONE));
    private static final CallOptions KEYED = CallOptions.DEFAULT.withCreationKey("mine");
    private static final String NO_KEYS = STATELESS.replace("\"io.longhaul/creation-key\":{}", "\"other\":{}");

    private final TestTime time = new TestTime();
    private final HandlesInMemory kept = new HandlesInMemory();

    private McpClient connect(Transcript script) {
        return Scripts.over(script, time).handles(kept).connect();
    }

    /** A client that ends before its call is answered. */
    private void leaveUnanswered(String server, CallOptions options) throws Exception {
        var script = script(server, TOOLS, "-> tools/call\n<.");
        try (var client = connect(script)) {
            client.call("report", NO_ARGUMENTS, options);
            script.await(JsonTree.read(Json.raw(CALL)));
        }
    }

    private CallOutcome resumed(Transcript script) throws Exception {
        try (var client = connect(script)) {
            var calls = client.resumeAll();
            assertThat(calls).hasSize(1);
            return calls.getFirst().await();
        }
    }

    @Test
    void a_call_is_kept_before_its_request_goes_out_and_until_the_host_has_its_outcome() throws Exception {
        var script = script(STATELESS, TOOLS, "-> tools/call\n.. {\"go\":true}\n<- " + DONE);
        try (var client = connect(script)) {
            var call = client.call("report", Map.of("quarter", 3), KEYED);
            script.await(JsonTree.read(Json.raw(CALL)));
            assertThat(kept.rows.get("mine").toString()).contains("\"tool\":\"report\"", "\"quarter\":3");
            assertThat(client.resumeAll()).as("calls that this client follows").isEmpty();
            script.go();
            assertThat(call.await()).isEqualTo(RESULT);
            assertThat(kept.expiries.get("mine")).isEqualTo(time.now().plus(Duration.ofDays(7)));
        }
        try (var client = connect(script(STATELESS))) {
            var call = client.resumeAll().getFirst();
            assertThat(call.id()).isEqualTo("mine");
            assertThat(call.await()).isEqualTo(RESULT);
            call.acknowledge();
            assertThat(client.resumeAll()).isEmpty();
        }
        assertThat(kept.rows).isEmpty();
    }

    @Test
    void a_call_that_cannot_be_kept_is_not_made() throws Exception {
        var script = script(STATELESS);
        var full = new HandlesInMemory() {
            @Override
            public void put(String id, Json handle, @Nullable Instant expiresAt) {
                throw new IllegalStateException("the disk is full");
            }
        };
        try (var client = Scripts.over(script, time).handles(full).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await())
                    .isEqualTo(new CallOutcome.Lost(
                            "The handle of the call could not be stored, so the call was not made."));
        }
    }

    @Test
    void a_task_goes_on_in_the_next_process_and_is_not_made_again() throws Exception {
        try (var client = connect(script(STATELESS, TOOLS, "-> tools/call\n<- " + created(), "->* tasks/get\n<."))) {
            assertThat(client.call("report", NO_ARGUMENTS).reference()).isPresent();
        }
        var script =
                script(STATELESS, "-> tasks/get {\"taskId\":\"t1\"}\n<- " + task("completed", ",\"result\":" + DONE));
        assertThat(resumed(script)).isEqualTo(RESULT);
    }

    @Test
    void a_call_whose_answer_an_earlier_process_did_not_get_is_made_again_with_its_key() throws Exception {
        leaveUnanswered(STATELESS, KEYED);
        var script = script(
                STATELESS, TOOLS, "-> tools/call {\"_meta\":{\"io.longhaul/creation-key\":\"mine\"}}\n<- " + DONE);
        assertThat(resumed(script)).isEqualTo(RESULT);
    }

    @Test
    void a_call_whose_server_stays_away_after_its_request_is_made_again_with_its_key_later() throws Exception {
        try (var client = connect(script(STATELESS, TOOLS, "->* tools/call\n<x"))) {
            assertThat(client.call("report", NO_ARGUMENTS, KEYED).await())
                    .isInstanceOf(CallOutcome.OutcomeUnknown.class);
        }
        var script = script(
                STATELESS, TOOLS, "-> tools/call {\"_meta\":{\"io.longhaul/creation-key\":\"mine\"}}\n<- " + DONE);
        assertThat(resumed(script)).isEqualTo(RESULT);
    }

    @Test
    void a_call_that_must_not_be_repeated_and_got_no_answer_stays_unknown_in_later_processes() throws Exception {
        try (var client = connect(script(NO_KEYS, TOOLS, "-> tools/call\n<x"))) {
            assertThat(client.call("report", NO_ARGUMENTS, KEYED).await())
                    .isInstanceOf(CallOutcome.OutcomeUnknown.class);
        }
        assertThat(resumed(script(NO_KEYS))).isInstanceOf(CallOutcome.OutcomeUnknown.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"completed", "failed"})
    void a_call_that_is_made_again_finds_a_task_that_has_ended_meanwhile(String status) throws Exception {
        leaveUnanswered(STATELESS, KEYED);
        boolean completed = status.equals("completed");
        var end = completed ? ",\"result\":" + DONE : ",\"error\":{\"code\":-32603,\"message\":\"broken\"}";
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n<- " + created().replace("working", status),
                "-> tasks/get\n<- " + task(status, end));
        assertThat(resumed(script))
                .isEqualTo(completed ? RESULT : new CallOutcome.ProtocolError(new RpcError(-32603, "broken")));
    }

    @Test
    void what_a_server_without_keys_has_made_of_a_call_is_unknown_and_the_call_is_not_repeated() throws Exception {
        leaveUnanswered(NO_KEYS, KEYED);
        assertThat(resumed(script(NO_KEYS, TOOLS))).isInstanceOf(CallOutcome.OutcomeUnknown.class);
        assertThat(resumed(script(NO_KEYS))).as("and stays so").isInstanceOf(CallOutcome.OutcomeUnknown.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"idempotentHint", "readOnlyHint"})
    void a_tool_that_may_be_called_twice_is_called_again_at_a_server_without_keys(String hint) throws Exception {
        leaveUnanswered(NO_KEYS, KEYED);
        var tools = TOOLS.replace("\"name\":\"report\"", "\"name\":\"report\",\"annotations\":{\"" + hint + "\":true}");
        assertThat(resumed(script(NO_KEYS, tools, "-> tools/call\n<- " + DONE))).isEqualTo(RESULT);
    }

    /** A client of such a server has not looked at the tool when it called it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void only_a_tool_that_may_be_called_twice_is_called_again_at_a_server_without_tasks(boolean twice)
            throws Exception {
        var calling = script(Scripts.PLAIN + "<= 202\n", "-> tools/call\n<.");
        try (var client = plain(calling)) {
            client.call("report", NO_ARGUMENTS, KEYED);
            calling.await(JsonTree.read(Json.raw(CALL)));
        }
        var tools = TOOLS.replace(
                "\"name\":\"report\"", "\"name\":\"report\",\"annotations\":{\"idempotentHint\":" + twice + "}");
        var again = script(Scripts.PLAIN + "<= 202\n", tools, twice ? "-> tools/call\n<- " + DONE : "");
        try (var client = plain(again)) {
            var end = client.resumeAll().getFirst().await();
            assertThat(end).isInstanceOf(twice ? CallOutcome.ToolResult.class : CallOutcome.OutcomeUnknown.class);
        }
    }

    private McpClient plain(Transcript script) {
        return Scripts.over(script, time)
                .generation(Generation.V2025_06_18)
                .handles(kept)
                .connect();
    }

    @Test
    void a_call_that_is_left_running_belongs_to_its_reference_and_is_kept_no_more() throws Exception {
        try (var client = connect(script(STATELESS, TOOLS, "-> tools/call\n<- " + created(), "->* tasks/get\n<."))) {
            var call = client.call("report", NO_ARGUMENTS);
            call.reference();
            assertThat(kept.rows).hasSize(1);
            call.detach();
            assertThat(call.await()).isInstanceOf(CallOutcome.Left.class);
        }
        assertThat(kept.rows).isEmpty();
    }

    @Test
    void handles_of_other_servers_and_those_that_cannot_be_read_are_left_alone() throws Exception {
        leaveUnanswered(STATELESS, KEYED);
        kept.rows.put("other", Json.raw(kept.rows.get("mine").toString().replace("script.test", "other.test")));
        kept.rows.put("newer", Json.raw("{\"format\":2}"));
        kept.rows.remove("mine");
        try (var client = connect(script(STATELESS))) {
            assertThat(client.resumeAll()).isEmpty();
        }
        assertThat(kept.rows).containsOnlyKeys("other", "newer");
    }

    @Test
    void the_timeout_of_a_call_counts_from_when_it_was_made() {
        var made = Instant.parse("2026-01-01T00:00:00Z");
        var options = KEYED.withTimeout(Duration.ofMinutes(10)).withTtl(Duration.ofDays(1));
        var called = new CallHandle.Called("report", NO_ARGUMENTS, options);
        var origin = new CallHandle.Origin("s", Generation.SEP_1686, Optional.of("one"));
        var handle = CallHandle.parse(new CallHandle(origin, called, made, "t1", null).toJson());
        assertThat(handle.called()).isEqualTo(called);
        assertThat(handle.taskId()).isEqualTo("t1");
        assertThat(handle.origin()).isEqualTo(origin);
        assertThat(handle.optionsAt(made.plusSeconds(60)).timeout()).isEqualTo(Duration.ofMinutes(9));
        assertThat(handle.optionsAt(made.plusSeconds(3600)).timeout()).isEqualTo(Duration.ZERO);
    }

    /** A call that was made four minutes ago and may take ten. */
    private void keepFourMinutesOld(Generation generation, String task) {
        var options = KEYED.withTimeout(Duration.ofMinutes(10));
        var called = new CallHandle.Called("report", NO_ARGUMENTS, options);
        var made = time.now().minus(Duration.ofMinutes(4));
        var origin = new CallHandle.Origin("http://script.test/mcp", generation, Optional.empty());
        kept.put("mine", new CallHandle(origin, called, made, task, null).toJson(), null);
    }

    @Test
    void a_task_of_an_earlier_process_is_cancelled_when_the_timeout_of_its_call_is_over() throws Exception {
        keepFourMinutesOld(Generation.V2026_07_28, "t1");
        var working = task("working", "");
        var script = script(
                STATELESS,
                "-> tasks/get\n.. {\"go\":true}\n<- " + working,
                "-> tasks/cancel\n<- {}",
                "->* tasks/get\n.. {\"method\":\"tasks/cancel\"}\n<- " + task("cancelled", ""));
        try (var client = connect(script)) {
            var call = client.resumeAll().getFirst();
            time.ringOnceSet(Duration.ofMinutes(6));
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.TimedOut.class);
        }
    }

    @Test
    void a_call_in_parts_of_an_earlier_process_keeps_its_timeout() throws Exception {
        var next = new PartToken("b", false, null);
        keepFourMinutesOld(Generation.SEP_1003, new ResumePoint("report", NO_ARGUMENTS, next).asId());
        var script = script(
                Scripts.RESUME_TOKENS,
                "-> tools/call {\"resumeToken\":\"b\"}\n.. {\"method\":\"notifications/cancelled\"}\n<.",
                "->* notifications/cancelled\n<= 202");
        try (var client = Scripts.over(script, time)
                .handles(kept)
                .generation(Generation.SEP_1003)
                .connect()) {
            var call = client.resumeAll().getFirst();
            script.await(JsonTree.read(Json.raw(CALL)));
            time.ringOnceSet(Duration.ofMinutes(6));
            time.ringOnceSet(CallStart.TO_GIVE_UP);
            assertThat(call.await()).isInstanceOf(CallOutcome.TimedOut.class);
        }
    }

    static Stream<CallOutcome> outcomes() {
        return Stream.of(
                RESULT,
                new CallOutcome.ToolError(Json.raw(DONE)),
                new CallOutcome.ProtocolError(new RpcError(-32602, "bad")),
                new CallOutcome.ProtocolError(new RpcError(-32602, "bad", Json.raw("{\"why\":1}"))),
                new CallOutcome.Unusable("a"),
                new CallOutcome.TimedOut("b"),
                new CallOutcome.Cancelled(),
                new CallOutcome.Lost("c"),
                new CallOutcome.OutcomeUnknown("d"),
                new CallOutcome.Left("e"));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void an_outcome_is_read_as_it_was_written(CallOutcome outcome) {
        assertThat(CallOutcomeCodec.read(CallOutcomeCodec.write(outcome))).isEqualTo(outcome);
    }

    @Test
    void a_call_that_meets_the_end_of_its_client_is_made_by_the_next_one() throws Exception {
        var closed = connect(script(STATELESS));
        closed.close();
        assertThat(closed.call("report", NO_ARGUMENTS, KEYED).await())
                .isEqualTo(new CallOutcome.Left("The client was closed."));
        assertThat(resumed(script(STATELESS, TOOLS, "-> tools/call\n<- " + DONE)))
                .isEqualTo(RESULT);
    }
}
