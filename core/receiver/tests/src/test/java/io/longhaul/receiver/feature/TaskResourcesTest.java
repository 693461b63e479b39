// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.augmented;
import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.call.RequestKind;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The output and the log lines of a task as resources, for clients of the generations that know tasks. */
@Timeout(60)
class TaskResourcesTest {

    private static final String READ = "resources/read";
    private static final String OUTPUT = "io.longhaul/output";
    private static final String LOG = "io.longhaul/log";
    private static final String PROGRESS = "\"_meta\":{\"progressToken\":\"p\"}";

    private final Semaphore steps = new Semaphore(0);
    private final Semaphore done = new Semaphore(0);

    @AutoClose
    private final Served served = Served.with(speaks());

    /** Progress, a log line, a piece, and progress again; one for each permit of {@link #steps}. */
    private Tool speaks() {
        return Tool.define("speaks")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    await(() -> task.progress(1, 3, "begun"));
                    await(() -> task.log("debug", Map.of("rows", 2)));
                    await(() -> task.partial("one"));
                    await(() -> task.progress(2, 3, "more"));
                    steps.acquire();
                    return "all";
                });
    }

    private void await(Runnable step) throws InterruptedException {
        steps.acquire();
        step.run();
        done.release();
    }

    private void step() {
        steps.release();
        done.acquireUninterruptibly();
    }

    private static List<String> texts(JsonNode read) {
        return StreamSupport.stream(read.at("/result/contents").spliterator(), false)
                .map(content -> content.path("text").asString())
                .toList();
    }

    private static void assertLine(JsonNode read) {
        assertThat(texts(read)).hasSize(1);
        var line = Served.json(texts(read).getFirst());
        assertThat(line.path("level").asString()).isEqualTo("debug");
        assertThat(line.at("/data/rows").asInt()).isEqualTo(2);
        assertThat(line.path("at").asString()).endsWith("Z");
        assertThat(read.at("/result/contents/0/mimeType").asString()).isEqualTo("application/json");
    }

    /** What the look of a client at its task names, and what is read there, step by step. */
    private void assertNamed(UnaryOperator<String> look, UnaryOperator<String> read) {
        step();
        assertThat(meta(look).has(OUTPUT)).isFalse();
        assertThat(meta(look).has(LOG)).isFalse();
        step();
        assertThat(meta(look).has(OUTPUT)).isFalse();
        assertLine(Served.json(read.apply(meta(look).path(LOG).asString())));
        step();
        assertThat(texts(Served.json(read.apply(meta(look).path(OUTPUT).asString()))))
                .containsExactly("one");
        step();
        steps.release();
    }

    private static JsonNode meta(UnaryOperator<String> look) {
        return Served.json(look.apply("")).at("/result/_meta");
    }

    @Test
    void a_task_of_2026_07_28_names_its_output_and_its_log_once_there_are_any() {
        var client = served.stateless(Served.TASKS);
        var created = client.ask("tools/call", Served.call("speaks", "{}"));
        assertThat(created.at("/result/_meta").has(OUTPUT)).isFalse();
        var id = "{\"taskId\":\"" + created.at("/result/taskId").asString() + "\"}";
        assertNamed(
                none -> client.send("tasks/get", id).response(),
                uri -> client.send(READ, "{\"uri\":\"" + uri + "\"}").response());
    }

    @Test
    void a_task_of_2025_11_25_names_its_output_and_its_log_once_there_are_any() {
        var client = served.handshake("2025-11-25");
        var created = client.ask("tools/call", Served.and(Served.call("speaks", "{}"), "\"task\":{}"));
        var id = "{\"taskId\":\"" + created.at("/result/task/taskId").asString() + "\"}";
        assertNamed(
                none -> client.send("tasks/get", id).response(),
                uri -> client.send(READ, "{\"uri\":\"" + uri + "\"}").response());
        client.ask("tasks/result", id);
        var listed = client.ask("tasks/list", "{}").at("/result/tasks/0/_meta");
        assertThat(listed.has(OUTPUT)).as("after its end, too").isTrue();
        assertThat(listed.has(LOG)).isTrue();
    }

    @Test
    void a_task_of_sep_1686_names_its_output_and_its_log_once_there_are_any() {
        var client = served.handshake("2025-06-18");
        var reply = client.send("tools/call", augmented("speaks", "{}", "mine"));
        reply.nextContaining("notifications/tasks/created");
        assertNamed(none -> client.send("tasks/get", named("mine")).response(), uri -> {
            assertThat(uri).as("the task's own id").doesNotContain("mine");
            return client.send(READ, "{\"uri\":\"" + uri + "\"}").response();
        });
        reply.response();
    }

    @Test
    void progress_of_a_task_names_what_can_be_read_of_it() {
        var handshake = served.handshake("2025-11-25");
        var side = handshake.get();
        handshake.ask("tools/call", Served.and(Served.call("speaks", "{}"), "\"task\":{}," + PROGRESS));
        step();
        var first = Served.json(side.nextContaining("notifications/progress").data());
        assertThat(first.at("/params/_meta").has(OUTPUT)).isFalse();
        step();
        step();
        step();
        var later = Served.json(side.nextContaining("notifications/progress").data());
        var meta = later.at("/params/_meta");
        assertThat(meta.has(LOG)).isTrue();
        assertThat(meta.at("/io.modelcontextprotocol~1related-task").has("taskId"))
                .isTrue();
        var uri = meta.path(OUTPUT).asString();
        assertThat(texts(handshake.ask(READ, "{\"uri\":\"" + uri + "\"}"))).containsExactly("one");
        steps.release();
        assertThat(Served.json(side.nextContaining("notifications/tasks/status").data())
                        .at("/params/_meta")
                        .has(LOG))
                .isTrue();
    }

    @Test
    void progress_of_a_request_of_sep_1686_names_what_can_be_read_of_its_task() {
        var client = served.handshake("2025-06-18");
        var reply = client.send("tools/call", augmented("speaks", "{}", "mine"));
        step();
        reply.nextContaining("begun");
        step();
        step();
        step();
        var meta = Served.json(reply.nextContaining("more").data()).at("/params/_meta");
        assertThat(meta.has(OUTPUT) && meta.has(LOG)).isTrue();
        steps.release();
        reply.response();
    }

    @Test
    void every_log_line_is_read_page_by_page_also_those_that_were_too_many_to_be_told() {
        var tool = Tool.define("floods").longRunning().handler((none, task) -> {
            for (int line = 0; line < 3_000; line++) {
                task.log("info", line + "x".repeat(500));
                task.progress(line, 3_000, "more");
            }
            return "all";
        });
        try (var served = Served.with(tool)) {
            var client = served.handshake("2025-11-25");
            var created = client.ask("tools/call", Served.and(Served.call("floods", "{}"), "\"task\":{}"));
            var id = created.at("/result/task/taskId").asString();
            client.ask("tasks/result", "{\"taskId\":\"" + id + "\"}");
            var lines = new ArrayList<Integer>();
            int pages = 0;
            String next = null;
            for (String uri = "longhaul://tasks/" + id + "/log"; uri != null; pages++) {
                String page = client.send(READ, "{\"uri\":\"" + uri + "\"}").response();
                assertThat(page.length()).as("one message").isLessThan(2_500_000);
                uri = null;
                for (JsonNode content : Served.json(page).at("/result/contents")) {
                    if (content.path("mimeType").asString().equals("text/uri-list")) {
                        uri = content.path("uri").asString();
                        assertThat(uri).contains("/log?after=").isEqualTo(next);
                    } else {
                        next = content.path("_meta").path("io.longhaul/next").asString(null);
                        var line = Served.json(content.path("text").asString());
                        lines.add(Integer.parseInt(line.path("data").asString().replace("x", "")));
                    }
                }
            }
            assertThat(pages).isGreaterThan(1);
            assertThat(lines).hasSize(3_000).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void the_last_piece_says_where_those_after_it_will_be() {
        var told = new Semaphore(0);
        var tool = Tool.define("counts").longRunning().handler((none, task) -> {
            for (int piece = 1; piece <= 3; piece++) {
                steps.acquire();
                task.progress(piece, 3, "more");
                task.partial("piece " + piece);
                told.release();
            }
            steps.acquire();
            return "all";
        });
        try (var served = Served.with(tool)) {
            var client = served.handshake("2025-11-25");
            var created = client.ask("tools/call", Served.and(Served.call("counts", "{}"), "\"task\":{}"));
            String uri = "longhaul://tasks/" + created.at("/result/task/taskId").asString() + "/output";
            steps.release(2);
            told.acquireUninterruptibly(2);
            var first = client.ask(READ, "{\"uri\":\"" + uri + "\"}");
            assertThat(texts(first)).containsExactly("piece 1", "piece 2");
            assertThat(first.at("/result/contents/0").has("_meta")).isFalse();
            var next = first.at("/result/contents/1/_meta")
                    .path("io.longhaul/next")
                    .asString();
            assertThat(texts(client.ask(READ, "{\"uri\":\"" + next + "\"}"))).isEmpty();
            steps.release();
            told.acquireUninterruptibly();
            assertThat(texts(client.ask(READ, "{\"uri\":\"" + next + "\"}"))).containsExactly("piece 3");
            steps.release();
        }
    }

    @Test
    void only_the_owner_of_a_task_reads_its_log_in_every_generation_and_no_list_has_it() {
        var client = served.handshake("2025-11-25");
        var created = client.ask("tools/call", Served.and(Served.call("speaks", "{}"), "\"task\":{}"));
        step();
        step();
        var uri = "longhaul://tasks/" + created.at("/result/task/taskId").asString() + "/log";
        var params = "{\"uri\":\"" + uri + "\"}";
        for (var version : List.of("2024-11-05", "2025-03-26", "2025-06-18", "next", "2025-11-25")) {
            assertLine(served.handshake(version).ask(READ, params));
            for (var other : List.of(Served.BOB, Principal.ANONYMOUS)) {
                var refused = served.handshake(version, other).ask(READ, params);
                assertThat(refused.at("/error/code").asInt()).isEqualTo(-32002);
            }
            assertThat(served.handshake(version).ask("resources/list", "{}").toString())
                    .doesNotContain("longhaul://");
        }
        assertLine(served.stateless(Served.TASKS).ask(READ, params));
        assertThat(served.stateless(Served.TASKS, Served.BOB).ask(READ, params).has("error"))
                .isTrue();
        steps.release(3);
    }

    @Test
    void a_task_names_its_output_and_its_log_also_after_a_restart_and_after_its_end() {
        var created = served.stateless(Served.TASKS).ask("tools/call", Served.call("speaks", "{}"));
        String id = created.at("/result/taskId").asString();
        step();
        step();
        step();
        served.restart();
        var client = served.stateless(Served.TASKS);
        client.ask("tasks/cancel", "{\"taskId\":\"" + id + "\"}");
        var task = client.ask("tasks/get", "{\"taskId\":\"" + id + "\"}").path("result");
        assertThat(task.path("status").asString()).isEqualTo("cancelled");
        for (var name : List.of(OUTPUT, LOG)) {
            var uri = task.path("_meta").path(name).asString();
            assertThat(texts(client.ask(READ, "{\"uri\":\"" + uri + "\"}"))).hasSize(1);
        }
    }

    @Test
    void a_server_whose_quick_tools_can_be_tasks_declares_the_resources_that_their_logs_are() {
        var tool = Tool.define("chats").handler((none, call) -> {
            call.log("info", "hello");
            return "done";
        });
        try (var served = Served.with(server -> server.tool(tool).tasksOf(RequestKind.TOOL_CALL));
                var line = served.connect()) {
            line.send(Served.initialize("2025-06-18", "{}"));
            assertThat(Served.json(line.next())
                            .at("/result/capabilities/resources")
                            .isObject())
                    .isTrue();
            var client = served.handshake("2025-06-18");
            client.send("tools/call", augmented("chats", "{}", "mine")).response();
            var uri = client.ask("tasks/get", named("mine"))
                    .at("/result/_meta")
                    .path(LOG)
                    .asString();
            assertThat(texts(client.ask(READ, "{\"uri\":\"" + uri + "\"}"))).hasSize(1);
        }
    }
}
