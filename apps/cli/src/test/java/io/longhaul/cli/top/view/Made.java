// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top.view;

import io.longhaul.cli.terminal.Key;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.call.TaskView.Status;
import io.longhaul.protocol.call.TaskView.Times;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tasks as a server would show them at {@link #NOW}. */
public final class Made {
    public static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");

    private static final Duration DAY = Duration.ofDays(1);
    private static final Json EMPTY_RESULT = Json.raw("{\"content\":[]}");

    private Made() {}

    public static TaskRecord working(String id, String tool, int age, double current, String message) {
        return task(id, tool, age, 0, new Status(State.WORKING, null, new ProgressView(current, 100.0, message)), null);
    }

    static TaskRecord submitted(String id, String tool, int age) {
        return task(id, tool, age, 0, new Status(State.SUBMITTED, null, null), null);
    }

    static TaskRecord completed(String id, String tool, int age, int took) {
        return task(id, tool, age, took, new Status(State.COMPLETED, null, null), new End.Result(EMPTY_RESULT, false));
    }

    static TaskRecord failing(String id, String tool, int age, int took) {
        return task(id, tool, age, took, new Status(State.COMPLETED, null, null), new End.Result(EMPTY_RESULT, true));
    }

    static TaskRecord declined(String id, String tool, int age, int took) {
        return task(id, tool, age, took, new Status(State.DECLINED, null, null), new End.Result(EMPTY_RESULT, true));
    }

    static TaskRecord broken(String id, String tool, int age, int took) {
        var end = new End.Broken("The task ran longer than its limit of 3 s.");
        return task(id, tool, age, took, new Status(State.FAILED, null, null), end);
    }

    static TaskRecord asking(String id, String tool, int age) {
        var status = new Status(State.INPUT_REQUIRED, null, null);
        var question = new Question("elicitation/create", Json.raw("""
                {"message":"Release to production?","requestedSchema":{"type":"object","required":["go"],
                "properties":{"go":{"type":"boolean","description":"all or nothing"}}}}"""));
        var view = new TaskView(id, status, times(age, 0), Duration.ZERO, Map.of("release", question), null);
        return new TaskRecord(view, tool, "ada", 1, 1, Json.raw("{\"version\":\"1.2\"}"));
    }

    static TaskRecord of(String owner, TaskRecord task) {
        return new TaskRecord(task.task(), task.tool(), owner, task.attempts(), task.questions(), task.arguments());
    }

    /** With the result that a look at one task brings. */
    static TaskRecord with(String result, TaskRecord task) {
        var view = task.task();
        var end = new End.Result(Json.raw(result), false);
        return new TaskRecord(
                view.with(view.status().state(), end),
                task.tool(),
                task.owner(),
                task.attempts(),
                task.questions(),
                Json.raw("{\"name\":\"Ada\"}"));
    }

    /** An event so many seconds before now. */
    static HistoryEvent event(int number, int ago, String type, String detail) {
        return new HistoryEvent(number, NOW.minusSeconds(ago), type, Json.raw(detail));
    }

    static TopState state(TaskRecord... tasks) {
        var snapshot = new TaskSnapshot(List.of(tasks), false, NOW, null);
        return TopState.of("reports.example:8080/mcp", new TaskList(snapshot, ListFilter.ALL, TaskOrder.STATE, null));
    }

    static Key key(Key.Kind kind) {
        return new Key(kind, "");
    }

    static Key key(String text) {
        return new Key(Key.Kind.TEXT, text);
    }

    private static TaskRecord task(String id, String tool, int age, int took, Status status, @Nullable End end) {
        var view = new TaskView(id, status, times(age, took), Duration.ZERO, Map.of(), end);
        return new TaskRecord(view, tool, "ada", 1, 0, null);
    }

    private static Times times(int age, int took) {
        var created = NOW.minusSeconds(age);
        return new Times(created, created.plusSeconds(took), DAY);
    }
}
