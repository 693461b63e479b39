// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call.Subscription;
import io.longhaul.protocol.call.Call.TaskWish.NextPart;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.OfTasks;
import io.longhaul.protocol.call.CallResponse.Offer;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.CallResponse.Resources;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers, notices and questions that transcripts name. */
final class Fixtures {

    private static final Json GOOD = content("done", false);
    private static final Json WITH_META = Json.raw("{\"_meta\":{\"com.example/a\":1},\"content\":[]}");
    private static final Json BAD = content("no", true);
    private static final ProgressView LOADED = new ProgressView(42, 100.0, "loaded");
    private static final ResourceUris READABLE =
            new ResourceUris("longhaul://tasks/task-1/output", "longhaul://tasks/task-1/log");
    private static final RpcError BUSY = new RpcError(-32000, "Upstream is busy", Json.raw("{\"retryAfter\":5}"));

    private Fixtures() {}

    static CallResponse answer(String name) {
        return switch (name) {
            case "opened" -> new CallResponse.Opened("2025-11-25", server(true));
            case "opened-without-list" -> new CallResponse.Opened("2025-11-25", server(false));
            case "opened-old" -> new CallResponse.Opened("2025-03-26", server(true));
            case "opened-next" -> new CallResponse.Opened("next", server(true));
            case "discovered" -> new CallResponse.Discovered(server(true));
            case "done" -> new CallResponse.Done();
            case "tools" -> new CallResponse.Tools(tools(), "next");
            case "result" -> new CallResponse.ToolResult(GOOD);
            case "result-with-meta" -> new CallResponse.ToolResult(WITH_META);
            case "part" -> new CallResponse.Part(GOOD, new NextPart("adef51", false, "t1"), Duration.ofHours(2), true);
            case "part-beside" -> new CallResponse.Part(GOOD, new NextPart("adef51", true), null, true);
            case "part-beside-meta" -> new CallResponse.Part(WITH_META, new NextPart("adef51", true), null, true);
            case "part-nothing-new" -> new CallResponse.Part(GOOD, new NextPart("adef51", false), null, false);
            case "created" -> new CallResponse.TaskCreated(live(State.SUBMITTED, null), null);
            case "created-with-words" ->
                new CallResponse.TaskCreated(
                        live(State.WORKING, null), MessageWriter.content("Started; ask again later."));
            case "created-unlimited" -> new CallResponse.TaskCreated(unlimited(live(State.SUBMITTED, null)), null);
            case "joined" ->
                new CallResponse.TaskJoined(
                        live(State.WORKING, null), Duration.ofHours(2), Instant.ofEpochSecond(1700000000));
            case "rejected" ->
                new CallResponse.TaskRejected(
                        new Refusal.UnknownTool("nope"),
                        new CallResponse.Ticket("rejected-1", Duration.ofHours(1)),
                        Instant.ofEpochSecond(1700000000));
            case "rejected-without-token" ->
                new CallResponse.TaskRejected(new Refusal.UnknownTool("nope"), null, Instant.ofEpochSecond(1700000000));
            case "rejected-before" -> new CallResponse.RejectedBefore("Unknown tool: nope");
            case "needed-url" -> new CallResponse.InputNeeded(Map.of("link", question("url")), "state");
            case "needed" -> new CallResponse.InputNeeded(questions("a"), "state");
            case "submitted" -> new CallResponse.TaskState(live(State.SUBMITTED, null));
            case "working" -> new CallResponse.TaskState(live(State.WORKING, LOADED));
            case "readable" -> new CallResponse.TaskState(readable(live(State.WORKING, LOADED)));
            case "created-readable" -> new CallResponse.TaskCreated(readable(live(State.WORKING, null)), null);
            case "state-readable" -> new CallResponse.TaskState(readable(ended("cancelled")));
            case "asking" -> new CallResponse.TaskState(asking());
            case "page" -> new CallResponse.TaskPage(List.of(live(State.WORKING, null), ended("ok")), "next");
            case "updated" -> new CallResponse.TaskUpdated(live(State.WORKING, null));
            case "cancelled" -> new CallResponse.TaskCancelled(ended("cancelled"));
            case "deleted" -> new CallResponse.TaskDeleted("task-1");
            case "already-ended" -> new CallResponse.TaskAlreadyEnded(ended("ok"));
            default ->
                name.startsWith("state-")
                        ? new CallResponse.TaskState(ended(name.substring(6)))
                        : name.startsWith("outcome-")
                                ? new CallResponse.TaskOutcome(ended(name.substring(8)))
                                : new CallResponse.Refused(refusal(name));
        };
    }

