// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.RemoteTasks;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import java.util.List;

/** Prints the result of a verb of {@code tasks}: results on standard output, messages on standard error. */
record TaskPrinter(Terminal terminal, Form form) {

    enum Form {
        TEXT,
        JSON,
        WIDE
    }

    boolean isJson() {
        return form == Form.JSON;
    }

    /** Prints a message for a person on standard error. */
    void say(String line) {
        terminal.say(line);
    }

    int list(CallResponse.TaskRecords found) {
        var tasks = found.tasks();
        if (isJson()) {
            var array = JsonText.object().putArray("tasks");
            tasks.forEach(task -> array.add(TaskText.json(task)));
            terminal.out().println(JsonText.pretty(array));
        } else if (tasks.isEmpty()) {
            terminal.err().println("no tasks");
        } else {
            (form == Form.WIDE ? TaskText.WIDE.lines(tasks) : TaskText.rows(tasks)).forEach(terminal.out()::println);
        }
        if (found.nextCursor() != null) {
            say("there may be more; to go on: --cursor " + SafeText.line(found.nextCursor()));
        }
        return ExitCode.OK;
    }

    int show(TaskRecord task) {
        if (isJson()) {
            terminal.out().println(JsonText.pretty(TaskText.json(task)));
        } else {
            TaskText.details(task).forEach(terminal.out()::println);
        }
        return ExitCode.OK;
    }

    int watch(RemoteTasks tasks, String id) throws InterruptedException {
        tasks.watch(
                id,
                task -> terminal.out()
                        .println(
                                isJson()
                                        ? JsonText.line(TaskText.json(TaskText.unrecorded(task)))
                                        : (TaskText.state(task) + "  " + TaskText.progress(task)).strip()));
        return ExitCode.OK;
    }

    int retried(TaskView task, String before) {
        if (isJson()) {
            terminal.out()
                    .println(JsonText.pretty(
                            JsonText.object().put("id", task.id()).put("retryOf", before)));
        } else {
            terminal.out().println(SafeText.line(task.id()));
        }
        return ExitCode.OK;
    }

    /**
     * Prints what was done to several tasks.
     *
     * @param areNew whether the ids are those of new tasks, which a person does not have yet
     */
    void done(List<String> ids, boolean areNew) {
        if (isJson()) {
            var all = JsonText.object();
            ids.forEach(all.putArray("tasks")::add);
            terminal.out().println(JsonText.pretty(all));
        } else if (areNew) {
            ids.forEach(id -> terminal.out().println(SafeText.line(id)));
        }
    }

    /** Prints tasks that have changed, a line for each. */
    void changed(List<TaskRecord> tasks) {
        if (isJson()) {
            tasks.forEach(task -> terminal.out().println(JsonText.line(TaskText.json(task))));
        } else {
            (form == Form.WIDE ? TaskText.WIDE.rows(tasks) : TaskText.rows(tasks)).forEach(terminal.out()::println);
        }
    }

    /** @param deleted negative where nothing was to be done */
    int purged(int deleted) {
        if (deleted < 0) {
            say("nothing was removed");
            return ExitCode.CANCELLED;
        }
        if (isJson()) {
            terminal.out().println(JsonText.pretty(JsonText.object().put("deleted", deleted)));
        } else {
            say(deleted == 1 ? "1 task is removed" : deleted + " tasks are removed");
        }
        return ExitCode.OK;
    }
}
