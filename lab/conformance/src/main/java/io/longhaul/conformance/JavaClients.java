// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Sessions of the official Java client, for the checks that play hosts: a line of JSON connects a session, calls a tool
 * in it, or closes it, and is answered by a line under its id.
 */
public final class JavaClients {

    /** A line that comes in: what a session does, which is closed where the line says neither. */
    record Line(
            int id,
            int session,
            @Nullable Connect connect,
            @Nullable ToolCall call) {}

    /**
     * @param name   of the client; without it the client is as it comes, and waits for 20 s
     * @param url    of a server over HTTP; else {@code command} starts one
     * @param answer what a form is filled in with; without it the client cannot show forms
     */
    record Connect(
            @Nullable String name,
            @Nullable String url,
            @Nullable List<String> command,
            @Nullable Map<String, Object> answer) {}

    /**
     * @param timeout how long the call waits for an answer, in milliseconds. The client's own limit, which is one for
     *                all requests, ends a call alike, but the start of a server too
     */
    record ToolCall(
            String name, Map<String, Object> args, @Nullable Long timeout) {}

    private static final Duration START = Duration.ofMinutes(1);
    private static final McpJsonMapper JSON = McpJsonDefaults.getMapper();

    private final Map<Integer, McpAsyncClient> sessions = new ConcurrentHashMap<>();

    private JavaClients() {}

    /** Reads lines to the end of the input. */
    public static void main(String[] args) throws IOException {
        var clients = new JavaClients();
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            var read = JSON.readValue(line, Line.class);
            Thread.ofVirtual().start(() -> clients.answer(read));
        }
        System.exit(0);
    }

    private void answer(Line line) {
        Map<String, Object> answer;
        try {
            answer = Map.of("id", line.id(), "result", result(line));
        } catch (RuntimeException e) {
            answer = Map.of(
                    "id",
                    line.id(),
                    "error",
                    Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                            .map(Throwable::toString)
                            .collect(Collectors.joining("; ")));
        }
        try {
            String written = JSON.writeValueAsString(answer);
            synchronized (this) {
                System.out.println(written);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object result(Line line) {
        if (line.connect() != null) {
            return connect(line.session(), line.connect());
        }
        if (line.call() != null) {
            return call(sessions.get(line.session()), line.call());
        }
        // The server may be gone.
        sessions.remove(line.session()).closeGracefully().onErrorComplete().block(START);
        return Map.of();
    }

    private static Object call(McpAsyncClient client, ToolCall call) {
        var request =
                CallToolRequest.builder(call.name()).arguments(call.args()).build();
        return client.callTool(request)
                .timeout(call.timeout() == null ? START : Duration.ofMillis(call.timeout()))
                .block();
    }

    private Object connect(int session, Connect server) {
        var capabilities = ClientCapabilities.builder();
        var spec = McpClient.async(transport(server)).enableCallToolSchemaCaching(true);
        if (server.name() != null) {
            spec.clientInfo(Implementation.builder(server.name(), "1.0").build())
                    .requestTimeout(START)
                    .initializationTimeout(START);
        }
        if (server.answer() != null) {
            var filledIn = ElicitResult.builder(ElicitResult.Action.ACCEPT)
                    .content(server.answer())
                    .build();
            spec.elicitation(form -> Mono.just(filledIn));
            capabilities.elicitation();
        }
        var client = spec.capabilities(capabilities.build()).build();
        client.initialize().block();
        sessions.put(session, client);
        var tools = client.listTools().block().tools().stream().map(Tool::name).toList();
        return Map.of("tools", tools, "pid", pid(server).orElse(0L));
    }

    private static McpClientTransport transport(Connect server) {
        if (server.url() != null) {
            var url = URI.create(server.url());
            return HttpClientStreamableHttpTransport.builder(url.resolve("/").toString())
                    .endpoint(url.getPath())
                    .build();
        }
        var command = ServerParameters.builder(server.command().getFirst())
                .args(server.command().subList(1, server.command().size()))
                .build();
        var transport = new StdioClientTransport(command, JSON);
        transport.setStdErrorHandler(System.err::println);
        return transport;
    }

    /** The client does not tell which process it started: its command ends like no other. */
    private static Optional<Long> pid(Connect server) {
        if (server.command() == null) {
            return Optional.empty();
        }
        String end =
                String.join(" ", server.command().subList(1, server.command().size()));
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").endsWith(end.substring(end.indexOf(' '))))
                .map(ProcessHandle::pid)
                .findFirst();
    }
}
