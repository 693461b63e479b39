// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.Content;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.server.annotation.McpParam;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A server for an eventually consistent cluster: a new version of a service is accepted at once, and then the processes
 * of its replicas are replaced one by one. A client that takes resume tokens calls again to learn the progress. The
 * client is free to wait, to do something else, or to give up: the rollout goes on in any case.
 *
 * <p>{@code examples/rollout-server} starts it, and then
 * {@code ./longhaul call http://127.0.0.1:8080/mcp roll_out service=shop version=2 --generation sep-1003} calls it.
 */
public final class RolloutServer {

    private RolloutServer() {}

    record Rollout(
            @McpParam(pattern = "^[a-z][a-z0-9-]*$", maxLength = 40)
            String service,

            @McpParam(minLength = 1, maxLength = 40) String version) {}

    public static void main(String[] args) throws Exception {
        var http = Http.onPort(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        var folder = Path.of(args.length > 1 ? args[1] : ".");
        try (var cluster = new Cluster(folder.resolve("services"), 5, Duration.ofSeconds(5));
                var server = start(folder.resolve("rollouts.db"), cluster, http)) {
            System.err.println("services are rolled out at " + http.url());
            server.awaitEnd();
        }
    }

    static McpServer start(Path tasks, Cluster cluster, Http http) {
        return McpServer.builder("cluster", "1.0")
                .tool(Tool.define("roll_out")
                        .description("Has a service run another version; its replicas take that up one by one.")
                        .input(Rollout.class)
                        .idempotent()
                        .immediateResult(RolloutServer::accepted)
                        .longRunning(t ->
                                t.onCrash(CrashPolicy.RESTART).resumeAlways().resumeWait(Duration.ofSeconds(20)))
                        .handler((wanted, task) -> {
                            task.step("want", String.class, () -> cluster.want(wanted.service(), wanted.version()));
                            // A replica that was told before a crash is not told again.
                            for (int ready = task.partialCount() + 1; ready <= cluster.replicas(); ready++) {
                                cluster.await(ready, wanted.service(), wanted.version());
                                task.progress(ready, cluster.replicas(), "replicas ready");
                                task.partial(ready + " of " + cluster.replicas() + " replicas run version "
                                        + wanted.version() + ".");
                            }
                            return wanted.service() + " runs version " + wanted.version() + " everywhere.";
                        }))
                .store(SqliteTaskStore.at(tasks))
                .serve(http);
    }

    private static List<Content> accepted(Rollout wanted) {
        return List.of(Content.text("Accepted: " + wanted.service() + " is to run version " + wanted.version()
                + ". No replica is known to run it yet."));
    }
}
