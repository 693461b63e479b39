package io.longhaul.client;

import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Making;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.call.Requestor;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection to one MCP server of any generation. The client is blocking and thread-safe: any number of calls can run
 * at the same time. Each failure is an {@link McpClientException} whose message says what to do.
 *
 * <pre>{@code
 * try (var client = McpClient.to(URI.create("http://127.0.0.1:8080/mcp")).connect()) {
 *     Report report = client.call("generate_report", new ReportRequest(3)).as(Report.class).await();
 * }
 * }</pre>
 */
public final class McpClient implements AutoCloseable {

    private final ServerAddress address;
    private final Conversations conversations;
    private final Toolbox toolbox;
    private final AtomicLong tokens = new AtomicLong();
    private final Set<ActiveCall> calls = ConcurrentHashMap.newKeySet();

    McpClient(ServerAddress address, Conversations conversations) {
        this.address = address;
        this.conversations = conversations;
        this.toolbox = new Toolbox(conversations.main());
    }

    /** A client of the server at an HTTP address. */
    public static McpClientBuilder to(URI server) {
        return new McpClientBuilder(new ServerAddress.Http(server));
    }

    /** A client of a server that it starts itself and speaks to over standard input and output; closing stops it. */
    public static McpClientBuilder launch(List<String> command) {
        return new McpClientBuilder(new ServerAddress.Command(command));
    }

    /** What the server says of itself. */
    public ServerInfo server() {
        var main = conversations.main();
        ClientDialect.Hello hello = main.hello();
        return new ServerInfo(
                hello.name(),
                hello.version(),
                main.dialect().generation(),
                hello.tasks().calls(),
                hello.capabilities(),
                hello.instructions());
    }

    /** All tools of the server, in its order, but for tools whose definition is invalid. */
    public List<ToolInfo> tools() {
        return toolbox.list();
    }

    /**
     * Starts a call of a tool, and returns at once with a handle of the call.
     *
     * @param arguments a record, a {@link java.util.Map}, or a JSON object
     * @throws IllegalArgumentException where the arguments are no JSON object
     */
    public RemoteCall<CallOutcome> call(String tool, Object arguments, CallOptions options) {
        var written = JavaValues.arguments(arguments);
        var call = open(conversations.main());
        call.start(toolbox, new CallStart.Wanted(tool, written, options, progressToken(), null));
        return call;
    }

    /** Starts a call with the default options. */
    public RemoteCall<CallOutcome> call(String tool, Object arguments) {
        return call(tool, arguments, CallOptions.DEFAULT);
    }

    /**
     * Attaches to a task that another process may have started: follows the task, answers its questions, gets its
     * result.
     *
     * @throws UnsupportedByServerException where the server does not speak the reference's generation any more
     */
    public RemoteCall<CallOutcome> attach(TaskReference reference) {
        var requestor = conversations.in(reference.generation());
        if (!requestor.hello().tasks().calls()) {
            throw new UnsupportedByServerException("This server has no tasks in " + reference.generation() + ".");
        }
        var call = open(requestor);
        if (requestor.dialect().traits().tasks().making() == Making.IN_PARTS) {
            var point = ResumePoint.parse(reference.taskId());
            call.start(
                    new Toolbox(requestor),
                    new CallStart.Wanted(
                            point.tool(), point.arguments(), CallOptions.DEFAULT, progressToken(), point.next()));
        } else {
            call.attach(reference.taskId());
        }
        return call;
    }

    private Json progressToken() {
        return Json.raw("\"longhaul-" + tokens.incrementAndGet() + "\"");
    }

    private ActiveCall open(Requestor requestor) {
        var generation = requestor.dialect().generation();
        var call = new ActiveCall(requestor, conversations, taskId -> new TaskReference(address, generation, taskId));
        calls.removeIf(ActiveCall::hasEnded);
        calls.add(call);
        return call;
    }

    /** The server's tasks, one verb each. */
    public RemoteTasks tasks() {
        return new RemoteTasks(conversations);
    }

    /** Stops following all calls and ends the connection. Tasks go on. */
    @Override
    public void close() {
        calls.forEach(call -> call.stop("The client was closed."));
        conversations.close();
    }
}
