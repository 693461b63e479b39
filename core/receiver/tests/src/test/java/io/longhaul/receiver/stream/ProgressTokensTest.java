// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each request hears of progress under the token that it gave itself, or not at all. */
@Timeout(60)
class ProgressTokensTest {

    private static final String CALL = Served.call("walks", "{}");

    private final Semaphore steps = new Semaphore(0);

    @AutoClose
    private final Served served = Served.with(Tools.walks(steps, (none, task) -> "there"));

    /** How a session that did not make a task reads it. */
    private enum Reader {
        /** {@code tools/async/get}. */
        GET("2025-06-18", "tools/async/get", "{\"token\":\"%s\"}"),
        /** {@code tasks/result} of 2025-11-25. */
        RESULT("2025-11-25", "tasks/result", "{\"taskId\":\"%s\"}");

        private final String version;
        private final String method;
        private final String params;

        Reader(String version, String method, String params) {
            this.version = version;
            this.method = method;
            this.params = params;
        }

        MemoryReply read(Served.Handshake client, String task, String token) {
            var reply = client.send(method, under(params.formatted(task), token));
            assertThat(reply.isStream()).isTrue();
            return reply;
        }
    }

    /** How a session repeats the call of another one, and where it is told of that. */
    private enum Repetition {
        TASK("2025-11-25", "\"task\":{}"),
        PLAIN("2025-06-18", "\"a\":0"),
        /** SEP-1686: the requestor names the task. */
        NAMED("2025-06-18", "\"a\":0"),
        /** SEP-1391. */
        OPERATION("next", "\"operation\":{\"token\":\"op\"}");

        private final String version;
        private final String wish;

        Repetition(String version, String wish) {
            this.version = version;
            this.wish = wish;
        }

        String call(String token) {
            String key = this == NAMED
                    ? "\"modelcontextprotocol.io/task\":{\"taskId\":\"t\"}"
                    : "\"io.longhaul/creation-key\":\"k\"";
            String meta = "\"_meta\":{" + key + (token.isEmpty() ? "" : ",\"progressToken\":\"" + token + "\"") + "}";
            return Served.and(CALL, wish + "," + meta);
        }

        /** Calls, and gives the stream that tells of the task. */
        MemoryReply make(Served.Handshake client, String token) {
            boolean isToldInSession = this == TASK || this == OPERATION;
            var side = isToldInSession ? client.get() : null;
            assertThat(side == null || side.isStream()).isTrue();
            var reply = client.send("tools/call", call(token));
            if (isToldInSession) {
                reply.response();
            }
            assertThat(reply.isStream() || isToldInSession).isTrue();
            return side == null ? reply : side;
        }
    }

    private static String under(String params, String token) {
        return token.isEmpty() ? params : Served.and(params, "\"_meta\":{\"progressToken\":\"" + token + "\"}");
    }

    private Served nodes(int count) {
        return Served.nodes(count, Tools.walks(steps, (none, task) -> "there"));
    }

    /** A task of another session, which is told of it under the token "theirs". */
    private static String task(Served served) {
        return served.handshake("2025-11-25").task("walks", "\"task\":{},\"_meta\":{\"progressToken\":\"theirs\"}");
    }

    private static void assertTold(MemoryReply stream, int step, String token) {
        var params = Served.json(stream.nextContaining("notifications/progress").data())
                .path("params");
        assertThat(params.path("message").asString()).isEqualTo("step " + step);
        assertThat(params.path("progressToken").asString()).isEqualTo(token);
    }

