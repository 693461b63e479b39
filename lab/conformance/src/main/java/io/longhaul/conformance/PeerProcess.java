// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A server over HTTP that others wrote, as a process of its own. What it says goes into a file. */
record PeerProcess(Process process, URI uri, Thread logging) implements AutoCloseable {

    /**
     * Starts a server, and returns when it listens.
     *
     * @param port        the variable of the environment that gives the server its port
     * @param environment what else the environment has
     */
    static PeerProcess start(List<String> command, String port, Map<String, String> environment, Path log)
            throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put(port, String.valueOf(free));
        builder.environment().putAll(environment);
        Process process = builder.start();
        BufferedReader said = process.inputReader();
        String line = said.readLine();
        while (line != null && !line.matches(".*(listening|http://|running on).*")) {
            line = said.readLine();
        }
        Thread logging = Thread.startVirtualThread(() -> copy(said, log));
        return new PeerProcess(process, URI.create("http://127.0.0.1:" + free + "/mcp"), logging);
    }

    private static void copy(Reader from, Path log) {
        try (from;
                Writer to = Files.newBufferedWriter(log)) {
            from.transferTo(to);
        } catch (IOException e) {
            System.err.println("The log of a server is not whole: " + e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
        logging.join();
    }
}
