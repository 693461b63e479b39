// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOptions.TaskUse;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.LogLevel;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.RefusedException;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.ResourcePart;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.ServerList;
import io.longhaul.client.TaskReference;
import io.longhaul.client.ToolInfo;
import io.longhaul.gateway.link.Listing;
import io.longhaul.gateway.link.UnknownCaller;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.HistoryRange;
import io.longhaul.protocol.call.TaskQuery;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.Answerer;
import io.longhaul.server.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What clients of a gateway have of the servers behind it. */
@Timeout(120)
class GatewayTest {

    static final QuestionHandler ADA =
            QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.raw("{\"name\":\"Ada\"}")));

    @TempDir
    Path folder;

    private Behind behind;
    private Front front;
    private McpClient client;

    @BeforeEach
    void start() {
        behind = new Behind(folder.resolve("behind.db"));
        front = Front.of(folder.resolve("gateway.db"), upstream());
        client = front.client().answers(ADA).connect();
    }

    @Test
    void a_call_at_an_upstream_that_goes_or_changes_ends_there() throws Exception {
        var goes = client.call("job", Map.of("name", "goes"));
        behind.awaitBegun("goes");
        var gateway = front.gateway();
        gateway.change(List.of(upstream().prefix("new_")), Set.of(), Set.of());
        try (var other = front.client().connect()) {
            assertThat(other.tools())
                    .extracting(ToolInfo::name)
                    .contains("new_job")
                    .doesNotContain("job");
        }
        var changed = client.call("new_job", Map.of("name", "changed"));
        behind.awaitBegun("changed");
        gateway.change(List.of(), Set.of(), Set.of());
        assertThat(gateway.tools()).isZero();
        behind.open("goes");
        behind.open("changed");
        assertThat(goes.await()).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(changed.await()).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(behind.runs("goes") + behind.runs("changed")).isEqualTo(2);
    }

    private Upstream upstream() {
        return Upstream.at("tests", behind.address()).quickTools("echo", "greet", "refuse");
    }

    @AfterEach
    void stop() {
        client.close();
        front.close();
        behind.close();
    }

    static String text(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
        return ((CallOutcome.ToolResult) outcome).result().toString();
    }

    private static RemoteCall<CallOutcome> begun(McpClient client, String name) throws InterruptedException {
        var call = client.call("job", Map.of("name", name));
        var seen = new CountDownLatch(1);
        call.onProgress(progress -> seen.countDown());
        seen.await();
        return call;
    }

    @Test
    void tools_are_listed_as_their_server_lists_them_and_long_ones_are_tasks() {
        assertThat(client.tools())
                .extracting(ToolInfo::name)
                .containsExactly(
                        "echo",
                        "greet",
                        "refuse",
                        "job",
                        "approve",
                        "approve_twice",
                        "approve_both",
                        "think",
                        "ponder",
                        "folders",
                        "look_around",
                        "strict",
                        "named");
        var echo = client.tools().getFirst();
        assertThat(echo.description()).isEqualTo("Says it again");
        assertThat(echo.inputSchema().toString()).contains("\"text\"");
        try (var older = front.client().generation(Generation.V2025_11_25).connect()) {
            assertThat(older.tools().subList(0, 5))
                    .extracting(ToolInfo::taskMode)
                    .containsExactly(
                            TaskMode.NEVER, TaskMode.NEVER, TaskMode.NEVER, TaskMode.OPTIONAL, TaskMode.OPTIONAL);
        }
    }

    @Test
    void what_a_server_asks_before_it_has_a_task_is_asked_before_there_is_one_here() throws Exception {
        var order = new LinkedBlockingQueue<String>();
        var answerer = new Answerer() {
            @Override
            public Capabilities capabilities() {
                return new Capabilities(true, false, false, false, false);
            }

            @Override
            public Given answer(CallResponse.Question question) {
                order.add("question");
                return new Given.Result(Json.raw("{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}"));
            }
        };
        var call = client.call("named", Json.EMPTY_OBJECT, CallOptions.DEFAULT, answerer, update -> {
            if (update instanceof CallUpdate.Created) {
                order.add("task");
            }
        });
        assertThat(text(call.await())).contains("Hello, Ada");
        assertThat(order).containsExactly("question", "task");
    }

    /** Which server lists that a tool runs as tasks alone: one of 2025-11-25, and one of Longhaul. */
    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25"})
    void a_tool_that_runs_as_tasks_alone_does_so_here_unless_it_is_named_as_a_long_one(Generation server)
            throws Exception {
        var closed = Upstream.at("closed", behind.address()).generation(server);
        var open = closed.longTools("strict");
        for (var upstream : List.of(closed, open)) {
            try (var other = Front.of(folder.resolve(upstream == open ? "open.db" : "closed.db"), upstream);
                    var plain =
                            other.client().generation(Generation.V2025_06_18).connect();
                    var tasks = other.client().connect()) {
                var listed = plain.tools().stream().map(ToolInfo::name).toList();
                assertThat(listed.contains("strict")).isEqualTo(upstream == open);
                var refused = new CallOptions(null, null, TaskUse.REFUSE, null);
                var without = tasks.call("strict", Json.EMPTY_OBJECT, refused).await();
                if (upstream == open) {
                    assertThat(text(without)).contains("done");
                } else {
                    assertThat(without)
                            .isInstanceOfSatisfying(
                                    CallOutcome.ProtocolError.class,
                                    end -> assertThat(end.error().code()).isEqualTo(-32021));
                }
                assertThat(text(tasks.call("strict", Json.EMPTY_OBJECT).await()))
                        .contains("done");
            }
        }
    }

    @Test
    void a_quick_call_passes_through_with_progress_and_logs() throws Exception {
        var told = new LinkedBlockingQueue<CallUpdate>();
        client.logLevel(LogLevel.INFO);
        var call = client.call(
                "echo",
                Map.of("text", "hello"),
                CallOptions.DEFAULT,
                new UnknownCaller(Upstream.launch("test", List.of("test")).server),
                told::add);
        assertThat(text(call.await())).contains("echo hello");
        assertThat(call.reference()).isEmpty();
        assertThat(told)
                .anyMatch(update -> update instanceof CallUpdate.Status status
                        && new ProgressView(1, 2.0, "half").equals(status.progress()))
                .anyMatch(update ->
                        update instanceof CallUpdate.Log(var level, var logger, var line) && line.contains("heard"));
    }

    @Test
    void an_error_of_the_server_goes_on_as_it_came() throws Exception {
        assertThat(client.call("refuse", Json.EMPTY_OBJECT).await())
                .isInstanceOfSatisfying(CallOutcome.ProtocolError.class, end -> {
                    assertThat(end.error().message()).isEqualTo("not today");
                    assertThat(String.valueOf(end.error().data())).contains("rain");
                });
    }

    @Test
    void a_tool_of_this_server_calls_one_of_the_server_behind_whose_question_reaches_its_caller() throws Exception {
        front.server()
                .addTool(Tool.define("welcome")
                        .longRunning()
                        .handler((none, task) ->
                                "Welcome. " + task.call("approve", Map.of()).await(String.class)));
        var call = client.call("welcome", Json.EMPTY_OBJECT);
        assertThat(text(call.await())).contains("Welcome. Hello, Ada");
        var parent = call.reference().orElseThrow().taskId();
        var operator = client.tasks().asOperator().orElseThrow();
        var query = new TaskQuery(null, null, Set.of(), null, parent);
        assertThat(operator.find(query, null, 10).tasks())
                .singleElement()
                .satisfies(child -> assertThat(child.tool()).isEqualTo("approve"));
    }

    @Test
    void a_quick_call_asks_its_own_caller() throws Exception {
        try (var bob = front.client()
                .answers(QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.raw("{\"name\":\"Bob\"}"))))
                .connect()) {
            var first = client.call("greet", Json.EMPTY_OBJECT);
            var second = bob.call("greet", Json.EMPTY_OBJECT);
            assertThat(text(first.await())).contains("Hello, Ada");
            assertThat(text(second.await())).contains("Hello, Bob");
        }
    }

    @Test
    void a_long_call_is_a_task_here_and_there_and_its_history_names_the_other_one() throws Exception {
        var call = begun(client, "one");
        var reference = call.reference().orElseThrow();
        behind.open("one");
        assertThat(text(call.await())).contains("done one");
        var history = history(client, reference.taskId());
        try (var direct = McpClient.to(behind.address()).connect()) {
            var there = direct.tasks().list().getFirst().id();
            assertThat(there).isNotEqualTo(reference.taskId());
            assertThat(history).contains(there).contains("half of one");
        }
    }

    @Test
    void what_a_long_tool_logs_is_told_where_its_server_tells_it() throws Exception {
        try (var older = Front.of(folder.resolve("older.db"), upstream().generation(Generation.V2025_11_25));
                var caller = older.client().generation(Generation.V2025_11_25).connect()) {
            var told = new LinkedBlockingQueue<CallUpdate>();
            caller.logLevel(LogLevel.INFO);
            var call = caller.call("job", Map.of("name", "logged"));
            call.onUpdate(told::add);
            CallUpdate update;
            do {
                update = told.take();
            } while (!(update instanceof CallUpdate.Log(var level, var logger, var line) && line.contains("logged")));
            behind.open("logged");
            assertThat(text(call.await())).contains("done logged");
        }
    }

    @Test
    void a_long_call_asks_its_caller_once() throws Exception {
        assertThat(text(client.call("approve", Json.EMPTY_OBJECT).await())).contains("Hello, Ada");
    }

    @Test
    void a_cancel_reaches_the_server() throws Exception {
        var call = begun(client, "gone");
        call.reference();
        call.cancel();
        assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        behind.awaitCancelled();
    }

    @Test
    void a_cancel_of_a_quick_call_reaches_the_server() throws Exception {
        var begun = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        behind.running.addTool(Tool.define("hold").handler((input, call) -> {
            begun.countDown();
            try {
                return new CountDownLatch(1).await(1, TimeUnit.DAYS);
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        }));
        try (var other = Front.of(folder.resolve("other.db"), upstream().quickTools("hold"));
                var caller = other.client().connect()) {
            var call = caller.call("hold", Json.EMPTY_OBJECT);
            begun.await();
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
            interrupted.await();
        }
    }

    @Test
    void what_a_server_gives_before_the_end_is_output_of_the_task() throws Exception {
        behind.running.addTool(Tool.define("pieces").longRunning().handler((input, task) -> {
            task.partial("first piece");
            return "done";
        }));
        try (var other = Front.of(
                        folder.resolve("other.db"),
                        upstream().generation(Generation.SEP_1003).longTools("pieces"));
                var caller = other.client().connect()) {
            var call = caller.call("pieces", Json.EMPTY_OBJECT);
            assertThat(text(call.await())).contains("done");
            var task = call.reference().orElseThrow().taskId();
            assertThat(history(caller, task)).contains("first piece");
        }
    }

    private static String history(McpClient client, String task) {
        return client.tasks()
                .asOperator()
                .orElseThrow()
                .history(task, new HistoryRange(0, 100, Set.of(), null, Duration.ZERO))
                .toString();
    }

    @Test
    void resources_prompts_and_completions_pass_through() {
        assertThat(client.resources().list()).extracting(each -> each.uri()).contains("notes://today");
        assertThat(client.resources().read("notes://today"))
                .containsExactly(new ResourcePart.Text("notes://today", "text/plain", "first"));
        assertThat(((ResourcePart.Text)
                                client.resources().read("notes://day/friday").getFirst())
                        .text())
                .isEqualTo("notes of friday");
        assertThat(client.resources()
                        .complete("notes://day/{day}", "day", "", Map.of())
                        .values())
                .containsExactly("monday", "tuesday");
        assertThat(client.prompts()
                        .get("plan", Map.of("topic", "tea"))
                        .messages()
                        .getFirst()
                        .content()
                        .toString())
                .contains("Plan tea");
        assertThat(client.prompts().complete("plan", "topic", "x", Map.of()).values())
                .containsExactly("x!", "other");
        assertThatThrownBy(() -> client.resources().read("notes://other")).isInstanceOf(RefusedException.class);
    }

    @Test
    void a_client_that_watches_a_resource_is_told_of_its_changes() throws Exception {
        var told = new LinkedBlockingQueue<String>();
        try (var watching = client.resources().onChange("notes://today", () -> told.add("changed"))) {
            var text = "";
            for (int change = 0; !text.equals("last"); change++) {
                // The subscription at the server behind comes a moment after that of the client.
                behind.change(change < 1000 ? "more " + change : "last");
                if (told.poll(10, TimeUnit.MILLISECONDS) != null) {
                    text = "last";
                }
            }
            assertThat(text).isEqualTo("last");
        }
    }

    @Test
    void a_tool_that_comes_later_is_told_of_and_one_that_goes_is_gone() throws Exception {
        var changed = new LinkedBlockingQueue<ServerList>();
        try (var listening = client.onListChange(changed::add)) {
            behind.running.addTool(Tool.define("late").handler((input, call) -> "late"));
            while (client.tools().stream().noneMatch(tool -> tool.name().equals("late"))) {
                changed.take();
            }
            assertThat(text(client.call("late", Json.EMPTY_OBJECT).await())).contains("late");
            behind.running.removeTool("late");
            while (client.tools().stream().anyMatch(tool -> tool.name().equals("late"))) {
                changed.take();
            }
        }
    }

    @Test
    void tools_of_one_name_are_told_apart_by_the_name_of_their_server() throws Exception {
        try (var other = new Behind(folder.resolve("other.db"));
                var both = Front.of(
                        folder.resolve("both.db"),
                        upstream(),
                        Upstream.at("more", other.address()).quickTools("echo"),
                        Upstream.at("third", other.address()).prefix("x.").quickTools("echo"));
                var caller = both.client().connect()) {
            assertThat(caller.tools())
                    .extracting(ToolInfo::name)
                    .contains("job", "more_job", "x.job", "echo", "more_echo", "x.echo");
            other.open("b");
            assertThat(text(caller.call("more_job", Map.of("name", "b")).await()))
                    .contains("done b");
            assertThat(other.runs("b")).isEqualTo(1);
            assertThat(behind.runs("b")).isZero();
        }
    }

    @Test
    void a_gateway_that_is_stopped_and_started_goes_on_with_a_call() throws Exception {
        var call = begun(client, "kept");
        var reference = call.reference().orElseThrow();
        client.close();
        front.close();
        front = Front.of(folder.resolve("gateway.db"), upstream());
        client = front.client().answers(ADA).connect();
        var again = client.attach(
                new TaskReference(new ServerAddress.Http(front.address()), reference.generation(), reference.taskId()));
        behind.open("kept");
        assertThat(text(again.await())).contains("done kept");
        assertThat(behind.runs("kept")).isEqualTo(1);
    }

    @Test
    void a_server_that_is_started_asks_the_caller_of_the_one_call_that_is_under_way() throws Exception {
        for (var generation : List.of(Generation.V2025_06_18, Generation.V2026_07_28)) {
            var started = BehindMain.upstream("started").generation(generation).quickTools("greet");
            try (var other = Front.of(folder.resolve(generation.label() + ".db"), started);
                    var caller = other.client().answers(ADA).connect();
                    var mute = other.client().connect()) {
                assertThat(text(caller.call("greet", Json.EMPTY_OBJECT).await()))
                        .contains("Hello, Ada");
                assertThat(mute.call("greet", Json.EMPTY_OBJECT).await().toString())
                        .doesNotContain("Ada");
            }
        }
    }

    @Test
    void the_companions_of_a_gateway_are_its_own() throws Exception {
        behind.running.addTool(Tool.define("task_wait").handler((input, call) -> "theirs"));
        behind.running.addTool(Tool.define("wait").handler((input, call) -> "theirs"));
        try (var older = Front.of(
                        folder.resolve("older.db"),
                        upstream().generation(Generation.V2025_06_18),
                        Upstream.at("none", behind.address()).prefix("task_"));
                var caller = older.client().generation(Generation.V2025_06_18).connect()) {
            assertThat(caller.tools().stream().filter(tool -> tool.name().equals("task_wait")))
                    .singleElement()
                    .satisfies(tool -> assertThat(tool.description()).contains("still running"));
            assertThat(caller.tools())
                    .extracting(ToolInfo::name)
                    .doesNotContain("tests_task_wait")
                    .contains("task_echo", "task_cancel", "none_wait");
        }
    }

    @Test
    void a_listing_is_read_as_it_was_kept() {
        try (var direct = McpClient.to(behind.address()).connect()) {
            var listing = Listing.of(direct);
            assertThat(listing.tools()).hasSize(13);
            assertThat(Listing.parse(listing.toJson())).isEqualTo(listing);
        }
    }
}
