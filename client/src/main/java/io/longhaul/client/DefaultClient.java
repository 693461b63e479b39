package io.longhaul.client;

import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Making;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.call.Requestor;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The client that the builder makes. */
final class DefaultClient implements McpClient {

    private final ServerAddress address;
    private final Conversations conversations;
    private final Toolbox toolbox;
    private final Supplier<String> keys;
    private final AtomicLong tokens = new AtomicLong();
    private final Set<ActiveCall> calls = ConcurrentHashMap.newKeySet();

    DefaultClient(ServerAddress address, Conversations conversations, Supplier<String> keys) {
        this.address = address;
        this.conversations = conversations;
        this.toolbox = new Toolbox(conversations.main());
        this.keys = keys;
    }

    @Override
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

    @Override
    public List<ToolInfo> tools() {
        return toolbox.list();
    }

    @Override
    public RemoteCall call(String tool, Json arguments, CallOptions options) {
        var call = open(conversations.main());
        var token = progressToken();
        var key = options.givenKey().orElseGet(keys);
        call.start(toolbox, new CallStart.Wanted(tool, arguments, options, token, key, null));
        return call;
    }

    @Override
    public RemoteCall attach(TaskReference reference) {
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
                            point.tool(),
                            point.arguments(),
                            CallOptions.DEFAULT,
                            progressToken(),
                            keys.get(),
                            point.next()));
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

    @Override
    public RemoteTasks tasks() {
        return new DefaultTasks(conversations);
    }

    @Override
    public void close() {
        calls.forEach(call -> call.stop("The client was closed."));
        conversations.close();
    }
}
