// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.Retention;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Dialect.Decoded;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.plan.Sender.Host;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Admission;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Parts;
import io.longhaul.receiver.tool.ServedTool.Plain;
import io.longhaul.receiver.tool.ServedTool.Schemas;
import io.longhaul.receiver.tool.ServedTool.Which;
import io.longhaul.schema.SchemaCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table of plans, as a page: {@code plans.md} beside the resources of the tests. */
class PlannerTest {

    private static final Planner PLANNER = new Planner(TaskLimits.DEFAULT, Duration.ofHours(2), true);
    private static final DialectSelector DIALECTS = new DialectSelector("parts", "1");
    private static final Kind.Quick QUICK = new Kind.Quick(arguments -> way -> {
        throw new AssertionError("a plan carries out nothing");
    });

    /** The tools of the columns. */
    private static final Map<String, Kind> TOOLS = ordered(
            Map.entry("quick", QUICK),
            Map.entry("long", tool(new Which.Every(), null, Parts.DEFAULT)),
            Map.entry("long, kept 5 h", tool(new Which.Every(), Duration.ofHours(5), Parts.DEFAULT)),
            Map.entry(
                    "long for x",
                    tool(new Which.Some(given -> given.toString().contains("x"), QUICK), null, Parts.DEFAULT)),
            Map.entry("tasks only", tool(new Which.TasksOnly(), null, Parts.DEFAULT)),
            Map.entry("in parts for all", tool(new Which.Every(), null, new Parts(true, null, null))));

    /** The calls of the rows: a dialect, and what is in the params beside the name of the tool. */
    private static final List<List<String>> CALLS = List.of(
            List.of("plain-2024-11-05", ""),
            List.of("plain-2025-06-18", ""),
            List.of("tasks-2025-11-25", ""),
            List.of("tasks-2025-11-25", "'task':{}"),
            List.of("tasks-2025-11-25", "'task':{'ttl':7200000}"),
            List.of("tasks-2025-11-25", "'task':7"),
            List.of("sep-1686-2025-06-18", "'_meta':{'modelcontextprotocol.io/task':{'taskId':'mine'}}"),
            List.of(
                    "sep-1686-2025-06-18",
                    "'_meta':{'modelcontextprotocol.io/task':{'taskId':'mine','keepAlive':7200000}}"),
            List.of("sep-1686-2025-06-18", "'_meta':{'modelcontextprotocol.io/task':7}"),
            List.of("operations-next", ""),
            List.of("operations-next", "'operation':{'token':'mine','keepAlive':7200}"),
            List.of("tools-async-2025-06-18", ""),
            List.of("tools-async-2025-06-18", "'keepAlive':7200"),
            List.of("resume-2025-06-18", ""),
            List.of("plain-2026-07-28", ""),
            List.of("tasks-2026-07-28", ""),
            List.of("resume-2026-07-28", ""));

    @Test
    void each_call_has_the_plan_of_the_table() throws IOException {
        var page = new ArrayList<String>();
        page.add("# Plans");
        section(
                page,
                "The server announces tasks; the sender knows tasks, or its host waits to the end",
                true,
                Host.WAITS);
        section(page, "The host gives up, and comes again under the same key", true, Host.COMES_AGAIN);
        section(page, "The host gives up", true, Host.GIVES_UP);
        section(page, "The server announces no tasks", false, Host.WAITS);
        manners(page);
        try (var in = PlannerTest.class.getResourceAsStream("/plans.md")) {
            var expected = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
            assertThat(String.join("\n", page) + "\n").isEqualTo(expected);
        }
    }

    @Test
    void a_task_is_kept_as_long_as_its_tokens_are_valid() {
        var life = TaskLimits.DEFAULT.defaultRetention().plusHours(3);
        var tool = served(tool(new Which.Every(), null, new Parts(false, null, life)));
        assertThat(task(PLANNER.plan(call("resume-2025-06-18", ""), tool, sender(true, Host.WAITS, true)))
                        .retention())
                .isEqualTo(Retention.fromCompletion(life));
    }

    @Test
    void a_call_of_an_unknown_tool_is_refused() {
        assertThat(words(PLANNER.plan(call("tasks-2025-11-25", "'task':{}"), null, sender(true, Host.WAITS, true))))
                .isEqualTo("UnknownTool");
        assertThat(words(PLANNER.plan(call("tools-async-2025-06-18", ""), null, sender(true, Host.WAITS, true))))
                .isEqualTo("UnknownTool, told to who joins");
    }

