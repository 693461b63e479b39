// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.call.CallRunner;
import io.longhaul.cli.call.ResultPrinter;
import io.longhaul.cli.call.SavedResult;
import io.longhaul.cli.call.TaskName;
import io.longhaul.cli.call.TroubleLines;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.connect.Credentials;
import io.longhaul.cli.connect.Generations;
import io.longhaul.cli.connect.NamedServer;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.OperatorTasks;
import io.longhaul.client.RefusedException;
import io.longhaul.client.RemoteTasks;
import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Lists, reads, watches, answers, cancels, retries and removes the tasks of a server. */
public final class TasksCommand implements CliCommand {
    private static final List<String> DETAILS = Generations.help(
            "list             the tasks that you may see, newest first",
            "get ID           the state of a task, with its open questions and their fields",
            "result ID        wait for the end of a task, and print its result",
            "watch ID         print each change of a task until its end",
            "history ID       the events of a task",
            "logs [-f] ID     the log lines and the output of a task so far",
            "answer ID [KEY] yes|no|field=value...   answer a question; KEY if several are open",
            "cancel ID        cancel a task",
            "retry ID         call the tool of an ended task once more, with the same arguments",
            "delete ID        remove an ended task with its result",
            "purge            remove all ended tasks",
            "answer, cancel and retry take --tool, --state, --since and --parent in place of ID: all such tasks.",
            TaskName.HELP,
            "A reference that call --detach prints can stand for URL ID.",
            NamedServer.HELP,
            "history, logs, retry, purge, --tool and --owner need a server of Longhaul (io.longhaul/tasks).",
            CallRunner.AWAY,
            "With --output json, the output is JSON: one object a line for history, logs and watch.",
            CallRunner.ERRORS,
            ExitCode.OF_CALLS);
    private static final Option OUTPUT = Option.valued(
            "--output", "text|json|wide", "the format of the output; text by default, wide for more columns");
    private static final Option FOLLOW =
            Option.flag("-f", "follow the task until its end").of("logs");
    private static final Option RESUME =
            Option.flag("--resume", "go on from the recorded steps and answers").of("retry");
    private static final Option WATCH = Option.flag("--watch", "go on with a line for each change, until Ctrl-C")
            .of("list");
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final List<String> VERBS = List.of(
            "list", "get", "result", "watch", "history", "logs", "answer", "cancel", "retry", "delete", "purge");

    private final InstantSource clock;

    public TasksCommand() {
        this(InstantSource.system());
    }

