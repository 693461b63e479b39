// SPDX-License-Identifier: Apache-2.0
package io.longhaul.windows;

import io.longhaul.cli.StartedJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One window of a host: a real process of its own, spoken to over its standard streams. */
final class HostWindow implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final Process process;
    private final Writer in;
    private final BufferedReader out;
    private final BufferedReader err;
    private final List<JsonNode> heard = new ArrayList<>();

    private HostWindow(Process process) {
        this.process = process;
        in = process.outputWriter(StandardCharsets.UTF_8);
        out = process.inputReader(StandardCharsets.UTF_8);
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

    void send(String json) throws IOException {
        in.write(json.replace('\'', '"') + "\n");
        in.flush();
    }

    /** Reads until a message is {@code wanted}, and gives it. */
    JsonNode await(Predicate<JsonNode> wanted) throws IOException {
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            var message = JSON.readTree(line);
            heard.add(message);
            if (wanted.test(message)) {
                return message;
            }
        }
        throw new IOException("the window closed; it heard " + heard);
    }

    JsonNode response(int id) throws IOException {
        return await(message -> message.path("id").asInt(-1) == id && !message.has("method"));
    }

    /** The text that a call resulted in. */
    String result(int id) throws IOException {
        return response(id).at("/result/content/0/text").asString();
    }

    JsonNode request(String method) throws IOException {
        return await(message -> message.path("method").asString("").equals(method) && message.has("id"));
    }

    JsonNode notification(String method) throws IOException {
        return await(message -> message.path("method").asString("").equals(method) && !message.has("id"));
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
        return heard.stream().filter(wanted).count();
    }

    void initialize(String version, String capabilities) throws IOException {
        send("{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'" + version
                + "','capabilities':" + capabilities + ",'clientInfo':{'name':'host','version':'1'}}}");
        response(1);
        send("{'jsonrpc':'2.0','method':'notifications/initialized'}");
    }

    void call(int id, String tool, String arguments) throws IOException {
        send("{'jsonrpc':'2.0','id':" + id + ",'method':'tools/call','params':{'name':'" + tool + "','arguments':"
                + arguments + ",'_meta':{'progressToken':" + id + "}}}");
    }

    /** SIGSTOP: the process lives, and takes nothing in any more. */
    void freeze() throws Exception {
        var stop = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start();
        if (stop.waitFor() != 0) {
            throw new IOException("the window was not frozen");
        }
    }

    /** SIGKILL: it gets no chance to tell anybody. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** The host leaves as hosts do: it closes the input, and waits. Gives the exit code. */
    int leave() throws Exception {
        in.close();
        while (out.readLine() != null) {
            // The last answers are of no interest.
        }
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
