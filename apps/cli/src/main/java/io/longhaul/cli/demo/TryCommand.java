// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.call.CallCommand;
import io.longhaul.cli.call.CallRunner;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.demo.Trial.Victim;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Interrupts;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.client.McpClient;
import io.longhaul.file.ServerFile;
import io.longhaul.file.tool.ToolEntry;
import java.nio.file.Path;
import java.util.List;

/** Calls a tool of a file, kills its command and its server on the way, and shows that the call goes on. */
public final class TryCommand implements CliCommand {
    private static final Option CRASH_AT = Option.valued(
            "--crash-at", "POINT", "kill at start, step:NAME (recorded), ask:KEY or call:NAME; else nothing is killed");
    private static final Option CRASH =
            Option.valued("--crash", "command|server|both", "what is killed, by SIGKILL; both by default");
    private static final Option KEEP = Option.flag("--keep", "keep the folder with the server's data");
    private static final List<String> DETAILS = List.of(
            "Starts a server with a new data folder, calls the tool, kills the processes at POINT, and starts the",
            "server again. Then it prints what was recorded, the result, and the history of the task. The tool does",
            "its real work, as do schedules and notices of the file. A command that is killed runs again where its",
            "tool has onCrash: restart.",
            "exit codes: as of call, and 1 where a step that was recorded was done again");

    @Override
    public Help help() {
        return new Help(
                "try FILE.yaml TOOL [key=value...]",
                "call a tool of a file, crash it on the way, and see it go on",
                DETAILS,
                List.of(CRASH_AT, CRASH, KEEP, CallCommand.JSON, CallRunner.YES, CallRunner.ANSWER, CallRunner.OUTPUT));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws Exception {
        var file = Path.of(arguments.word(0, "the file that lists the tools"));
        arguments.word(1, "the name of the tool");
        var words = arguments.words().subList(1, arguments.words().size());
        var point = arguments.value(
                CRASH_AT, CrashPoint::parse, "is no such point. Write start, step:NAME, ask:KEY or call:NAME.");
        var victim = arguments.constant(CRASH, Victim.class).orElse(Victim.BOTH);
        check(ServerFile.read(file), words.getFirst());
        try (var trial = new Trial(terminal, file, point, victim, arguments.has(KEEP))) {
            Runtime.getRuntime().addShutdownHook(new Thread(trial::close, "trial-tidies-up"));
            int code = new CallRunner(terminal, arguments, Interrupts::onInterrupt)
                    // For a client of this name a server holds every call to its end.
                    .run(McpClient.to(trial.address()).name("longhaul", Version.TEXT), client -> {
                        var call = client.call(words.getFirst(), CallCommand.toolArguments(client, words, arguments));
                        trial.begin(call);
                        return call;
                    });
            int found = trial.tell(code == ExitCode.OK);
            return code == ExitCode.OK ? found : code;
        }
    }

    /** Refuses what cannot be tried. */
    private static void check(ServerFile file, String tool) {
        var entry = file.tools().stream()
                .filter(one -> one.name().equals(tool))
                .findFirst()
                .orElseThrow(() -> UsageException.unknown(
                        "the file has no tool",
                        tool,
                        file.tools().stream().map(ToolEntry::name).toList()));
        if (entry.running().mode() == ToolEntry.Mode.QUICK) {
            throw new UsageException("\"" + tool + "\" is quick, so that no call of it goes on. Try a long tool.");
        }
        if (entry.command().isEmpty()) {
            throw new UsageException("\"" + tool + "\" has no command here that is killed: its work is done elsewhere."
                    + " Try a tool with command:.");
        }
        if (file.callers().auth().isPresent()) {
            throw new UsageException("the file has auth, and this command does not log in. Try a copy without it.");
        }
    }
}
