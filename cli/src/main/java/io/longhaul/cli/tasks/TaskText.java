package io.longhaul.cli.tasks;

import io.longhaul.cli.call.JsonText;
import io.longhaul.cli.terminal.ProgressLine;
import io.longhaul.cli.terminal.SafeText;
import io.longhaul.protocol.call.TaskView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** A task in words and as JSON. */
final class TaskText {
    private TaskText() {}

    static String state(TaskView task) {
        return task.status().state().name().toLowerCase(Locale.ROOT);
    }

    /** The id, the state, when it was created, and how far it is. */
    static String row(TaskView task) {
        return String.format(
                "%-36s  %-14s  %s  %s",
                SafeText.line(task.id()),
                state(task),
                isTold(task.times()) ? time(task.times().createdAt()) : "",
                progress(task));
    }

    static String progress(TaskView task) {
        var progress = task.status().progress();
        var message = progress != null && progress.message() != null
                ? progress.message()
                : task.status().message();
        return ProgressLine.plain(progress, message == null ? "" : message);
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Everything that is known, line by line. */
    static List<String> details(TaskView task) {
        var lines = new ArrayList<String>();
        lines.add("task      " + SafeText.line(task.id()));
        lines.add("state     " + state(task));
        if (isTold(task.times())) {
            lines.add("created   " + time(task.times().createdAt()));
            lines.add("changed   " + time(task.times().updatedAt()));
        }
        lines.add("kept      " + kept(task.times()));
        if (!progress(task).isEmpty()) {
            lines.add("progress  " + progress(task));
        }
        task.inputs()
                .forEach((key, question) -> lines.add("asks      " + SafeText.line(key) + ": "
                        + SafeText.line(
                                JsonText.tree(question.params()).path("message").asString(question.method()))));
        switch (task.end()) {
            case null -> {}
            case TaskView.End.Result result -> lines.add("ended     " + (result.isError() ? "tool error" : "success"));
            case TaskView.End.Failure failure ->
                lines.add("ended     " + SafeText.line(failure.error().message()));
            case TaskView.End.Cancelled cancelled -> lines.add("ended     cancelled");
            case TaskView.End.Broken broken -> lines.add("ended     " + SafeText.line(broken.reason()));
        }
        return lines;
    }

    /** Some generations do not tell when a task was created. */
    private static boolean isTold(TaskView.Times times) {
        return !times.createdAt().equals(Instant.EPOCH);
    }

    private static String kept(TaskView.Times times) {
        if (times.ttl() != null) {
            return "until " + time(times.createdAt().plus(times.ttl()));
        }
        return times.keepAlive() == null
                ? "not known yet"
                : "for " + times.keepAlive().toSeconds() + " s after its end";
    }

    static ObjectNode json(TaskView task) {
        var json = JsonText.object().put("id", task.id()).put("state", state(task));
        var message = task.status().message();
        if (message != null) {
            json.put("message", message);
        }
        var progress = task.status().progress();
        if (progress != null) {
            var at = json.putObject("progress").put("current", progress.current());
            if (progress.total() != null) {
                at.put("total", progress.total());
            }
            if (progress.message() != null) {
                at.put("message", progress.message());
            }
        }
        if (isTold(task.times())) {
            json.put("createdAt", task.times().createdAt().toString());
            json.put("updatedAt", task.times().updatedAt().toString());
        }
        var ttl = task.times().ttl();
        if (ttl != null) {
            json.put("ttlMs", ttl.toMillis());
        }
        var keepAlive = task.times().keepAlive();
        if (keepAlive != null) {
            json.put("keepAliveMs", keepAlive.toMillis());
        }
        if (!task.inputs().isEmpty()) {
            var inputs = json.putObject("inputs");
            task.inputs()
                    .forEach((key, question) -> inputs.putObject(key)
                            .put("method", question.method())
                            .set("params", JsonText.tree(question.params())));
        }
        end(json, task);
        return json;
    }

    private static void end(ObjectNode json, TaskView task) {
        switch (task.end()) {
            case null -> {}
            case TaskView.End.Result result ->
                json.put("isError", result.isError()).set("result", JsonText.tree(result.result()));
            case TaskView.End.Failure failure ->
                json.putObject("error")
                        .put("code", failure.error().code())
                        .put("message", failure.error().message());
            case TaskView.End.Cancelled cancelled -> json.put("cancelled", true);
            case TaskView.End.Broken broken -> json.put("reason", broken.reason());
        }
    }
}
