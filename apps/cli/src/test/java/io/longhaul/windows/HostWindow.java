// SPDX-License-Identifier: Apache-2.0
package io.longhaul.windows;

import io.longhaul.cli.StartedJvm;
import io.longhaul.testkit.talk.Messages;
import io.longhaul.testkit.talk.StdioWire;
import io.longhaul.testkit.talk.Talk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** One window of a host: a real process of its own, spoken to over its standard streams. */
final class HostWindow implements AutoCloseable {

    private final Process process;
    private final StdioWire wire;
    private final Talk talk;
    private final BufferedReader err;

    private HostWindow(Process process) {
        this.process = process;
        wire = new StdioWire(process.getInputStream(), process.getOutputStream());
        talk = new Talk(wire);
        err = process.errorReader(StandardCharsets.UTF_8);
    }

    static HostWindow open(Path file, Path data) throws IOException {
        return open(file, data, "--stdio");
    }

    static HostWindow open(Path file, Path data, String... options) throws IOException {
        var command = new ArrayList<>(StartedJvm.program());
        command.addAll(List.of("serve", file.toString(), "--data", data.toString()));
        command.addAll(List.of(options));
        return new HostWindow(new ProcessBuilder(command).start());
    }

    void send(String json) {
        talk.send(json.replace('\'', '"'));
    }

    JsonNode response(int id) {
        return talk.response(id).orElseThrow();
    }

    /** The text that a call resulted in. */
    String result(int id) {
        return response(id).at("/result/content/0/text").asString();
    }

    /** The next request or notification of a method. */
    JsonNode hear(String method) {
        return talk.hear(method, params -> true);
    }

    /** Reads what the process says to its user until a line holds {@code text}. */
    String said(String text) throws IOException {
        var all = new StringBuilder();
        for (var line = err.readLine(); line != null; line = err.readLine()) {
            all.append(line).append('\n');
            if (line.contains(text)) {
                return line;
            }
        }
        throw new IOException("it never said \"" + text + "\" but: " + all);
    }

    /** How many messages so far are {@code wanted}. */
    long count(Predicate<JsonNode> wanted) {
        return talk.heard().stream().filter(wanted).count();
    }

    void initialize(String version, String capabilities) {
        talk.open(version, capabilities);
    }

    void call(int id, String tool, String arguments) {
        var params = Messages.and(Messages.call(tool, arguments), "'_meta':{'progressToken':" + id + "}");
        send(Messages.request(id, "tools/call", params));
    }

    /** SIGSTOP: the process lives, and takes nothing in any more. */
    void freeze() throws Exception {
        signal("STOP");
    }

    void signal(String name) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new IOException("the window did not get SIG" + name);
        }
    }

    /** SIGKILL: it gets no chance to tell anybody. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** The host leaves as hosts do: it closes the input, and waits. Gives the exit code. */
    int leave() throws InterruptedException {
        wire.close();
        return process.waitFor();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            kill();
        }
    }
}
