// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.terminal.TestTerminal;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Processes of {@code serve} of one user, who has a state folder of a test. Not thread-safe. */
public final class StartedServers implements AutoCloseable {
    private static final String AT = "longhaul: at ";

    private final Path folder;
    private final List<Process> servers = new ArrayList<>();

    public StartedServers(Path folder) {
        this.folder = folder;
    }

    public Map<String, String> env() {
        return Map.of("XDG_STATE_HOME", folder.resolve("state").toString());
    }

    /** Somebody in the environment of the user, with one more variable. */
    public TestTerminal user(String name, String value) {
        var env = new HashMap<>(env());
        env.put(name, value);
        return TestTerminal.with(env);
    }

    public TestTerminal user() {
        return TestTerminal.with(env());
    }

    /** Starts a server of a file of tools, and gives its address when it answers. */
    public String serve(Path file) throws IOException {
        return serve(file, 0);
    }

    /** Starts one at that port. */
    public String serve(Path file, int port) throws IOException {
        var command = new ArrayList<>(StartedJvm.program());
        command.addAll(List.of("serve", file.toString(), "--http", String.valueOf(port)));
        var server = process(command).start();
        servers.add(server);
        var said = server.inputReader();
        for (var line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(AT)) {
                // What it says later would fill the pipe.
                Thread.ofVirtual().start(() -> drain(said));
                return line.substring(AT.length());
            }
        }
        throw new IOException("the server of " + file + " did not start");
    }

    private static void drain(Reader said) {
        try {
            said.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            // The process has ended.
        }
    }

    public String serve(String name, String tools) throws IOException {
        return serve(Files.writeString(folder.resolve(name + ".yaml"), tools));
    }

    /** What a process of the program prints in a folder. */
    public String in(Path where, String... line) throws IOException {
        return new String(begin(where, line).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** A process of the program in a folder. */
    public Process begin(Path where, String... line) throws IOException {
        var command = new ArrayList<>(StartedJvm.program());
        command.addAll(List.of(line));
        return process(command).directory(where.toFile()).start();
    }

    private ProcessBuilder process(List<String> command) {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(env());
        builder.environment().remove("LONGHAUL_URL");
        return builder;
    }

    /** SIGKILL, of the server that was started first and still runs. */
    public void kill() {
        servers.removeFirst().destroyForcibly().onExit().join();
    }

    /** SIGTERM. */
    public void stop() {
        var server = servers.removeFirst();
        server.destroy();
        server.onExit().join();
    }

    @Override
    public void close() {
        while (!servers.isEmpty()) {
            kill();
        }
    }
}
