// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import static io.longhaul.receiver.ext.resume.ResumeTokensTest.CALL;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.KNOWS;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.resume;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.texts;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Owner;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.LongRunning;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is in a part of a result, for how long its token is good, and where no token is taken (SEP-1003). */
class PartsOfResultsTest {

    private static final Duration WEEK = Duration.ofDays(7);

    private final MemoryTaskStore store = new MemoryTaskStore();
    private final FakeTime time = new FakeTime();
    private final CountDownLatch emitted = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    private Served serve(Tool... tools) {
        return Served.on(store, time, tools);
    }

    /** Answers at once, emits these pieces, and waits for the gate. */
    private Tool emits(List<?> pieces, Consumer<LongRunning> more) {
        return Tool.define("pages")
                .description("Gives pages")
                .input(Tools.Name.class)
                .longRunning(options -> more.accept(options.immediateResponse("It has begun.")))
                .handler((who, task) -> {
                    pieces.forEach(task::partial);
                    emitted.countDown();
                    gate.await();
                    return "all";
                });
    }

    private Tool emits(List<?> pieces) {
        return emits(pieces, options -> {});
    }

    private static Duration life(JsonNode response) {
        return Duration.ofMillis(
                response.at("/result/_meta/io.longhaul~1token-ttl-ms").asLong());
    }

    @Test
    void many_small_pieces_come_in_few_parts_of_bounded_size_each_piece_once_and_in_order() throws Exception {
        var pieces = IntStream.range(0, 5_000).mapToObj(i -> "line " + i).toList();
        try (var served = serve(emits(pieces))) {
            var client = served.handshake("2025-06-18", KNOWS);
            var part = client.ask("tools/call", CALL);
            emitted.await();
            var told = new ArrayList<String>();
            int parts = 0;
            while (told.size() < pieces.size()) {
                String response = client.send("tools/call", resume(token(part))).response();
                assertThat(response.length()).isLessThan(130_000);
                part = Served.json(response);
                told.addAll(texts(part));
                parts++;
            }
            assertThat(told).isEqualTo(pieces);
            assertThat(parts).isBetween(2, 6);
            gate.countDown();
        }
    }

    @Test
    void a_large_piece_is_a_part_of_its_own() throws Exception {
        var large = "x".repeat(500_000);
        try (var served = serve(emits(List.of("small", large, "small again", "and again")))) {
            var client = served.handshake("2025-06-18", KNOWS);
            var first = client.ask("tools/call", CALL);
            emitted.await();
            var second = client.ask("tools/call", resume(token(first)));
            assertThat(texts(second)).containsExactly("small");
            var third = client.ask("tools/call", resume(token(second)));
            assertThat(texts(third)).containsExactly(large);
            assertThat(texts(client.ask("tools/call", resume(token(third)))))
                    .containsExactly("small again", "and again");
            gate.countDown();
        }
    }

    @Test
    void a_piece_that_no_client_could_take_fails_the_call_with_a_clear_error() {
        try (var served = serve(emits(List.of("x".repeat(1 << 20))))) {
            var client = served.handshake("2025-06-18", KNOWS);
            var first = client.ask("tools/call", CALL);
            var end = client.ask("tools/call", resume(token(first))).path("error");
            assertThat(end.path("code").asInt()).isEqualTo(-32603);
            assertThat(end.path("message").asString())
                    .isEqualTo("A piece of partial output may have 1048576 bytes, and this one has 1048578.");
        }
    }

    @Test
    void the_life_of_a_token_is_told_and_its_task_is_kept_as_long() throws Exception {
        try (var served = serve(emits(List.of("a", "b".repeat(70_000), "c")))) {
            var client = served.handshake("2025-06-18", KNOWS);
            var first = client.ask("tools/call", CALL);
            assertThat(life(first)).isEqualTo(WEEK);
            emitted.await();
            gate.countDown();
            var second = awaitEnd(served, client, first);
            time.advance(WEEK.minusSeconds(1));
            var other = served.handshake("2025-06-18", KNOWS);
            var late = other.ask("tools/call", resume(token(second)));
            assertThat(texts(late)).singleElement().asString().startsWith("bbb");
            assertThat(life(late)).as("no longer than the task").isEqualTo(Duration.ofSeconds(1));
            time.advance(Duration.ofSeconds(1));
            assertThat(served.handshake("2025-06-18", KNOWS)
                            .ask("tools/call", resume(token(late)))
                            .path("error")
                            .path("code")
                            .asInt())
                    .isEqualTo(-32602);
        }
    }

    /** The first part, after the task has ended. */
    private static JsonNode awaitEnd(Served served, Served.Handshake client, JsonNode first) {
        var watcher = served.handshake("2025-11-25");
        var task = watcher.ask("tasks/list", "{}").at("/result/tasks/0/taskId");
        watcher.ask("tasks/result", "{\"taskId\":" + task + "}");
        return client.ask("tools/call", resume(token(first)));
    }