    private static List<String> progress(MemoryReply stream) {
        return stream.messages().stream()
                .filter(message -> message.contains("notifications/progress"))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Reader.class)
    void a_request_for_an_outcome_is_told_under_its_own_token(Reader reader) {
        var stream = reader.read(served.handshake(reader.version), task(served), "mine");
        for (int step = 1; step <= 3; step++) {
            steps.release();
            assertTold(stream, step, "mine");
        }
        assertThat(progress(stream)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Reader.class)
    void a_request_for_an_outcome_without_a_token_is_told_of_no_progress(Reader reader) {
        var stream = reader.read(served.handshake(reader.version), task(served), "");
        steps.release(3);
        assertThat(progress(stream)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_request_is_told_under_its_own_token_also_when_its_client_comes_back_to_it(int count) {
        try (var nodes = nodes(count)) {
            var client = nodes.handshake("2025-11-25");
            var stream = Reader.RESULT.read(client, task(nodes), "mine");
            steps.release();
            var last = stream.nextContaining("step 1").id();
            stream.leave();
            // Each request goes to the next node.
            var resumed = client.resume(last);
            steps.release();
            assertTold(resumed, 2, "mine");
        }
    }

    @ParameterizedTest
    @EnumSource(Reader.class)
    void a_later_request_without_a_token_takes_no_progress_from_one_with_a_token(Reader reader) {
        var client = served.handshake(reader.version);
        String task = task(served);
        var stream = reader.read(client, task, "mine");
        var silent = reader.read(client, task, "");
        steps.release();
        assertTold(stream, 1, "mine");
        steps.release(2);
        assertThat(progress(silent)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Reader.class)
    void a_request_at_another_node_is_told_under_its_own_token_or_not_at_all(Reader reader) {
        try (var nodes = nodes(2)) {
            String task = task(nodes);
            List<MemoryReply> streams = new ArrayList<>();
            // Each request goes to the next node, so that both nodes have one of each.
            for (var token : List.of("one", "two", "", "")) {
                streams.add(reader.read(nodes.handshake(reader.version), task, token));
            }
            steps.release();
            assertTold(streams.get(0), 1, "one");
            assertTold(streams.get(1), 1, "two");
            steps.release(2);
            assertThat(streams.subList(2, 4))
                    .allSatisfy(silent -> assertThat(progress(silent)).isEmpty());
        }
    }

    @Test
    void a_session_that_has_joined_a_task_hears_a_request_of_its_own_token_under_that() {
        var client = served.handshake("2025-06-18");
        String task = task(served);
        client.ask("tools/async/join", under("{\"token\":\"" + task + "\"}", "joined"));
        var side = client.get();
        assertThat(side.isStream()).isTrue();
        var stream = Reader.GET.read(client, task, "mine");
        steps.release();
        assertTold(stream, 1, "mine");
        stream.leave();
        steps.release();
        assertTold(side, 2, "joined");
    }

    @Test
    void a_task_keeps_the_token_of_its_creation_in_the_session_of_that() {
        var client = served.handshake("2025-11-25");
        String task = client.task("walks", "\"task\":{},\"_meta\":{\"progressToken\":\"created\"}");
        var stream = Reader.RESULT.read(client, task, "mine");
        steps.release();
        assertTold(stream, 1, "created");
    }

    @ParameterizedTest
    @EnumSource(Repetition.class)
    void a_repeated_call_is_told_under_its_own_token(Repetition repetition) {
        var first = repetition.make(served.handshake(repetition.version), "theirs");
        var second = repetition.make(served.handshake(repetition.version), "mine");
        steps.release();
        assertTold(first, 1, "theirs");
        assertTold(second, 1, "mine");
    }

    @Test
    void a_session_that_repeats_its_call_with_a_token_is_told_under_that_from_then_on() {
        var first = Repetition.OPERATION.make(served.handshake("next"), "theirs");
        var client = served.handshake("next");
        var side = Repetition.OPERATION.make(client, "");
        steps.release();
        assertTold(first, 1, "theirs");
        client.send("tools/call", Repetition.OPERATION.call("mine")).response();
        steps.release();
        assertThat(side.nextContaining("step 2").data()).contains("\"mine\"");
    }

    @ParameterizedTest
    @EnumSource(Repetition.class)
    void a_repeated_call_without_a_token_is_told_of_no_progress(Repetition repetition) {
        var first = repetition.make(served.handshake(repetition.version), "theirs");
        var client = served.handshake(repetition.version);
        var second = repetition.make(client, "");
        steps.release(3);
        assertTold(first, 1, "theirs");
        client.delete().status();
        assertThat(progress(second)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_repeated_call_is_told_under_its_own_token_at_whichever_node(boolean hasToken) {
        try (var nodes = nodes(2)) {
            Repetition.OPERATION.make(nodes.handshake("next"), "theirs");
            var client = nodes.handshake("next");
            var second = Repetition.OPERATION.make(client, hasToken ? "mine" : "");
            steps.release();
            if (hasToken) {
                assertTold(second, 1, "mine");
            }
            steps.release(2);
            client.delete().status();
            assertThat(progress(second)).allMatch(message -> message.contains("\"mine\""));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "NAMED"})
    void a_repeated_call_is_told_under_its_own_token_also_when_its_client_comes_back_to_it(Repetition repetition) {
        repetition.make(served.handshake(repetition.version), "theirs");
        var client = served.handshake(repetition.version);
        var stream = repetition.make(client, "mine");
        steps.release();
        var last = stream.nextContaining("step 1").id();
        stream.leave();
        var resumed = client.resume(last);
        steps.release();
        assertTold(resumed, 2, "mine");
    }
}
