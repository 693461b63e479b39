// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.TaskReference;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One call of a tool of the file in a folder, whose server and command can be killed on the way. */
final class ScriptedCall implements AutoCloseable {

    private final Path folder;
    private final int port;
    private final TaskReference task;
    private final CompletableFuture<CallOutcome> ended;
    private Victim server;

    ScriptedCall(Path folder, String tool, Map<String, Object> arguments, QuestionHandler answers) throws Exception {
        this.folder = folder;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        server = start();
        var url = URI.create("http://127.0.0.1:" + port + "/mcp");
        try (var client = McpClient.to(url).answers(answers).connect()) {
            var call = client.call(tool, arguments);
            task = call.reference().orElseThrow();
            call.detach();
        }
        ended = CompletableFuture.supplyAsync(() -> awaited(url, answers));
    }

    private Victim start() throws IOException {
        return Victim.start(
                folder, "server", List.of(), Optional.empty(), ScriptedServer.class, folder.toString(), port + "");
    }

    private CallOutcome awaited(URI url, QuestionHandler answers) {
        while (true) {
            try (var client = McpClient.to(url).answers(answers).connect()) {
                var outcome = client.attach(task).await();
                if (!(outcome instanceof CallOutcome.Lost)) {
                    return outcome;
                }
            } catch (ServerUnreachableException e) {
                Thread.onSpinWait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    CompletableFuture<CallOutcome> ended() {
        return ended;
    }

    /** The folder of the job. */
    Path job() {
        return folder.resolve("jobs").resolve(task.taskId());
    }

    String taskId() {
        return task.taskId();
    }

    void killServer() throws Exception {
        server.kill();
        server = start();
    }

    void killCommand() throws IOException, InterruptedException {
        var claim = job().resolve("claim");
        if (Files.exists(claim)) {
            var group = Files.readString(claim).split(" ")[0];
            new ProcessBuilder("/bin/sh", "-c", "kill -KILL -- -" + group + " 2>/dev/null")
                    .start()
                    .waitFor();
        }
    }

    @Override
    public void close() throws Exception {
        server.kill();
    }
}