    @Test
    void a_tool_that_may_ask_first_is_awaited_where_its_sender_answers_in_rounds() {
        var questions = new ToolQuestions(Map.of(), true, Map.<String, Question>of());
        var asks =
                new Kind.LongRunning(new Which.Every(), null, given -> null, questions, Parts.DEFAULT, Plain.DEFAULT);
        var call = call("tasks-2026-07-28", "");
        assertThat(task(PLANNER.plan(call, served(asks), sender(true, Host.WAITS, false)))
                        .answering())
                .isEqualTo(new Answering.WithTask(true));
        assertThat(task(PLANNER.plan(call, served(asks), sender(true, Host.WAITS, true)))
                        .answering())
                .isEqualTo(new Answering.WithTask(false));
        var asksNothing = served(Objects.requireNonNull(TOOLS.get("long")));
        assertThat(task(PLANNER.plan(call, asksNothing, sender(true, Host.WAITS, false)))
                        .answering())
                .isEqualTo(new Answering.WithTask(false));
    }

    @Test
    void a_tool_in_parts_is_answered_at_the_end_where_its_sender_takes_no_parts() {
        var tool = served(Objects.requireNonNull(TOOLS.get("in parts for all")));
        var call = call("plain-2025-06-18", "");
        assertThat(words(PLANNER.plan(call, tool, sender(true, Host.WAITS, true, false))))
                .isEqualTo("end");
    }

    @Test
    void a_sender_that_can_neither_wait_nor_be_asked_brings_answers_as_arguments() {
        var form = Json.raw("{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\","
                + "\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}");
        var questions = new ToolQuestions(Map.of(), false, Map.of("who", new Question("elicitation/create", form)));
        var asks =
                new Kind.LongRunning(new Which.Every(), null, given -> null, questions, Parts.DEFAULT, Plain.DEFAULT);
        var call = call("plain-2025-06-18", "");
        assertThat(words(PLANNER.plan(call, served(asks), sender(true, Host.GIVES_UP, true))))
                .isEqualTo("told what is missing; else told what is missing");
        assertThat(words(PLANNER.plan(call, served(asks), sender(true, Host.WAITS, true))))
                .isEqualTo("end");
    }

    @Test
    void a_call_that_its_sender_can_make_again_is_not_left_where_its_response_is_closed() {
        var tool = served(Objects.requireNonNull(TOOLS.get("long")));
        var sender = sender(true, Host.WAITS, true);
        var named = call("sep-1686-2025-06-18", "'_meta':{'modelcontextprotocol.io/task':{'taskId':'mine'}}");
        var underKey = call("plain-2025-06-18", "'_meta':{'io.longhaul/creation-key':'mine'}");
        assertThat(task(PLANNER.plan(named, tool, sender)).leaving().byClosing())
                .isFalse();
        assertThat(task(PLANNER.plan(underKey, tool, sender)).leaving().byClosing())
                .isFalse();
        assertThat(task(PLANNER.plan(call("plain-2025-06-18", ""), tool, sender))
                        .leaving()
                        .byClosing())
                .isTrue();
        var rerun = PLANNER.again((Kind.LongRunning) tool.kind(), sender.asking(), sender.manner());
        assertThat(rerun.leaving().byClosing()).isTrue();
        assertThat(Planner.leaving(tool).byClosing()).isFalse();
        assertThat(Planner.leaving(tool).outlives()).isEqualTo(Plain.DEFAULT.outlives());
    }

    @Test
    void a_task_whose_host_gives_up_may_ask_for_a_form_where_the_model_has_tools_to_answer() {
        var call = call("plain-2025-06-18", "");
        var given = sender(true, Host.GIVES_UP, true);
        var tool = served(Objects.requireNonNull(TOOLS.get("long")));
        assertThat(task(PLANNER.plan(call, tool, given)).asking().capabilities().form())
                .isTrue();
        var waiting = new Planner(TaskLimits.DEFAULT, Duration.ofHours(2), false);
        assertThat(task(waiting.plan(call, tool, given)).asking()).isEqualTo(given.asking());
    }

    private static void section(List<String> page, String title, boolean announced, Host host) {
        page.addAll(List.of("", "## " + title, ""));
        page.add("| call | " + String.join(" | ", TOOLS.keySet()) + " |");
        page.add("|---".repeat(TOOLS.size() + 1) + "|");
        for (var call : CALLS) {
            var cells = TOOLS.values().stream()
                    .map(tool -> words(
                            PLANNER.plan(call(call.get(0), call.get(1)), served(tool), sender(announced, host, true))));
            page.add(Stream.concat(Stream.of(call.get(0) + " " + call.get(1)), cells)
                    .map(String::strip)
                    .collect(Collectors.joining(" | ", "| ", " |")));
        }
    }

