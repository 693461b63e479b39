package io.longhaul.bench.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures what one request costs the server, in microseconds of CPU, for one scenario after the other: rates move with
 * the machine, and this hardly does. Each measurement has a fresh server process and a fresh database; the rounds are
 * interleaved, so that what the machine does meanwhile meets all alike. For one thread.
 */
public final class HttpBench {

    /**
     * How the bench is run.
     *
     * @param rounds      how often each scenario is measured
     * @param warmUp      how much CPU a server has used, under load, before it is measured: its compiler needs that,
     *                    however long it takes on a machine that others share
     * @param measured    how long it is measured
     * @param connections how many there are at once
     * @param only        what the titles of the scenarios begin with, or empty for all; the bare echo always runs
     * @param against     the class path of another build that is measured in the same rounds, or null
     */
    public record Settings(
            int rounds,
            Duration warmUp,
            Duration measured,
            int connections,
            String only,
            @Nullable String against) {

        /** What shows in seconds that the bench works; its figures mean nothing. */
        public static final Settings QUICK =
                new Settings(1, Duration.ofMillis(50), Duration.ofMillis(100), 2, "", null);

        /** Five rounds at 16 connections, 25 s of warm-up. */
        public static final Settings FULL =
                new Settings(5, Duration.ofSeconds(25), Duration.ofSeconds(10), 16, "", null);
    }

    private static final String SLICE_MILLIS = "200";
    private static final String OTHER = " (other build)";

    private final Settings settings;
    private final Map<String, Row> rows = new LinkedHashMap<>();

    private HttpBench(Settings settings) {
        this.settings = settings;
    }

    /**
     * Measures, and takes as long as the settings say.
     *
     * @param news hears what is being measured
     */
    public static Report run(Settings settings, Consumer<String> news) throws IOException {
        var bench = new HttpBench(settings);
        var ceiling = bench.ceiling();
        for (var round = 1; round <= settings.rounds(); round++) {
            for (var scenario : Scenario.values()) {
                if (scenario == Scenario.BARE || scenario.title().startsWith(settings.only())) {
                    news.accept("round " + round + ": " + scenario.title());
                    bench.measure(scenario);
                }
            }
        }
        return new Report(ceiling, List.copyOf(bench.rows.values()));
    }

    /** How many requests a second the load generator sends where a server costs next to nothing. */
    private double ceiling() throws IOException {
        try (var server = ChildProcess.start(classPath(), NullServer.class)) {
            return load(server, Scenario.BARE).perSecond();
        }
    }

    private void measure(Scenario scenario) throws IOException {
        measure(scenario, scenario.title(), classPath());
        if (settings.against() != null && scenario != Scenario.BARE) {
            measure(scenario, scenario.title() + OTHER, settings.against());
        }
    }

    private void measure(Scenario scenario, String title, String classPath) throws IOException {
        var folder = Files.createTempDirectory("longhaul-bench");
        try {
            var args = scenario == Scenario.BARE
                    ? new String[] {"echo"}
                    : new String[] {"tools", folder.resolve("tasks.db").toString()};
            try (var server = ChildProcess.start(classPath, MeasuredServer.class, args)) {
                rows.computeIfAbsent(title, Row::new).add(load(server, scenario));
            }
        } finally {
            delete(folder);
        }
    }

    private Sample load(ChildProcess server, Scenario scenario) throws IOException {
        var connections = String.valueOf(settings.connections());
        try (var generator =
                ChildProcess.start(classPath(), LoadGenerator.class, scenario.name(), server.line(), connections)) {
            generator.line();
            do {
                generator.ask(SLICE_MILLIS);
            } while (server.cpu().compareTo(settings.warmUp()) < 0);
            var before = server.cpu();
            var counted = generator.ask(String.valueOf(settings.measured().toMillis()));
            return Sample.of(server.cpu().minus(before), counted);
        }
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /**
     * One measurement.
     *
     * @param cpu       microseconds of the server's CPU for each time that the scenario was gone through
     * @param perSecond how often that was in a second
     * @param median    how long each took, in microseconds
     * @param slowest   within how many microseconds 99 of 100 were answered
     */
    record Sample(double cpu, double perSecond, double median, double slowest) {

        static Sample of(Duration cpu, String counted) {
            var words = counted.split(" ");
            var count = Math.max(1, Long.parseLong(words[0]));
            return new Sample(
                    cpu.toNanos() / 1e3 / count,
                    count * 1e9 / Long.parseLong(words[1]),
                    Double.parseDouble(words[2]),
                    Double.parseDouble(words[3]));
        }
    }

    /** What was measured of one scenario in all rounds. */
    static final class Row {

        private final String title;
        private final List<Sample> samples = new ArrayList<>();

        Row(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        List<Sample> samples() {
            return List.copyOf(samples);
        }

        private void add(Sample sample) {
            samples.add(sample);
        }

        /** The median of one figure over the rounds. */
        double median(ToDoubleFunction<Sample> figure) {
            var sorted = samples.stream().mapToDouble(figure).sorted().toArray();
            var middle = sorted.length / 2;
            return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        }

        /** How far the rounds lie apart, as a part of the median. */
        double spread() {
            var cpu = samples.stream().mapToDouble(Sample::cpu).toArray();
            var range = Arrays.stream(cpu).max().orElse(0)
                    - Arrays.stream(cpu).min().orElse(0);
            return range / Math.max(1e-9, median(Sample::cpu));
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s: %.1f us", title, median(Sample::cpu));
        }
    }
}
