// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.FakeServer;
import io.longhaul.requestor.FakeServer.Response;
import io.longhaul.requestor.HandTime;
import io.longhaul.requestor.Timeouts;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.TaskFollower.Events;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a task is followed in each generation, and what its follower makes of what the server says. */
@Timeout(30)
class TaskFollowerTest {

    private static final Response UNKNOWN = Response.error(-32602, "unknown");
    private static final Response RESULT = Response.result("{\"content\":[]}");

    private final List<String> troubles = new ArrayList<>();
    private final List<State> seen = new ArrayList<>();
    private final Events events = new Events() {
        @Override
        public void seen(TaskView task) {
            seen.add(task.status().state());
        }

        @Override
        public void trouble(String sentence) {
            troubles.add(sentence);
        }
    };

    private static Requestor requestor(Generation generation, FakeServer server) throws TransportException {
        return Requestor.open(() -> server, FakeServer.settings().only(generation));
    }

    private static Response task(String status) {
        return Response.result("{\"taskId\":\"t\",\"status\":\"" + status + "\",\"createdAt\":\"2026-01-01T00:00:00Z\","
                + "\"lastUpdatedAt\":\"2026-01-01T00:00:01Z\",\"ttl\":60000,\"ttlMs\":60000,\"pollInterval\":700}");
    }

    private static FollowResult failure(String message) {
        return new FollowResult.Ended(new TaskView.End.Failure(new RpcError(-32000, message)));
    }

    private FollowResult follow(FakeServer server) throws Exception {
        try (var requestor = requestor(Generation.V2025_11_25, server)) {
            return TaskFollower.answering("t", requestor, events, Creation.elsewhere())
                    .follow();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "V2026_07_28, PollingFollower, PollingFollower, PollingFollower",
        "V2025_11_25, AwaitingFollower, AwaitingFollower, PollingFollower",
        "SEP_1686, PollingFollower, PollingFollower, PollingFollower",
        "NEXT, PollingFollower, PollingFollower, PollingFollower",
        "TOOLS_ASYNC, JoiningFollower, JoiningFollower, JoiningFollower",
        "V2025_06_18, PollingFollower, PollingFollower, PollingFollower",
    })
    void each_generation_has_its_own_way(Generation generation, String answering, String returning, String watching)
            throws Exception {
        try (var requestor = requestor(generation, FakeServer.of(generation))) {
            assertThat(List.of(
                            TaskFollower.answering("t", requestor, events, Creation.elsewhere()),
                            TaskFollower.returning("t", requestor, events, Optional::empty),
                            TaskFollower.watching("t", requestor, events)))
                    .extracting(follower -> follower.getClass().getSimpleName())
                    .containsExactly(answering, returning, watching);
        }
    }

    /** A server of 2025-11-25 that shows a task, and gives these in place of the result, one after the other. */
    private static FakeServer server(Response task, Response... results) {
        return FakeServer.of(Generation.V2025_11_25).on("tasks/get", task).on("tasks/result", results);
    }

    @Test
    void the_result_that_a_server_gives_is_the_end() throws Exception {
        var server = server(task("working"), RESULT);
        assertThat(follow(server))
                .isInstanceOfSatisfying(
                        FollowResult.Ended.class,
                        ended -> assertThat(ended.end()).isInstanceOf(TaskView.End.Result.class));
    }

    @Test
    void an_error_in_place_of_the_result_of_a_failed_task_is_the_error_of_the_task() throws Exception {
        var server = server(task("failed"), Response.error(-32000, "out of paper"));
        assertThat(follow(server)).isEqualTo(failure("out of paper"));
        assertThat(server.count("tasks/result")).isEqualTo(1);
    }

    @Test
    void an_error_in_place_of_the_result_of_a_cancelled_task_says_nothing() throws Exception {
        var server = server(task("cancelled"), Response.error(-32603, "cancelled"));
        assertThat(follow(server))
                .isInstanceOfSatisfying(
                        FollowResult.Ended.class,
                        ended -> assertThat(ended.end()).isInstanceOf(TaskView.End.Cancelled.class));
    }

    @Test
    void the_result_of_a_task_that_goes_on_is_asked_for_again_though_it_was_refused() throws Exception {
        var early = Response.error(-32000, "too early");
        var server = server(task("working"), early, early, early, early, RESULT);
        assertThat(follow(server)).isInstanceOf(FollowResult.Ended.class);
        assertThat(server.count("tasks/result")).isEqualTo(5);
        assertThat(troubles)
                .hasSize(4)
                .allSatisfy(trouble -> assertThat(trouble).endsWith("yet: too early"));
    }

    @Test
    void the_result_of_a_task_that_has_completed_is_refused_three_times_at_the_most() throws Exception {
        var server = server(task("completed"), Response.error(-32000, "not here"));
        assertThat(follow(server)).isEqualTo(failure("not here"));
        assertThat(server.count("tasks/result")).isEqualTo(3);
    }

    @Test
    void a_task_that_the_server_does_not_know_is_followed_no_further() throws Exception {
        var server = server(UNKNOWN, UNKNOWN);
        assertThat(follow(server)).isEqualTo(new FollowResult.NotShown(new RpcError(-32602, "unknown")));
    }

    @Test
    void a_task_that_is_watched_is_polled_to_its_end_and_its_result_asked_for_then() throws Exception {
        var server = FakeServer.of(Generation.V2025_11_25)
                .on("tasks/get", task("working"), task("input_required"), task("completed"))
                .on("tasks/result", RESULT);
        try (var requestor = requestor(Generation.V2025_11_25, server)) {
            var end = TaskFollower.watching("t", requestor, events).follow();
            assertThat(end).isInstanceOf(FollowResult.Ended.class);
        }
        assertThat(seen).containsExactly(State.WORKING, State.INPUT_REQUIRED, State.COMPLETED);
        assertThat(server.count("tasks/result")).isEqualTo(1);
    }