    static Notice notice(String name) {
        return switch (name) {
            case "progress" -> new Notice.Progress(Json.raw("\"p1\""), LOADED, null);
            case "task-progress" -> new Notice.Progress(Json.raw("7"), new ProgressView(0.5, null, null), "task-1");
            case "output-progress" -> new Notice.Progress(Json.raw("7"), LOADED, "task-1", READABLE);
            case "call-cancelled" ->
                new Notice.CallCancelled(new RequestId.Number(5), "The task was cancelled by request.");
            case "log" -> new Notice.Log("info", "reports", Json.raw("{\"rows\":3}"), null);
            case "task-log" -> new Notice.Log("error", null, Json.raw("\"disk full\""), "task-1");
            case "task-created" -> new Notice.TaskCreated(live(State.SUBMITTED, null));
            case "task-working" -> new Notice.TaskChanged(live(State.WORKING, LOADED));
            case "task-readable" -> new Notice.TaskChanged(readable(live(State.WORKING, null)));
            case "task-completed" -> new Notice.TaskChanged(ended("ok"));
            case "subscribed" ->
                new Notice.Subscribed(new Subscription(true, false, false, List.of(), List.of("task-1")));
            case "unsubscribed" -> new Notice.Unsubscribed();
            case "elicitation-completed" -> new Notice.ElicitationCompleted("e-1");
            case "withdrawn" -> new Notice.Withdrawn(new RequestId.Text("q1"), "Nobody answered in time", null);
            case "task-withdrawn" ->
                new Notice.Withdrawn(new RequestId.Text("q1"), "Nobody answered in time", "task-1");
            case "tools-changed" -> new Notice.ToolsChanged();
            default -> throw new IllegalArgumentException(name);
        };
    }