    private static void manners(List<String> page) {
        page.addAll(List.of("", "## How the clients of a dialect are dealt with", ""));
        page.add("| dialect | a client that leaves a response | told of its tasks | asked | cancels by its call"
                + " | names of its own |");
        page.add("|---".repeat(6) + "|");
        for (var dialect : CALLS.stream().map(List::getFirst).distinct().toList()) {
            var manner = Planner.manner(DIALECTS.named(dialect).orElseThrow());
            var telling = manner.telling();
            page.add(Stream.of(
                            dialect,
                            manner.streamEnd().name().toLowerCase(Locale.ROOT),
                            telling.onCall() ? "on the call" : telling.inSession() ? "in its session" : "",
                            telling.asksAfterPoll()
                                    ? "after a poll"
                                    : telling.asksOnLooks()
                                            ? "on looks too"
                                            : manner.inSession() ? "on streams" : "in rounds",
                            manner.cancelledByCall() ? "yes" : "",
                            manner.aliases() == null ? "" : manner.aliases())
                    .collect(Collectors.joining(" | ", "| ", " |")));
        }
        page.addAll(List.of("", "## Tasks of clients, which questions become", ""));
        page.add("| generation | outcome | cancelled | kept from | names of ours |");
        page.add("|---".repeat(5) + "|");
        for (var generation : List.of(Generation.V2025_11_25, Generation.SEP_1686)) {
            var manner = Planner.ofClientTasks(ClientDialects.of(generation));
            page.add(Stream.of(
                            generation.toString(),
                            manner.waits() ? "one request waits" : "asked for after the end",
                            manner.cancelledByRequest() ? "by a request" : "by the question",
                            manner.kept().name().toLowerCase(Locale.ROOT),
                            manner.aliases() == null ? "" : manner.aliases())
                    .collect(Collectors.joining(" | ", "| ", " |")));
        }
    }

    private static String words(Plan plan) {
        return switch (plan) {
            case Plan.Refused(var why, var answering) ->
                why.getClass().getSimpleName() + (answering == null ? "" : ", told to who joins");
            case Plan.Quick quick -> "quick";
            case Plan.QuickTask task -> "quick, as a task";
            case Plan.Told told -> "told what is missing";
            case Plan.ByArguments by ->
                words(by.with(Json.raw("{\"a\":\"x\"}"))) + "; else " + words(by.with(Json.EMPTY_OBJECT));
            case Plan.Task task -> words(task.answering()) + kept(task.retention());
        };
    }

    private static String words(Answering answering) {
        return switch (answering) {
            case Answering.WithTask with -> "task";
            case Answering.AtTheEnd(var isTold) -> isTold ? "end, and told" : "end";
            case Answering.Within within -> "within";
            case Answering.NextPart part -> "part";
            case Answering.Joined joined -> "joined for " + joined.keep().toHours() + " h";
        };
    }

    private static String kept(@Nullable Retention retention) {
        return retention == null
                ? ""
                : ", " + retention.duration().toHours() + " h from "
                        + retention.basis().name().toLowerCase(Locale.ROOT);
    }

    private static Plan.Task task(Plan plan) {
        return (Plan.Task) plan;
    }

    private static CallTool call(String dialect, String params) {
        var words = DIALECTS.named(dialect).orElseThrow();
        var method = dialect.startsWith("tools-async") ? "tools/async/call" : "tools/call";
        var text = "{'name':'work','arguments':{}" + (params.isEmpty() ? "" : "," + params) + "}";
        var decoded = words.decode(method, Json.raw(text.replace('\'', '"')));
        return (CallTool) ((Decoded.Good) decoded).call();
    }

    private static ServedTool served(Kind kind) {
        return new ServedTool(
                "work",
                Json.EMPTY_OBJECT,
                SchemaCheck.of("{\"type\":\"object\"}"),
                kind,
                new Schemas(null, false),
                new Admission(Set.of(), null));
    }

    private static Kind.LongRunning tool(Which which, @Nullable Duration keep, Parts parts) {
        return new Kind.LongRunning(which, keep, given -> null, ToolQuestions.NONE, parts, Plain.DEFAULT);
    }

    private static Sender sender(boolean announced, Host host, boolean byRequest) {
        return sender(announced, host, byRequest, true);
    }

    /** A sender without capabilities. */
    private static Sender sender(boolean announced, Host host, boolean byRequest, boolean takesParts) {
        var manner = Planner.manner(DIALECTS.named("plain-2026-07-28").orElseThrow());
        var asking = new Asking(Capabilities.NONE, byRequest);
        return new Sender(manner, asking, announced, announced, takesParts, () -> host);
    }

    @SafeVarargs
    private static Map<String, Kind> ordered(Map.Entry<String, Kind>... tools) {
        var all = new LinkedHashMap<String, Kind>();
        for (var tool : tools) {
            all.put(tool.getKey(), tool.getValue());
        }
        return all;
    }
}
