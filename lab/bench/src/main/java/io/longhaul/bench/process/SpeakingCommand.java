// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.process;

import io.longhaul.bench.run.BenchSettings.Timing;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/**
 * Measures what the lines of a command that speaks cost a server: log lines and progress by turns.
 *
 * @param title  the title for people
 * @param server starts the server, whose file is beside the script
 * @param timing the times
 */
record SpeakingCommand(String title, StdioServer server, Timing timing) implements Scenario {

    /** The tool says the lines of one call, and then answers as the echo does. */
    static final String FILE = "tools:\n  echo: {input: {word: string}, command: [sh, say.sh, '{word}']}\n";

    /** Ten batches, a fifth of a second apart, as of a command that says 10,000 lines a second. */
    private static final String SCRIPT = """
        i=0
        while [ $i -lt 10 ]; do
          i=$((i + 1))
          awk 'BEGIN {
            for (n = 0; n < 1000; n++) print "{\\"log\\": \\"line " n "\\"}\\n{\\"progress\\": " n "}"
          }' >>"$LONGHAUL_SAY"
          sleep 0.2
        done
        echo "$1"
        """;

    private static final int LINES = 20_000;

    /** The server waits for the command for most of the time, so that a whole warm-up would take ten minutes. */
    private static final int MOSTLY_WAITING = 10;

    @Override
    public List<Measurement> measure() throws Exception {
        try (var scratch = Scratch.make()) {
            Files.writeString(scratch.file("say.sh"), SCRIPT);
            try (var child = ChildProcess.startSilently(server.command(scratch))) {
                StdioLink.initialize(child);
                int id = 1;
                do {
                    StdioLink.await(child, id++);
                } while (child.cpu().multipliedBy(MOSTLY_WAITING).compareTo(timing.warmUp()) < 0);
                var before = child.cpu();
                long lines = 0;
                var begun = System.nanoTime();
                do {
                    StdioLink.await(child, id++);
                    lines += LINES;
                } while (Duration.ofNanos(System.nanoTime() - begun).compareTo(timing.measured()) < 0);
                var cpu = child.cpu().minus(before);
                return List.of(Measurement.of(Figure.CPU, cpu.toNanos() / 1e3 / lines)
                        .and(Figure.RATE, lines * 1e9 / (System.nanoTime() - begun)));
            }
        }
    }
}
