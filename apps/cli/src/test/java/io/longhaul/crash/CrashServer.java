// SPDX-License-Identifier: Apache-2.0
package io.longhaul.crash;

import static io.longhaul.engine.task.CrashPolicy.RESTART;

import io.longhaul.engine.TaskLimits;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/** The victim: a server whose tools write into a ledger on disk when they really run. */
public final class CrashServer {

    record Label(String label) {}

    record Word(String word) {}

    private CrashServer() {}

    /** @param args the folder for the data and the ledger, and the port where it matters */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        FileChannel ledger =
                FileChannel.open(folder.resolve("ledger"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Http http = Http.onPort(args.length > 1 ? Integer.parseInt(args[1]) : 0);
        McpServer server = McpServer.builder("victim", "1")
                .limits(TaskLimits.builder()
                        .livePerOwner(100_000)
                        .crashAttempts(1_000)
                        .build())
                .tool(Tool.define("charge")
                        .description("Must never run twice.")
                        .input(Label.class)
                        .longRunning()
                        .handler((label, task) -> {
                            write(ledger, "charge " + task.id() + " " + label.label());
                            work(400);
                            return "charged " + label.label();
                        }))
                .tool(Tool.define("survey")
                        .description("Asks, and gives the answer back.")
                        .input(Label.class)
                        .longRunning(t -> t.onCrash(RESTART))
                        .handler((label, task) ->
                                task.elicit("A word?", Word.class).content().word()))
                .tool(Tool.define("replay")
                        .description("Does one step once, and another thing after it.")
                        .input(Label.class)
                        .longRunning(t -> t.onCrash(RESTART))
                        .handler((label, task) -> {
                            String done = task.step("one", String.class, () -> {
                                work(200);
                                return "step of " + label.label();
                            });
                            work(200);
                            return done;
                        }))
                .tool(Tool.define("charged_survey")
                        .description("Calls two of the others.")
                        .input(Label.class)
                        .longRunning(t -> t.onCrash(RESTART))
                        .handler((label, task) -> task.call("charge", label).await(String.class) + ", "
                                + task.call("survey", label).await(String.class)))
                .store(SqliteTaskStore.at(folder.resolve("tasks.db")))
                .serve(http);
        System.out.println(http.url());
        server.awaitEnd();
    }

    private static synchronized void write(FileChannel ledger, String line) throws IOException {
        ledger.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        ledger.force(false);
    }

    /** Work that takes some milliseconds, so that a kill can fall into it. */
    private static void work(int kilobytes) throws Exception {
        MessageDigest.getInstance("SHA-256").digest(new byte[kilobytes << 10]);
    }
}
