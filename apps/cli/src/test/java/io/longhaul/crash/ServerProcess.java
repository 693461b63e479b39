// SPDX-License-Identifier: Apache-2.0
package io.longhaul.crash;

import io.longhaul.cli.StartedJvm;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebReply;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** The server as a real second JVM. */
record ServerProcess(Process process, URI uri) {

    /** Starts one over {@code folder}, and returns when it answers. */
    static ServerProcess start(Path folder) throws IOException {
        return start(folder, 0);
    }

    /** Starts one over {@code folder}, at that port. */
    static ServerProcess start(Path folder, int port) throws IOException {
        var command = StartedJvm.command(CrashServer.class, folder.toString(), String.valueOf(port));
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("server.log").toFile())
                .start();
        BufferedReader out = process.inputReader();
        String url = out.readLine();
        if (url == null) {
            throw new IOException("the server did not start; see " + folder.resolve("server.log"));
        }
        return new ServerProcess(process, URI.create(url));
    }

    /** A client that knows what was acknowledged: what is lost is told by {@link java.io.UncheckedIOException}. */
    StatelessClient<WebReply> client() {
        return StatelessClient.to(uri, StatelessClient.TASKS);
    }

    /** SIGKILL: the server gets no chance to finish anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }
}
