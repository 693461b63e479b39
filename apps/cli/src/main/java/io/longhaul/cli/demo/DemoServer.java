// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.cli.command.ThisProgram;
import io.longhaul.cli.data.SealingKeys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A real {@code longhaul serve} in a process of its own. */
record DemoServer(Process process, URI address) {
    private static final Pattern ADDRESS = Pattern.compile("longhaul: at (http\\S+)");
    private static final int PATIENCE_SECONDS = 5;

    /**
     * Starts a server, and returns when it serves.
     *
     * @throws IOException with the output of a server that does not start
     */
    static DemoServer start(Path file, Path data, int port) throws IOException {
        var command = new ArrayList<>(ThisProgram.command("serve"));
        command.addAll(List.of("serve", file.toString(), "--data", data.toString(), "--http", String.valueOf(port)));
        var builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        // The history is read without keys.
        builder.environment().remove(SealingKeys.VARIABLE);
        var process = builder.start();
        var said = new StringBuilder();
        var err = process.errorReader(StandardCharsets.UTF_8);
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

    /** Reads later output of the server, which does not concern the user of the demo, until the process has ended. */
    private static void drain(BufferedReader err) {
        try {
            err.lines().forEach(line -> {});
        } catch (UncheckedIOException e) {
            // The process has ended.
        }
    }

    long pid() {
        return process.pid();
    }

    /** Kills the process with SIGKILL, without a chance to tidy up. Returns when the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks the process to end, and makes sure that it does. */
    void end() {
        process.destroy();
        process.onExit()
                .completeOnTimeout(process, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly();
    }
}
