// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.process;

import io.longhaul.bench.http.MeasuredServer;
import io.longhaul.bench.http.MeasuredStart;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Foreign;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** All scenarios of whole processes. */
public final class ProcessScenarios {

    private static final String START = "stdio, start to answer of initialize";
    private static final String CALLS = "stdio, tools/call echo";
    private static final String SAID = "a line that a command says";
    private static final String FILE = "tools:\n  echo: {input: {word: string}, command: [echo, \"word: {word}\"]}\n";

    private ProcessScenarios() {}

    /**
     * The scenarios in their order.
     *
     * @param fastest the name of the peer that the start is compared with
     */
    public static List<Scenario> of(BenchSettings settings, String fastest) {
        return List.of(
                new StdioCalls(CALLS, ProcessScenarios::measured, settings.timing()),
                new StdioStart(
                        START,
                        START + ", " + fastest,
                        folder -> shipped(settings, FILE, folder),
                        settings.timing().repeats()),
                new SpeakingCommand(SAID, folder -> shipped(settings, SpeakingCommand.FILE, folder), settings.timing()),
                new CommandTime(CommandTime.DETACH, settings),
                new CommandTime(List.of(), settings));
    }

    public static List<Scenario> peer(String name, StdioServer server, BenchSettings settings) {
        return List.of(
                Foreign.of(new StdioCalls(CALLS + ", " + name, server, settings.timing())),
                Foreign.of(new StdioStart(
                        START + ", " + name, "", server, settings.timing().repeats())));
    }

    private static List<String> measured(Scratch folder) {
        var tasks = folder.file(MeasuredStart.TASKS).toString();
        return ChildProcess.java(BenchSettings.classPath(), MeasuredServer.class.getName(), "stdio", tasks);
    }

    /** The command of a server that the same host has started before, so that its handshake is known. */
    private static List<String> shipped(BenchSettings settings, String text, Scratch folder)
            throws IOException, InterruptedException {
        var file = Files.writeString(folder.file("echo.yaml"), text);
        var command = new ArrayList<>(settings.programs().serve());
        command.addAll(List.of(
                "serve",
                file.toString(),
                "--stdio",
                "--data",
                folder.file("data").toString()));
        try (var first = ChildProcess.startSilently(command)) {
            StdioLink.initialize(first);
            first.end();
        }
        return command;
    }
}
