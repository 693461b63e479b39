package io.longhaul.cli.tasks;

import io.longhaul.cli.Command;
import io.longhaul.cli.ExitCode;
import io.longhaul.cli.Version;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.call.Access;
import io.longhaul.cli.call.CallRunner;
import io.longhaul.cli.call.Generations;
import io.longhaul.cli.call.JsonText;
import io.longhaul.cli.call.ResultPrinter;
import io.longhaul.cli.config.Nearest;
import io.longhaul.cli.terminal.SafeText;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.client.RemoteTasks;
import io.longhaul.protocol.call.TaskView;
import java.util.List;
import java.util.Optional;

/** Lists, reads, watches, answers, cancels and deletes the tasks of a server. */
public final class TasksCommand implements Command {
    private static final List<String> DETAILS = Generations.help(
            "list URL             all tasks that the server shows us",
            "get URL ID           where a task stands, with its open questions",
            "result URL ID        wait for its end, and print its result",
            "watch URL ID         print each change until its end",
            "answer URL ID [KEY] field=value...   answer a question; KEY where several are open",
            "cancel URL ID        cancel it",
            "delete URL ID        remove it with its result, once it has ended",
            "A reference, as call --detach prints it, may stand for URL ID.",
            ExitCode.OF_CALLS);
    private static final Option JSON =
            Option.valued("--json", "'{...}'", "answer: the whole content as one JSON object; field=value adds to it");
    private static final Option DECLINE = Option.flag("--decline", "answer: decline the question");
    private static final Option OUTPUT = Option.valued("--output", "text|json", "how to print; text by default");
    private static final List<String> VERBS = List.of("list", "get", "result", "watch", "answer", "cancel", "delete");

    @Override
    public Help help() {
        return new Help(
                "tasks list|get|result|watch|answer|cancel|delete URL [ID] [KEY] [field=value...]",
                "list, read, watch, answer, cancel or delete the tasks of a server",
                DETAILS,
                Option.and(Access.OPTIONS, OUTPUT, JSON, DECLINE, Generations.OPTION));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws InterruptedException {
        var verb = arguments.word(0, "what to do with tasks");
        if (!VERBS.contains(verb)) {
            throw new UsageException("tasks cannot \"" + verb + "\". " + Nearest.advice(verb, VERBS));
        }
        arguments.word(1, "the address of the server");
        var meant =
                Meant.of(verb, arguments.words().subList(1, arguments.words().size()));
        var id = meant.id();
        if (!verb.equals("answer")) {
            arguments.expectWords(arguments.words().size() - meant.rest().size());
        }
        boolean json = CallRunner.isJson(arguments);
        try (var client = Access.give(Generations.choose(meant.client(), arguments), arguments, terminal)
                .name("longhaul", Version.TEXT)
                .connect()) {
            var tasks = meant.tasks(client);
            return switch (verb) {
                case "list" -> list(tasks.list(), json, terminal);
                case "result" -> new ResultPrinter(terminal, json).print(tasks.result(id), Optional.empty());
                case "watch" -> watch(tasks, id, json, terminal);
                case "answer" -> show(Answers.send(tasks, meant, arguments), json, terminal);
                case "delete" -> delete(tasks, id, terminal);
                case "cancel" -> show(tasks.cancel(id), json, terminal);
                default -> show(tasks.get(id), json, terminal);
            };
        }
    }

    private static int list(List<TaskView> tasks, boolean json, Terminal terminal) {
        if (json) {
            var array = JsonText.object().putArray("tasks");
            tasks.forEach(task -> array.add(TaskText.json(task)));
            terminal.out().println(JsonText.pretty(array));
        } else if (tasks.isEmpty()) {
            terminal.err().println("no tasks");
        } else {
            tasks.forEach(task -> terminal.out().println(TaskText.row(task)));
        }
        return ExitCode.OK;
    }

    private static int show(TaskView task, boolean json, Terminal terminal) {
        if (json) {
            terminal.out().println(JsonText.pretty(TaskText.json(task)));
        } else {
            TaskText.details(task).forEach(terminal.out()::println);
        }
        return ExitCode.OK;
    }

    private static int delete(RemoteTasks tasks, String id, Terminal terminal) {
        tasks.delete(id);
        terminal.err().println("longhaul: " + SafeText.line(id) + " is deleted");
        return ExitCode.OK;
    }

    private static int watch(RemoteTasks tasks, String id, boolean json, Terminal terminal)
            throws InterruptedException {
        tasks.watch(
                id,
                task -> terminal.out()
                        .println(
                                json
                                        ? JsonText.line(TaskText.json(task))
                                        : (TaskText.state(task) + "  " + TaskText.progress(task)).strip()));
        return ExitCode.OK;
    }
}
