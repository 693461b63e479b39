// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.process;

import io.longhaul.bench.http.MeasuredStart;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Measurement;
import io.longhaul.bench.run.Medians;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/** Measures {@code longhaul call} for a task that ends at once, from the start of the process to its end. */
record CommandTime(List<String> options, BenchSettings settings) implements Scenario {

    private static final String TITLE = "longhaul call of an instant task";
    static final List<String> DETACH = List.of("--detach");

    @Override
    public String title() {
        return options.isEmpty() ? TITLE : TITLE + ", " + String.join(" ", options);
    }

    @Override
    public String base() {
        return options.isEmpty() ? new CommandTime(DETACH, settings).title() : "";
    }

    @Override
    public List<Measurement> measure() throws Exception {
        try (var scratch = Scratch.make();
                var server = MeasuredStart.tools(scratch.file(MeasuredStart.TASKS))) {
            var command = new ArrayList<>(settings.programs().call());
            command.addAll(List.of("call", server.address().toString(), "instant", "word=hello"));
            command.addAll(options);
            var times = new double[settings.timing().repeats()];
            for (var i = 0; i < times.length; i++) {
                times[i] = micros(command);
            }
            return List.of(Measurement.of(Figure.TIME, Medians.of(times)));
        }
    }

    private static double micros(List<String> command) throws IOException, InterruptedException {
        var begun = System.nanoTime();
        var process = new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        if (process.waitFor() != 0) {
            throw new IOException("longhaul call has failed: see above");
        }
        return (System.nanoTime() - begun) / 1e3;
    }
}
