package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import java.net.URI;
import java.util.List;

/**
 * A connection to one MCP server of any generation. The client is blocking and thread-safe: any number of calls can run
 * at the same time. Each failure is an {@link McpClientException} whose message says what to do.
 *
 * <pre>{@code
 * try (var client = McpClient.to(URI.create("http://127.0.0.1:8080/mcp")).connect()) {
 *     var outcome = client.call("generate_report", Json.raw("{\"quarter\":3}")).await();
 * }
 * }</pre>
 */
public interface McpClient extends AutoCloseable {

    /** A client of the server at an HTTP address. */
    static McpClientBuilder to(URI server) {
        return new McpClientBuilder(new ServerAddress.Http(server));
    }

    /** A client of a server that it starts itself and speaks to over standard input and output; closing stops it. */
    static McpClientBuilder launch(List<String> command) {
        return new McpClientBuilder(new ServerAddress.Command(command));
    }

    /** What the server says of itself. */
    ServerInfo server();

    /** All tools of the server, in its order, but for tools whose definition is invalid. */
    List<ToolInfo> tools();

    /**
     * Starts a call of a tool, and returns at once with a handle of the call.
     *
     * @param arguments a JSON object
     */
    RemoteCall call(String tool, Json arguments, CallOptions options);

    /** Starts a call with the default options. */
    default RemoteCall call(String tool, Json arguments) {
        return call(tool, arguments, CallOptions.DEFAULT);
    }

    /**
     * Attaches to a task that another process may have started: follows the task, answers its questions, gets its
     * result.
     *
     * @throws UnsupportedByServerException where the server does not speak the reference's generation any more
     */
    RemoteCall attach(TaskReference reference);

    /** The server's tasks, one verb each. */
    RemoteTasks tasks();

    /** Stops following all calls and ends the connection. Tasks go on. */
    @Override
    void close();
}
