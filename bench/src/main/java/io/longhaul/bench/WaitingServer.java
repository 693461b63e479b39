package io.longhaul.bench;

import static io.longhaul.engine.task.CrashPolicy.RESTART;

import io.longhaul.engine.TaskLimits;
import io.longhaul.server.McpServer;
import io.longhaul.server.RunningServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The server of {@link WaitingTasks}: one tool whose tasks wait for an answer. It prints its address, then the used
 * heap after a collection for each line that it reads.
 */
public final class WaitingServer {

    record Word(String word) {}

    private WaitingServer() {}

    /** @param args the data file, and how many tasks may live */
    public static void main(String[] args) throws Exception {
        int tasks = Integer.parseInt(args[1]);
        Http http = Http.onPort(0);
        RunningServer server = McpServer.named("waiting", "1")
                .limits(TaskLimits.builder().livePerOwner(tasks).build())
                .tool(Tool.define("wait")
                        .description("Waits for a word.")
                        .longRunning(t -> t.onCrash(RESTART))
                        .handler((none, task) ->
                                task.elicit("Which word?", Word.class).content().word()))
                .store(SqliteTaskStore.at(Path.of(args[0])))
                .serve(http);
        long started = ManagementFactory.getRuntimeMXBean().getStartTime();
        System.out.println(http.url() + " " + (System.currentTimeMillis() - started));
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (asked.readLine() != null) {
            System.gc();
            System.out.println(
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        server.close();
    }
}