    @Test
    void a_token_stays_good_while_its_work_runs() throws Exception {
        try (var served = serve(emits(List.of("a"), options -> options.keepFor(Duration.ofHours(2))))) {
            var first = served.handshake("2025-06-18", KNOWS).ask("tools/call", CALL);
            emitted.await();
            time.advance(Duration.ofHours(20));
            var later = served.handshake("2025-06-18", KNOWS);
            assertThat(texts(later.ask("tools/call", resume(token(first))))).containsExactly("a");
            gate.countDown();
        }
    }

    @Test
    void no_longer_life_is_told_than_the_author_or_the_server_keeps_the_task() {
        try (var served = serve(emits(List.of(), options -> options.keepFor(Duration.ofHours(5))))) {
            var client = served.handshake("2025-06-18", KNOWS);
            assertThat(life(client.ask("tools/call", CALL))).isEqualTo(Duration.ofHours(5));
        }
        try (var served = Served.on(
                new MemoryTaskStore(),
                server -> server.tool(emits(List.of()))
                        .limits(TaskLimits.builder()
                                .longestRetention(Duration.ofDays(2))
                                .build())
                        .time(time))) {
            var client = served.handshake("2025-06-18", KNOWS);
            assertThat(life(client.ask("tools/call", CALL))).isEqualTo(Duration.ofDays(2));
        }
    }

    @Test
    void a_tool_whose_tokens_would_outlive_its_tasks_is_refused() {
        assertThatThrownBy(() -> serve(emits(
                        List.of(),
                        options -> options.keepFor(Duration.ofHours(5)).resumeFor(Duration.ofHours(6)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no token outlives its task");
        assertThatThrownBy(() -> Served.on(
                        store,
                        server -> server.limits(TaskLimits.builder()
                                        .longestRetention(Duration.ofDays(2))
                                        .build())
                                .tool(emits(List.of(), options -> options.resumeFor(Duration.ofDays(3))))))
                .hasMessageContaining("kept for no longer than PT48H");
    }

    @Test
    void the_work_of_a_task_that_was_made_in_another_generation_gives_tokens_as_long_as_it_is_kept() {
        try (var served = serve(emits(List.of()))) {
            var key = "\"_meta\":{\"io.longhaul/creation-key\":\"k\"}";
            var tasks = served.handshake("2025-11-25");
            tasks.ask("tools/call", Served.and(Served.and(CALL, key), "\"task\":{}"));
            var plain = served.handshake("2025-11-25", KNOWS).ask("tools/call", Served.and(CALL, key));
            assertThat(life(plain)).isEqualTo(Duration.ofDays(1));
            assertThat(store.list(TaskFilter.of(new Owner(Served.ALICE.name())), null, 10)
                            .tasks())
                    .hasSize(1);
        }
    }

    @Test
    void a_token_is_never_ignored_in_whatever_way_a_tool_is_called() {
        try (var served = serve(ResumeTokensTest.pages())) {
            var bad = "\"resumeToken\":\"adef50\"";
            var named = "\"modelcontextprotocol.io/task\":{\"taskId\":\"mine\"}";
            var session = served.handshake("2025-11-25");
            var unknown = "resumeToken is not one that this server gave to you for this very call";
            assertRefused(session.ask("tools/call", Served.and(CALL, bad)), unknown);
            var same = " cannot be given with resumeToken: a call is resumed with the params that it had";
            assertRefused(session.ask("tools/call", Served.and(CALL, bad + ",\"task\":{}")), "params.task" + same);
            assertRefused(
                    session.ask("tools/call", Served.and(CALL, bad + ",\"_meta\":{" + named + "}")),
                    "params.resumeToken cannot be given with a wish for a task: leave out one of the two");
            assertRefused(
                    session.ask("tools/call", Served.and(CALL, "\"_meta\":{" + named + "," + bad + "}")),
                    "params._meta.resumeToken cannot be given with a wish for a task: leave out one of the two");
            assertRefused(
                    session.ask("tools/async/call", Served.and(CALL, bad)),
                    "params.resumeToken is taken by tools/call alone");
            assertRefused(
                    session.ask("tools/async/call", Served.and(CALL, "\"_meta\":{" + bad + "}")),
                    "params._meta.resumeToken is taken by tools/call alone");
            assertRefused(
                    served.handshake("next").ask("tools/call", Served.and(CALL, bad + ",\"operation\":{}")),
                    "params.operation" + same);
            assertRefused(served.stateless(Served.TASKS).ask("tools/call", Served.and(CALL, bad)), unknown);
            assertRefused(served.stateless("{}").ask("tools/call", Served.and(CALL, bad)), unknown);
            assertThat(store.list(TaskFilter.of(new Owner(Served.ALICE.name())), null, 10)
                            .tasks())
                    .as("no work has run")
                    .isEmpty();
        }
    }

    private static void assertRefused(JsonNode response, String why) {
        assertThat(response.at("/error/code").asInt()).isEqualTo(-32602);
        assertThat(response.at("/error/message").asString()).startsWith(why);
    }
}
