// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.cli.command.ThisProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A real {@code longhaul serve} in a process of its own. */
final class DemoServer implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("longhaul: at (http\\S+)");

    private final Process process;
    private final URI address;

    private DemoServer(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts a server, and returns when it serves.
     *
     * @throws IOException with the output of a server that does not start
     */
    static DemoServer start(Path file, Path data, int port) throws IOException {
        var command = new ArrayList<>(ThisProgram.command("serve"));
        command.addAll(List.of("serve", file.toString(), "--data", data.toString(), "--http", String.valueOf(port)));
        var process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        var said = new StringBuilder();
        var err = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        for (var line = err.readLine(); line != null; line = err.readLine()) {
            said.append(line).append('\n');
            var address = ADDRESS.matcher(line);
            if (address.matches()) {
                Thread.ofVirtual().start(() -> drain(err));
                return new DemoServer(process, URI.create(address.group(1)));
            }
        }
        throw new IOException("the server did not start:\n" + said);
    }

    private static void drain(BufferedReader err) {
        try {
            while (err.readLine() != null) {
                // Later output of the server does not concern the user of the demo.
            }
        } catch (IOException e) {
            // The process has ended.
        }
    }

    URI address() {
        return address;
    }

    long pid() {
        return process.pid();
    }

    /** Kills the process with SIGKILL, without a chance to tidy up. Returns when the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks the process to end, and makes sure that it does. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
