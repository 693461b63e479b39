// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.operate;

import static io.longhaul.cli.text.Table.left;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.call.CallRunner;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.text.Table;
import io.longhaul.file.operate.Pauses.Kind;
import io.longhaul.file.text.EnumWords;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Lists what a server of this user calls by itself, and orders it to pause, to go on, or to call now.
 *
 * @param name of the command
 */
public record OperateCommand(String name, Kind kind, List<String> verbs) implements CliCommand {
    private static final Table<JsonNode> TABLE = Table.of(
            left("NAME", 16, one -> cell(one, "name")),
            left("TOOL", 16, one -> cell(one, "tool")),
            left("STATE", 6, one -> one.path("paused").asBoolean() ? "paused" : "on"),
            left("NEXT", 0, one -> one.path("paused").asBoolean() ? "" : cell(one, "next")));

    public static OperateCommand schedules() {
        return new OperateCommand("schedules", Kind.SCHEDULE, List.of("list", "run", "pause", "resume"));
    }

    public static OperateCommand triggers() {
        return new OperateCommand("triggers", Kind.TRIGGER, List.of("list", "pause", "resume"));
    }

    private static String cell(JsonNode one, String name) {
        return SafeText.line(one.path(name).asString(""));
    }

    @Override
    public Help help() {
        return new Help(
                name + " " + String.join("|", verbs) + " [NAME]",
                kind == Kind.SCHEDULE
                        ? "list the schedules of a server, run one now, or pause and resume it"
                        : "list the triggers of a server, or pause and resume one",
                List.of(
                        "The server must run on this machine. All servers of one database keep to a pause,",
                        "also when they start again. "
                                + (kind == Kind.SCHEDULE
                                        ? "What was due meanwhile is not made up for; run makes a call at once."
                                        : "Whoever calls a paused trigger gets 503, and may deliver again later."),
                        "exit codes: 0 success, 2 usage, 3 refused, 4 the server does not answer"),
                Option.and(List.of(OrderFolder.DATA), CallRunner.OUTPUT));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException, InterruptedException {
        var verb = arguments.words().stream().findFirst().orElse("list");
        if (!verbs.contains(verb)) {
            throw UsageException.unknown(name + " cannot", verb, verbs);
        }
        boolean isList = verb.equals("list");
        arguments.expectWords(isList ? 1 : 2);
        var named = isList ? "" : arguments.word(1, "the name, as longhaul " + name + " list shows it,");
        boolean isJson = CallRunner.isJson(arguments);
        var folder = OrderFolder.of(arguments, terminal, OrderFolder.SERVE);
        var all = folder.listed("operated").stream()
                .filter(one -> one.path("kind").asString("").equals(EnumWords.of(kind)))
                .toList();
        if (isList) {
            print(all, isJson, terminal);
            return ExitCode.OK;
        }
        var names = all.stream().map(one -> one.path("name").asString()).toList();
        if (!names.contains(named)) {
            throw UsageException.unknown("there is no " + EnumWords.of(kind), named, names);
        }
        order(folder, verb, named, terminal);
        return ExitCode.OK;
    }

    private void print(List<JsonNode> all, boolean isJson, Terminal terminal) {
        if (isJson) {
            var json = JsonText.object();
            all.forEach(json.putArray(name)::add);
            terminal.out().println(JsonText.pretty(json));
        } else if (all.isEmpty()) {
            terminal.err().println("no " + name);
        } else {
            TABLE.lines(all).forEach(terminal.out()::println);
        }
    }

    private void order(OrderFolder folder, String verb, String named, Terminal terminal)
            throws IOException, InterruptedException {
        var said = folder.order(EnumWords.of(kind), verb, named);
        if (verb.equals("run")) {
            terminal.out().println(SafeText.line(said));
        } else {
            terminal.say(SafeText.line(said));
        }
    }
}