    @Test
    void questions_of_a_task_of_another_client_are_looked_for_in_another_generation() throws Exception {
        var looked = new AtomicInteger();
        var server = FakeServer.of(Generation.SEP_1686)
                .on("tasks/get", related("input_required"), related("completed"))
                .on("tasks/result", RESULT);
        try (var requestor = requestor(Generation.SEP_1686, server)) {
            var follower = TaskFollower.returning("t", requestor, events, () -> {
                looked.incrementAndGet();
                return Optional.empty();
            });
            assertThat(follower.follow()).isInstanceOf(FollowResult.Ended.class);
        }
        assertThat(looked).hasValue(1);
    }

    private static Response related(String status) {
        return Response.result("{\"taskId\":\"t\",\"status\":\"" + status + "\",\"keepAlive\":60000,"
                + "\"_meta\":{\"modelcontextprotocol.io/related-task\":{\"taskId\":\"t\"}}}");
    }

    @Test
    void an_internal_error_says_nothing_of_the_task_and_is_asked_again() throws Exception {
        var server = FakeServer.of(Generation.V2025_11_25)
                .on("tasks/get", Response.error(RpcError.INTERNAL_ERROR, "oops"), task("completed"))
                .on("tasks/result", RESULT);
        try (var requestor = requestor(Generation.V2025_11_25, server)) {
            assertThat(TaskFollower.watching("t", requestor, events).follow()).isInstanceOf(FollowResult.Ended.class);
        }
        assertThat(troubles).singleElement().asString().endsWith("how the task stands: oops");
    }

    @Test
    void the_error_of_a_server_that_goes_on_to_fail_is_why_the_task_is_not_shown() throws Exception {
        var server = FakeServer.of(Generation.V2025_11_25)
                .on("tasks/get", () -> Response.error(RpcError.INTERNAL_ERROR, "oops"));
        try (var requestor = requestor(Generation.V2025_11_25, server)) {
            assertThat(TaskFollower.watching("t", requestor, events).follow())
                    .isEqualTo(new FollowResult.NotShown(new RpcError(RpcError.INTERNAL_ERROR, "oops")));
        }
        assertThat(troubles).hasSizeGreaterThan(10).last().asString().endsWith("how the task stands: oops");
    }

    @ParameterizedTest
    @CsvSource({"completed, 3, Result", "failed, 1, Failure"})
    void an_internal_error_in_place_of_the_result_says_nothing_of_a_task_that_has_completed(
            String status, int requests, String end) throws Exception {
        var oops = Response.error(RpcError.INTERNAL_ERROR, "oops");
        var server = server(task(status), oops, oops, RESULT);
        try (var requestor = requestor(Generation.V2025_11_25, server)) {
            assertThat(TaskFollower.watching("t", requestor, events).follow())
                    .isInstanceOfSatisfying(
                            FollowResult.Ended.class,
                            ended -> assertThat(ended.end().getClass().getSimpleName())
                                    .isEqualTo(end));
        }
        assertThat(server.count("tasks/result")).isEqualTo(requests);
        assertThat(troubles)
                .hasSize(requests - 1)
                .allSatisfy(trouble -> assertThat(trouble).endsWith("result of the task yet: oops"));
    }

    @Test
    void a_task_is_followed_on_though_its_server_fails_at_times() throws Exception {
        var server = FakeServer.of(Generation.V2025_11_25)
                .on("tasks/get", Response.status(500), task("working"), Response.status(524), task("completed"))
                .on("tasks/result", Response.status(500), RESULT);
        try (var requestor = requestor(Generation.V2025_11_25, server)) {
            assertThat(TaskFollower.watching("t", requestor, events).follow()).isInstanceOf(FollowResult.Ended.class);
        }
        assertThat(troubles)
                .satisfiesExactly(
                        first -> assertThat(first).contains("HTTP 500"),
                        second -> assertThat(second).contains("HTTP 524"),
                        third -> assertThat(third).contains("HTTP 500"));
    }

    @Test
    void a_wait_for_a_result_goes_on_though_a_gateway_ends_each_request_after_a_minute() throws Exception {
        var time = new HandTime();
        var ended = new AtomicInteger();
        var server = server(task("working")).on("tasks/result", () -> {
            time.pass(Duration.ofMinutes(1));
            return ended.incrementAndGet() < 20 ? Response.status(504) : RESULT;
        });
        var settings = FakeServer.settings(time, Timeouts.DEFAULT).only(Generation.V2025_11_25);
        try (var requestor = Requestor.open(() -> server, settings)) {
            var follower = TaskFollower.answering("t", requestor, events, Creation.elsewhere());
            assertThat(follower.follow()).isInstanceOf(FollowResult.Ended.class);
        }
        assertThat(ended).hasValue(20);
    }

    @Test
    void a_server_that_only_fails_is_followed_no_further_in_the_end() throws Exception {
        assertThat(followed(Response.status(500))).contains("HTTP 500");
    }

    @Test
    void a_server_that_answers_something_else_than_a_task_is_followed_no_further() throws Exception {
        assertThat(followed(Response.status(400))).contains("HTTP 400");
    }

    private String followed(Response look) throws Exception {
        var server = FakeServer.of(Generation.V2025_11_25).on("tasks/get", look);
        try (var requestor = requestor(Generation.V2025_11_25, server)) {
            var end = TaskFollower.watching("t", requestor, events).follow();
            assertThat(end).isInstanceOf(FollowResult.OutOfReach.class);
            return ((FollowResult.OutOfReach) end).reason();
        }
    }
}
