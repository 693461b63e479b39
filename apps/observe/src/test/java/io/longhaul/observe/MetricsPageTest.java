// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.server.UpstreamStatistics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page for those who run a server lists each metric as it is scraped, and none that is not. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../../docs/OPERATING.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(longhaul_\\w+)` \\| (\\w+) \\|([^|]*)\\|");
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (longhaul_\\w+) (\\w+)$");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(longhaul_\\w+?)(?:_bucket)?(?:\\{([^}]*)})? ");

    private static final UpstreamStatistics UPSTREAM = new UpstreamStatistics(
            "behind",
            "up",
            "",
            new UpstreamStatistics.Offered("1", 2, List.of()),
            new UpstreamStatistics.Calls(0, 0, 5, 1, Duration.ofMillis(3), Duration.ofMillis(9)));

    /** A metric: its type, and the names of its labels. */
    private record Metric(String type, Set<String> labels) {}

    @Test
    void the_page_lists_what_is_scraped() throws IOException {
        assertThat(scraped(afterSomeWork())).isEqualTo(listed());
    }

    private static TreeMap<String, Metric> listed() throws IOException {
        var rows = new TreeMap<String, Metric>();
        ROW.matcher(Files.readString(PAGE))
                .results()
                .forEach(row -> rows.put(
                        row.group(1),
                        new Metric(
                                row.group(2),
                                labels(row.group(3).replaceAll("`", "").split(", ")))));
        return rows;
    }

    private static Set<String> labels(String... names) {
        return Stream.of(names)
                .map(String::strip)
                .filter(name -> !name.isEmpty() && !name.equals("le"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static TreeMap<String, Metric> scraped(String text) {
        var found = new TreeMap<String, Metric>();
        TYPE.matcher(text)
                .results()
                .forEach(type -> found.put(type.group(1), new Metric(type.group(2), new TreeSet<>())));
        // Each histogram has the largest value of late beside it.
        found.keySet().removeIf(name -> name.endsWith("_max"));
        SAMPLE.matcher(text)
                .results()
                .filter(sample -> found.containsKey(sample.group(1)) && sample.group(2) != null)
                .forEach(sample -> found.get(sample.group(1))
                        .labels()
                        .addAll(labels(
                                sample.group(2).replaceAll("=\"[^\"]*\"", "").split(","))));
        return found;
    }

    private static String afterSomeWork() {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var metrics = new ServerMetrics(registry);
        var caller = new Caller();
        try (var server = McpServer.builder("test", "1.0")
                .store(new MemoryTaskStore())
                .monitor(metrics)
                .tool(Tool.define("long").longRunning().handler((none, task) -> "done"))
                .tool(Tool.define("quick").handler((none, task) -> "done"))
                .serve(caller.transport())) {
            caller.result(caller.task("long"));
            caller.call("quick", "");
            assertThat(server.readiness()).isNotNull();
            server.countUpstreams(() -> List.of(UPSTREAM));
            assertThat(metrics.upstreams()).containsExactly(UPSTREAM);
            var nobody = new ObservedCaller(Principal.LOCAL, null, null);
            metrics.observer().orElseThrow().on(new ServerEvent.NoticeGivenUp(nobody, "task", "ops", 7));
            return registry.scrape();
        }
    }
}
