// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import static io.longhaul.engine.task.CrashPolicy.RESTART;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.ChildFailedException;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.annotation.McpApprove;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpParam;
import io.longhaul.server.annotation.McpParams;
import io.longhaul.server.annotation.McpTool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Java of docs/TOOLS.md. */
abstract class ToolsListings extends ReadmeListings {

    enum Kind {
        TXT,
        MD
    }

    record Count(long words) {}

    record Query(String city) {}

    record Release(String commit) {}

    record Tests(int passed) {}

    record Image(String digest) {}

    interface Orders {
        List<String> page(String city, int page);

        int count(String city);
    }

    abstract Orders orders();

    abstract Report write(ReportRequest request);

    abstract Report publish(Report draft);

    abstract Count count(String folder, Kind kind, @Nullable Integer files);

    class Reports {

        @McpTool(
                name = "count_words",
                description = "Counts the words of the texts in a folder",
                annotations = @McpTool.McpAnnotations(readOnlyHint = true))
        Count countWords(
                @McpParam(description = "A folder on the server") String folder,
                @McpParam(defaultValue = "TXT") Kind kind,
                @McpParam(minimum = 1, maximum = 1000) @Nullable Integer files) {
            return count(folder, kind, files);
        }

        @McpTool(name = "generate_report", description = "Builds the quarterly report")
        @McpApprove("Build the report of {quarter}?")
        @McpLongRunning(onCrash = CrashPolicy.RESTART, timeout = "2h", keepFor = "24h")
        Report generateReport(@McpParams ReportRequest request, TaskContext task) throws Exception {
            var rows = task.step("load", Rows.class, () -> load(request));
            task.approve("Publish?");
            return Report.of(rows);
        }
    }

    Tool bounded() {
        return Tool.define("generate_report")
                .input(ReportRequest.class)
                .longRunning(t -> t.timeout(ofHours(2))
                        .idle(ofMinutes(10))
                        .concurrency(2)
                        .priority(5)
                        .rate(10, ofMinutes(1)))
                .handler((request, task) -> Report.of(load(request)));
    }

    Tool built() {
        return Tool.define("generate_report")
                .description("Builds the quarterly report")
                .input(ReportRequest.class)
                .output(Report.class)
                .longRunning(
                        t -> t.keepFor(Duration.ofHours(24)).onCrash(RESTART).timeout(Duration.ofHours(2)))
                .handler((request, task) -> Report.of(load(request)));
    }

    Tool approved() {
        return Tool.define("publish_report")
                .input(ReportRequest.class)
                .output(Report.class)
                .longRunning(t -> t.onCrash(RESTART).suspendAfter(Duration.ofMinutes(1)))
                .handler((request, task) -> {
                    var draft = task.step("draft", Report.class, () -> write(request));
                    task.approve("Publish?");
                    return publish(draft);
                });
    }

    Tool released() {
        return Tool.define("release")
                .input(Release.class)
                .longRunning(t -> t.onCrash(RESTART))
                .handler((request, task) -> {
                    var tests = task.call("run_tests", Map.of("commit", request.commit()));
                    var image = task.call("build_image", Map.of("commit", request.commit()));
                    try {
                        tests.await(Tests.class);
                    } catch (ChildFailedException e) {
                        return "The tests have failed; task " + e.taskId() + " has their log.";
                    }
                    return task.call("roll-out", "deploy", image.await(Image.class))
                            .await(String.class);
                });
    }

    Tool paged() {
        var orders = orders();
        return Tool.define("find_orders")
                .input(Query.class)
                .longRunning(t -> t.onCrash(RESTART).resumeAlways())
                .handler((query, task) -> {
                    for (int page = task.partialCount(); ; page++) {
                        var rows = orders.page(query.city(), page);
                        if (rows.isEmpty()) {
                            return "These are all " + orders.count(query.city()) + " orders.";
                        }
                        task.partial(String.join("\n", rows));
                    }
                });
    }
}
