// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.call.ResultPrinter;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.connect.Credentials;
import io.longhaul.cli.connect.Generations;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.OperatorTasks;
import io.longhaul.client.RemoteTasks;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskRecord;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists, reads, watches, answers, cancels, retries and removes the tasks of a server. */
public final class TasksCommand implements CliCommand {
    private static final List<String> DETAILS = Generations.help(
            "list URL             the tasks that you may see, newest first",
            "get URL ID           the state of a task, with its open questions and their fields",
            "result URL ID        wait for the end of a task, and print its result",
            "watch URL ID         print each change of a task until its end",
            "history URL ID       the events of a task",
            "logs [-f] URL ID     the log lines and the output of a task so far",
            "answer URL ID [KEY] yes|no|field=value...   answer a question; KEY if several are open",
            "cancel URL ID        cancel a task",
            "retry URL ID         call the tool of an ended task once more, with the same arguments",
            "delete URL ID        remove an ended task with its result",
            "purge URL            remove all ended tasks",
            "A reference that call --detach prints can stand for URL ID.",
            "history, logs, retry, purge, --tool and --owner need a server of Longhaul (io.longhaul/tasks).",
            "With --output json, the output is JSON: one object a line for history, logs and watch. An error is",
            "  one object {\"error\": {\"kind\", \"message\", \"exitCode\"}} on standard output.",
            ExitCode.OF_CALLS);
    private static final Option OUTPUT = Option.valued(
            "--output", "text|json|wide", "the format of the output; text by default, wide for more columns");
    private static final Option FOLLOW =
            Option.flag("-f", "follow the task until its end").of("logs");
    private static final Option RESUME =
            Option.flag("--resume", "go on from the recorded steps and answers").of("retry");
    private static final List<String> VERBS = List.of(
            "list", "get", "result", "watch", "history", "logs", "answer", "cancel", "retry", "delete", "purge");
    private static final List<String> WITHOUT_ID = List.of("list", "purge");

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
                TaskPurge.OLDER_THAN,
                TaskPurge.YES,
                FOLLOW,
                RESUME,
                TaskAnswer.JSON,
                TaskAnswer.DECLINE,
                Generations.OPTION));
        return new Help(
                "tasks " + String.join("|", VERBS) + " URL [ID] [KEY] [field=value...]",
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
        arguments.word(1, "the address of the server");
        var words = arguments.words().subList(1, arguments.words().size());
        var meant = NamedTask.of(!WITHOUT_ID.contains(verb), verb, words);
        if (!verb.equals("answer")) {
            arguments.expectWords(arguments.words().size() - meant.rest().size());
        }
        var printer = new TaskPrinter(
                terminal, arguments.constant(OUTPUT, TaskPrinter.Form.class).orElse(TaskPrinter.Form.TEXT));
        var search = TaskSearch.of(arguments, clock);
        var purge = verb.equals("purge") ? Optional.of(TaskPurge.of(search, arguments)) : Optional.<TaskPurge>empty();
        try (var client = Credentials.give(meant.client(), arguments, terminal).connect()) {
            var tasks = meant.tasks(client);
            return purge.isPresent()
                    ? printer.purged(purge.get().run(extension(tasks), terminal))
                    : run(verb, tasks, meant, search, arguments, printer);
        }
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
            case "list" -> printer.list(found(tasks, search, printer));
            case "result" ->
                new ResultPrinter(printer.terminal(), printer.isJson()).print(tasks.result(id), Optional.empty());
            case "watch" -> printer.watch(tasks, id);
            case "history", "logs" ->
                new TaskHistory(extension(tasks), printer.terminal(), printer.isJson())
                        .print(id, verb.equals("logs"), arguments.has(FOLLOW));
            case "answer" -> printer.show(TaskText.unrecorded(TaskAnswer.send(tasks, meant, arguments)));
            case "cancel" -> printer.show(TaskText.unrecorded(tasks.cancel(id)));
            case "retry" -> {
                var operator = extension(tasks);
                yield printer.retried(arguments.has(RESUME) ? operator.resume(id) : operator.retry(id), id);
            }
            case "delete" -> {
                tasks.delete(id);
                printer.say(SafeText.line(id) + " is deleted");
                yield ExitCode.OK;
            }
            default -> printer.show(whole(tasks, id));
        };
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