    TasksCommand(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Help help() {
        var own = new ArrayList<>(List.of(OUTPUT));
        own.addAll(TaskSearch.OPTIONS);
        own.addAll(List.of(
                WATCH,
                TaskBatch.OLDER_THAN,
                TaskBatch.YES,
                FOLLOW,
                SavedResult.OPTION.of("result"),
                RESUME,
                TaskAnswer.JSON,
                TaskAnswer.DECLINE,
                Generations.OPTION));
        return new Help(
                "tasks " + String.join("|", VERBS) + " [URL] [ID] [KEY] [field=value...]",
                "list, read, follow, answer, cancel, retry or remove the tasks of a server",
                DETAILS,
                Option.and(Credentials.OPTIONS, own.toArray(Option[]::new)));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws InterruptedException {
        var verb = arguments.word(0, "what to do with tasks");
        if (!VERBS.contains(verb)) {
            throw UsageException.unknown("tasks cannot", verb, VERBS);
        }
        expectOptionsOf(verb, arguments);
        var search = TaskSearch.of(arguments, clock);
        var batch = batch(verb, search, arguments);
        var meant = NamedTask.of(!NamedTask.WITHOUT_ID.contains(verb) && batch.isEmpty(), arguments, terminal);
        if (!verb.equals("answer")) {
            Arguments.expectWords(meant.rest(), 0);
        }
        var printer = new TaskPrinter(
                terminal, arguments.constant(OUTPUT, TaskPrinter.Form.class).orElse(TaskPrinter.Form.TEXT));
        try (var client =
                meant.client().onTrouble(new TroubleLines(terminal::say)).connect()) {
            var tasks = meant.tasks(client);
            if (verb.equals("result")) {
                var saved = SavedResult.of(arguments, client, terminal);
                return new ResultPrinter(terminal, printer.isJson(), saved)
                        .print(tasks.result(meant.whole(tasks).id()), Optional.empty());
            }
            return batch.isPresent()
                    ? run(batch.get(), tasks, meant, arguments, printer)
                    : run(verb, tasks, meant.whole(tasks), search, arguments, printer);
        }
    }

    /** What a command line wants done to several tasks; empty where it is about one, or changes nothing. */
    private static Optional<TaskBatch> batch(String verb, TaskSearch search, Arguments arguments) {
        return EnumWords.find(TaskBatch.Kind.class, verb)
                .filter(kind -> kind == TaskBatch.Kind.PURGE || TaskSearch.isGiven(arguments))
                .map(kind -> TaskBatch.of(kind, search, arguments));
    }

    private static int run(
            TaskBatch batch, RemoteTasks tasks, NamedTask meant, Arguments arguments, TaskPrinter printer)
            throws InterruptedException {
        TaskBatch.Action action = switch (batch.kind()) {
            case PURGE -> null;
            case CANCEL -> id -> tasks.cancel(id).id();
            case RETRY -> id -> again(tasks, id, arguments).id();
            case ANSWER -> id -> TaskAnswer.send(tasks, meant.at(id), arguments);
        };
        return action == null
                ? printer.purged(batch.purge(extension(tasks), printer.terminal()))
                : batch.run(found(tasks, batch.search().whole(), printer), action, printer);
    }

    private static TaskView again(RemoteTasks tasks, String id, Arguments arguments) {
        var operator = extension(tasks);
        return arguments.has(RESUME) ? operator.resume(id) : operator.retry(id);
    }

    /** Refuses an option that the verb does not take: a purge without the filter that was meant removes too much. */
    private void expectOptionsOf(String verb, Arguments arguments) {
        for (var option : help().options()) {
            if (arguments.has(option) && !option.isOf(verb)) {
                throw new UsageException("tasks " + verb + " does not take " + option.name() + ", which is for "
                        + String.join(" and ", option.verbs()) + ".");
            }
        }
    }

    private static int run(
            String verb,
            RemoteTasks tasks,
            NamedTask meant,
            TaskSearch search,
            Arguments arguments,
            TaskPrinter printer)
            throws InterruptedException {
        var id = meant.id();
        return switch (verb) {
            case "list" -> list(tasks, search, arguments.has(WATCH), printer);
            case "watch" -> printer.watch(tasks, id);
            case "history", "logs" ->
                new TaskHistory(extension(tasks), printer.terminal(), printer.isJson())
                        .print(id, verb.equals("logs"), arguments.has(FOLLOW));
            case "answer" -> printer.show(whole(tasks, TaskAnswer.send(tasks, meant, arguments)));
            case "cancel" -> {
                var now = cancelled(tasks, id);
                int code = printer.show(now);
                var state = now.task().status().state();
                if (!TaskText.ENDED.contains(state) || state == State.CANCELLED) {
                    yield code;
                }
                printer.say(SafeText.line(id) + " had ended before, and stays " + EnumWords.of(state));
                yield ExitCode.PROTOCOL_ERROR;
            }
            case "retry" -> printer.retried(again(tasks, id, arguments), id);
            case "delete" -> {
                tasks.delete(id);
                printer.say(SafeText.line(id) + " is deleted");
                yield ExitCode.OK;
            }
            default -> printer.show(whole(tasks, id));
        };
    }

    private static int list(RemoteTasks tasks, TaskSearch search, boolean watches, TaskPrinter printer)
            throws InterruptedException {
        if (!watches) {
            return printer.list(found(tasks, search, printer));
        }
        var seen = new LinkedHashMap<String, TaskRecord>();
        while (true) {
            var now = found(tasks, search, printer).tasks().reversed();
            var left = new LinkedHashMap<>(seen);
            now.forEach(task -> left.remove(task.task().id()));
            var changed = new ArrayList<>(
                    left.keySet().stream().flatMap(id -> ended(tasks, id)).toList());
            now.stream()
                    .filter(task -> !task.equals(seen.put(task.task().id(), task)))
                    .forEach(changed::add);
            seen.keySet().removeAll(left.keySet());
            printer.changed(changed);
            Thread.sleep(LOOK);
        }
    }

    /** A task that the search does not find any more, where it has ended and is still kept. */
    private static Stream<TaskRecord> ended(RemoteTasks tasks, String id) {
        try {
            return Stream.of(whole(tasks, id)).filter(task -> task.task().end() != null);
        } catch (RefusedException removed) {
            return Stream.empty();
        }
    }

    private static CallResponse.TaskRecords found(RemoteTasks tasks, TaskSearch search, TaskPrinter printer) {
        var operator = tasks.asOperator();
        if (operator.isPresent()) {
            return search.find(operator.get());
        }
        if (!search.query().states().isEmpty() || search.query().since() != null) {
            printer.say("this server lists all its tasks only: they are chosen here");
        }
        return search.find(tasks);
    }

    /** The whole task after its cancellation; what the server tells of that where it keeps the task no longer. */
    private static TaskRecord cancelled(RemoteTasks tasks, String id) {
        var told = TaskText.unrecorded(tasks.cancel(id));
        return tasks.asOperator().isPresent() ? ended(tasks, id).findFirst().orElse(told) : told;
    }

    private static TaskRecord whole(RemoteTasks tasks, String id) {
        return tasks.asOperator().map(operator -> operator.get(id)).orElseGet(() -> TaskText.unrecorded(tasks.get(id)));
    }

    /**
     * The tasks as an operator sees them.
     *
     * @throws UsageException where the server lacks the extension
     */
    public static OperatorTasks extension(RemoteTasks tasks) {
        return tasks.asOperator()
                .orElseThrow(() -> new UsageException("this server does not do that: it has no extension"
                        + " io.longhaul/tasks, which servers of Longhaul have."));
    }
}