    static Question question(String name) {
        return switch (name) {
            case "elicit" ->
                new Question(
                        "elicitation/create",
                        Json.raw("{\"message\":\"Publish?\","
                                + "\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}"));
            case "roots" -> new Question("roots/list", Json.EMPTY_OBJECT);
            case "choices" ->
                new Question(
                        "elicitation/create",
                        Json.raw("{\"mode\":\"form\",\"message\":\"Which?\",\"requestedSchema\":{"
                                + "\"type\":\"object\",\"properties\":{\"size\":{\"type\":\"string\",\"oneOf\":["
                                + "{\"const\":\"s\",\"title\":\"Small\"},{\"const\":\"l\",\"title\":\"Large\"}],"
                                + "\"default\":\"s\"},\"gift\":{\"type\":\"boolean\",\"default\":true}},"
                                + "\"required\":[\"size\"]}}"));
            case "url" ->
                new Question(
                        "elicitation/create",
                        Json.raw("{\"mode\":\"url\",\"message\":\"Connect your account.\","
                                + "\"url\":\"https://reports.example/connect\",\"elicitationId\":\"e-1\"}"));
            case "sample" ->
                new Question(
                        "sampling/createMessage",
                        Json.raw("{\"messages\":[{\"role\":\"user\",\"content\":["
                                + "{\"type\":\"text\",\"text\":\"What is it?\"},"
                                + "{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"}]}],"
                                + "\"maxTokens\":100}"));
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Refusal refusal(String name) {
        return switch (name) {
            case "unknown-task" -> new Refusal.UnknownTask("task-9");
            case "still-live" -> new Refusal.TaskStillLive(live(State.WORKING, null));
            case "still-stopping" -> new Refusal.TaskStillLive(ended("cancelled"));
            case "unknown-tool" -> new Refusal.UnknownTool("nope");
            case "invalid-params" -> new Refusal.InvalidParams("params.name is required");
            case "invalid-arguments" -> new Refusal.InvalidArguments("report", "year must be a number");
            case "invalid-cursor" -> new Refusal.InvalidCursor();
            case "task-required" -> new Refusal.TaskRequired("report");
            case "task-not-supported" -> new Refusal.TaskNotSupported("echo");
            case "capability-missing" -> new Refusal.CapabilityMissing(new Capabilities(true, true, true, true, false));
            case "key-reused" -> new Refusal.CreationKeyReused();
            case "limit" -> new Refusal.LimitReached("live tasks", 100);
            case "storage-full" -> new Refusal.StorageFull();
            case "storage-failed" -> new Refusal.StorageFailed();
            case "internal" -> new Refusal.Internal();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static TaskView live(State state, @Nullable ProgressView progress) {
        return view(state, progress, Map.of(), null);
    }

    private static TaskView unlimited(TaskView task) {
        var times = new TaskView.Times(task.times().createdAt(), task.times().updatedAt(), null, null);
        return new TaskView(task.id(), task.status(), times, task.poll(), task.inputs(), task.end());
    }

    private static TaskView readable(TaskView task) {
        var status = task.status();
        return new TaskView(
                task.id(),
                new TaskView.Status(status.state(), status.message(), status.progress(), READABLE, null),
                task.times(),
                task.poll(),
                task.inputs(),
                task.end());
    }

    private static TaskView asking() {
        return view(State.INPUT_REQUIRED, null, questions("k1", "k2"), null);
    }

    private static TaskView ended(String how) {
        return switch (how) {
            case "ok" -> view(State.COMPLETED, LOADED, Map.of(), new End.Result(GOOD, false));
            case "meta" -> view(State.COMPLETED, null, Map.of(), new End.Result(WITH_META, false));
            case "tool-error" -> view(State.COMPLETED, null, Map.of(), new End.Result(BAD, true));
            case "rpc-error" -> view(State.FAILED, null, Map.of(), new End.Failure(BUSY));
            case "cancelled" -> view(State.CANCELLED, null, Map.of(), new End.Cancelled(null));
            case "broken" -> view(State.FAILED, null, Map.of(), new End.Broken("The server was restarted."));
            default -> throw new IllegalArgumentException(how);
        };
    }

    private static TaskView view(
            State state, @Nullable ProgressView progress, Map<String, Question> inputs, @Nullable End end) {
        var created = Instant.parse("2026-03-01T10:00:00Z");
        return new TaskView(
                "task-1",
                new TaskView.Status(state, null, progress),
                new TaskView.Times(
                        created,
                        created.plusMillis(1_500),
                        end == null ? null : Duration.ofHours(1),
                        Duration.ofHours(1)),
                Duration.ofSeconds(1),
                inputs,
                end);
    }

    private static Map<String, Question> questions(String... keys) {
        var questions = new LinkedHashMap<String, Question>();
        for (var key : keys) {
            questions.put(key, question(questions.isEmpty() ? "elicit" : "roots"));
        }
        return questions;
    }

    private static ServerProfile server(boolean listsTasks) {
        return new ServerProfile(
                MessageWriter.implementation("reports", "1.0"),
                "Ask for reports.",
                new OfTasks(listsTasks, Duration.ofDays(7)),
                new Offer(true, Resources.NONE, false, false, true, Map.of()));
    }

    private static Json content(String text, boolean isError) {
        return Json.raw("{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}],\"isError\":" + isError + "}");
    }

    private static ToolInfo tool(String name, TaskMode mode) {
        return new ToolInfo(Json.raw("{\"name\":\"" + name + "\",\"inputSchema\":{\"type\":\"object\"}}"), mode);
    }

    private static List<ToolInfo> tools() {
        return List.of(
                tool("echo", TaskMode.NEVER), tool("report", TaskMode.OPTIONAL), tool("build", TaskMode.REQUIRED));
    }
}
