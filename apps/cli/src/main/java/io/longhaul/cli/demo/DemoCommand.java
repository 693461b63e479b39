// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.connect.Generations;
import io.longhaul.cli.terminal.Terminal;
import java.util.List;

/** Shows that a call outlives its server. */
public final class DemoCommand implements CliCommand {
    private static final List<String> DETAILS = Generations.help(
            "Starts a real server, calls a tool that packs and hashes 200 MB of files, kills the server with",
            "SIGKILL half-way, starts it again, asks one question, and prints the result and the task's history.",
            "It takes half a minute, needs no network, and leaves nothing behind.",
            "--generation plain plays a host that knows no tasks: the call is handed over to its model, and each turn",
            "is printed as the model sees it. The exit code is 0 if all of that was seen.");

    private static final Option KEEP = Option.flag("--keep", "keep the folder with the server's data");
    private static final Option YES = Option.flag("--yes", "answer the question automatically, as without a terminal");

    @Override
    public Help help() {
        return new Help(
                "demo",
                "watch a long call survive when its server is killed half-way",
                DETAILS,
                List.of(KEEP, YES, Generations.OPTION));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws Exception {
        arguments.expectWords(0);
        boolean keep = arguments.has(KEEP);
        boolean asks = !arguments.has(YES) && terminal.facts().asks();
        var generation = Generations.chosen(arguments);
        try (var stage = new DemoStage(terminal, keep)) {
            Runtime.getRuntime().addShutdownHook(new Thread(stage::close, "demo-tidies-up"));
            int code = Generations.isPlain(arguments)
                    ? new HandOverPlay(stage, asks).run()
                    : new DemoPlay(stage, asks).run(generation);
            if (keep) {
                terminal.err().println("kept in " + stage.folder);
            }
            return code;
        }
    }
}
