// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static io.longhaul.engine.task.CrashPolicy.RESTART;

import io.longhaul.file.FilePlace;
import io.longhaul.file.ServerFile;
import io.longhaul.server.McpServer;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The victim: the tool {@code publish} of a file, whose command is a script, and the same tool in Java. */
public final class ScriptedServer {

    record Who(String name) {}

    private ScriptedServer() {}

    /** @param args the folder of the file, and the port */
    public static void main(String[] args) throws Exception {
        var http = Http.onPort(Integer.parseInt(args[1]));
        var running = serve(Path.of(args[0]), http);
        System.out.println(http.url());
        running.awaitEnd();
    }

    static McpServer serve(Path folder, Http http) throws Exception {
        var ledger = new Lines(folder.resolve("ledger"));
        var server = McpServer.builder("victim", "1")
                .tool(Tool.define("java")
                        .longRunning(t -> t.onCrash(RESTART))
                        .handler((none, task) -> publish(task, ledger, folder)));
        var file = ServerFile.read(folder.resolve("tools.yaml"));
        var place = FilePlace.of(SqliteTaskStore.at(folder.resolve("tasks.db")), folder.resolve("jobs"));
        return file.addTo(server, place, http).serve(http);
    }

    private static Map<String, Object> publish(TaskContext task, Lines ledger, Path folder) throws Exception {
        int rows = step(task, ledger, "load", 7);
        var greeting = task.call("greet", Map.of("name", "Ada"));
        var who = task.elicit("Who?", Who.class).content().name();
        task.partial("half");
        int pages = step(task, ledger, "write", 2);
        Files.writeString(folder.resolve("page.txt"), "page");
        task.approve("Publish?");
        int copies = step(task, ledger, "publish", 1);
        return Map.of(
                "rows",
                rows,
                "who",
                who,
                "greeting",
                greeting.await(String.class).strip(),
                "sum",
                pages + copies);
    }

    private static int step(TaskContext task, Lines ledger, String name, int value) throws Exception {
        int recorded = task.step(name, Integer.class, () -> {
            ledger.write("doing", name);
            return value;
        });
        ledger.write("recorded", name);
        return recorded;
    }
}
