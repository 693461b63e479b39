// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What the tests of scripted conversations share. */
public final class Scripts {

    public static final Json NO_ARGUMENTS = Json.EMPTY_OBJECT;

    /** The beginning of a conversation with a server of the newest generation, which has no subscriptions. */
    public static final String STATELESS = """
            ->* subscriptions/listen
            <! -32601 Unknown
            -> server/discover {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientInfo":{"name":"tester","version":"1"},\
            "io.modelcontextprotocol/clientCapabilities":{}}}
            -h MCP-Protocol-Version: 2026-07-28
            -h Mcp-Method: server/discover
            <- {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},\
            "extensions":{"io.modelcontextprotocol/tasks":{},"io.longhaul/creation-key":{}}},\
            "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"script","version":"1"}}}
            """;

    /** The beginning of a conversation with a server of 2025-11-25 that has tasks. */
    public static final String HANDSHAKE = """
            -> server/discover
            <= 400
            -> initialize {"protocolVersion":"2025-11-25"}
            -- Mcp-Session-Id
            <h Mcp-Session-Id: one
            <- {"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"list":{},"cancel":{},\
            "requests":{"tools":{"call":{}}}},"experimental":{"io.longhaul/creation-key":{}}},\
            "serverInfo":{"name":"script","version":"1"}}
            -> notifications/initialized
            -h Mcp-Session-Id: one
            -h MCP-Protocol-Version: 2025-11-25
            <= 202
            ->* DELETE {"Mcp-Session-Id":"one"}
            """;

    /** The handshake of a server of 2025-06-18, which has no tasks, without a session of HTTP. */
    public static final String PLAIN = """
            -> initialize {"protocolVersion":"2025-06-18"}
            <- {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}
            -> notifications/initialized
            """;

    /** How a client whose session is over opens another. */
    public static final String SECOND_SESSION = """
            -> initialize
            -- Mcp-Session-Id
            <h Mcp-Session-Id: two
            <- {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
            -> notifications/initialized
            -h Mcp-Session-Id: two
            <= 202
            ->* DELETE {"Mcp-Session-Id":"two"}
            """;

    /** A session in which calls are answered in parts. */
    public static final String RESUME_TOKENS = """
            -> initialize {"protocolVersion":"2025-06-18","capabilities":{"experimental":{"resumeTokens":{}}}}
            <h Mcp-Session-Id: one
            <- {"protocolVersion":"2025-06-18","capabilities":{"tools":{},\
            "experimental":{"resumeTokens":{},"io.longhaul/creation-key":{}}},\
            "serverInfo":{"name":"script","version":"1"}}
            -> notifications/initialized
            <= 202
            ->* DELETE {"Mcp-Session-Id":"one"}
            """;

    public static final String TOOLS = """
            -> tools/list
            <- {"tools":[{"name":"report","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}
            """;

    /** A call of {@code report} that a server of 2025-11-25 makes a task. */
    public static final String CALLED =
            String.join("\n", HANDSHAKE, TOOLS, "-> tools/call", "<- {\"task\":" + task2025("working") + "}");

    private Scripts() {}

    public static Transcript script(String... parts) {
        return new Transcript(String.join("\n", parts));
    }

    /** Answers each form with the name Ada, and counts the forms. */
    public static QuestionHandler answeringAda(AtomicInteger asked) {
        return QuestionHandler.NONE.forms(form -> {
            asked.incrementAndGet();
            return new Reply.Accepted(Json.raw("{\"who\":\"Ada\"}"));
        });
    }

    /** How a call of {@code report} ends. */
    public static CallOutcome report(McpClientBuilder builder) throws InterruptedException {
        try (var client = builder.connect()) {
            return client.call("report", NO_ARGUMENTS).await();
        }
    }

    /** How a call of {@code report} ends that is cancelled as soon as the server has answered it. */
    public static CallOutcome cancelledReport(McpClientBuilder builder) throws InterruptedException {
        return cancelledReport(builder, CallOptions.DEFAULT);
    }

    public static CallOutcome cancelledReport(McpClientBuilder builder, CallOptions options)
            throws InterruptedException {
        try (var client = builder.connect()) {
            var call = client.call("report", NO_ARGUMENTS, options);
            call.reference();
            call.cancel();
            return call.await();
        }
    }

    /** How a call ends that is cancelled when the server has got such a message. */
    public static CallOutcome cancelled(RemoteCall<CallOutcome> call, Transcript script, String message)
            throws InterruptedException {
        script.await(JsonTree.read(Json.raw(message)));
        call.cancel();
        return call.await();
    }

    /** The updates of one kind that a call tells; the list grows while the call goes on. */
    public static <U extends CallUpdate> List<U> updates(RemoteCall<?> call, Class<U> kind) {
        var told = new CopyOnWriteArrayList<U>();
        call.onUpdate(update -> {
            if (kind.isInstance(update)) {
                told.add(kind.cast(update));
            }
        });
        return told;
    }

    public static McpClientBuilder over(Transcript transcript, TestTime time) {
        transcript.on(time);
        return McpClient.to(URI.create("http://script.test/mcp"))
                .name("tester", "1")
                .time(time)
                .over(() -> new ScriptedServer(transcript, false));
    }

    public static McpClientBuilder overStdio(Transcript transcript, TestTime time) {
        transcript.on(time);
        var server = new ScriptedServer(transcript, true);
        return McpClient.to(URI.create("http://script.test/mcp"))
                .name("tester", "1")
                .time(time)
                .over(() -> server);
    }

    /** A task of the newest generation, in one line. */
    public static String task(String status, String more) {
        return "{\"resultType\":\"complete\"," + bare(status) + ",\"ttlMs\":60000,\"pollIntervalMs\":700" + more + "}";
    }

    /** What the server says on creation, in the newest generation. */
    public static String created() {
        return "{\"resultType\":\"task\"," + bare("working") + ",\"ttlMs\":60000,\"pollIntervalMs\":700}";
    }

    /** A task of 2025-11-25, in one line. */
    public static String task2025(String status) {
        return "{" + bare(status) + ",\"ttl\":60000,\"pollInterval\":700}";
    }

    private static String bare(String status) {
        return "\"taskId\":\"t1\",\"status\":\"" + status
                + "\",\"createdAt\":\"2026-01-01T00:00:00Z\",\"lastUpdatedAt\":\"2026-01-01T00:00:01Z\"";
    }
}
