// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.client.call.ActiveCall;
import io.longhaul.client.call.CallStart;
import io.longhaul.client.call.TypedCall;
import io.longhaul.client.change.ServerChanges;
import io.longhaul.client.handle.CallHandle;
import io.longhaul.client.handle.HandleKeeper;
import io.longhaul.client.list.Toolbox;
import io.longhaul.client.request.ServerRequestors;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.client.value.JavaValues;
import io.longhaul.client.value.ResumePoint;
import io.longhaul.protocol.Require;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.transport.ClientHttp;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one MCP server of any generation. The client is blocking and thread-safe: any number of calls can run
 * at the same time. Each failure is an {@link McpClientException} whose message says what to do.
 *
 * <pre>{@code
 * try (var client = McpClient.to(URI.create("http://127.0.0.1:8080/mcp")).connect()) {
 *     Report report = client.call("generate_report", new ReportRequest(3)).as(Report.class).await();
 * }
 * }</pre>
 *
 * <p>With a {@link HandleStore}, calls outlive the client: the client keeps each call before its request goes out, and
 * {@link #resumeAll} continues all open calls.
 */
public final class McpClient implements AutoCloseable {

    private static final String CLOSED = "The client was closed.";

    private final ServerAddress address;
    private final String printed;
    private final ServerRequestors requestors;
    private final @Nullable HandleStore handles;
    private final Toolbox toolbox;
    private final RemoteResources resources;
    private final RemotePrompts prompts;
    private final ServerChanges changes;
    private final AtomicLong tokens = new AtomicLong();
    private final AtomicReference<@Nullable LogLevel> logging = new AtomicReference<>();
    private final Set<ActiveCall> calls = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    McpClient(ServerAddress address, ServerRequestors requestors, @Nullable HandleStore handles) {
        this.address = address;
        this.printed = TaskReference.printed(address);
        this.handles = handles;
        this.requestors = requestors;
        this.toolbox = new Toolbox(requestors.main());
        this.changes = new ServerChanges(requestors.main(), this::forget);
        this.resources = new RemoteResources(requestors.main(), changes);
        this.prompts = new RemotePrompts(requestors.main());
    }

    private void forget(ServerList changed) {
        switch (changed) {
            case TOOLS -> toolbox.forget();
            case RESOURCES -> resources.forget();
            case PROMPTS -> prompts.forget();
        }
    }

    /**
     * A client of the server at an HTTP address.
     *
     * @throws IllegalArgumentException where {@code server} is no address of http or https with a host
     */
    public static McpClientBuilder to(URI server) {
        return to(new ServerAddress.Http(ClientHttp.checked(server)));
    }

    /** A client of the server that a {@linkplain TaskReference#server() task reference} names. */
    public static McpClientBuilder to(ServerAddress server) {
        return switch (server) {
            case ServerAddress.Http http -> new McpClientBuilder(http);
            case ServerAddress.Command(var command) -> launch(command);
        };
    }

    /**
     * A client that starts its server, speaks to it over standard input and output, and stops it when the client
     * closes.
     *
     * @param command the program and its arguments
     * @throws IllegalArgumentException where {@code command} is empty
     */
    public static McpClientBuilder launch(List<String> command) {
        Require.that(!command.isEmpty(), "The command of a server names no program.");
        return new McpClientBuilder(new ServerAddress.Command(command));
    }

    /** What the server says of itself. */
    public ServerInfo server() {
        var main = requestors.main();
        ClientDialect.Hello hello = main.hello();
        return new ServerInfo(
                hello.name(),
                hello.version(),
                main.dialect().generation(),
                hello.tasks().calls(),
                hello.capabilities(),
                hello.instructions());
    }

    /**
     * All tools of the server, in its order, except tools whose definition is invalid. A server of 2026-07-28 may say
     * how long a list stays fresh: the client reads the list anew after that time, or when the server tells of a
     * change. In older generations the client reads the list each time.
     */
    public List<ToolInfo> tools() {
        return toolbox.list();
    }

    /**
     * Starts a call of a tool, and returns at once with a handle of the call.
     *
     * @param arguments a record, a {@link java.util.Map}, or a JSON object
     * @throws IllegalArgumentException where the arguments are not a JSON object
     */
    public RemoteCall<CallOutcome> call(String tool, Object arguments, CallOptions options) {
        return called(tool, arguments, options, ActiveCall.Host.NONE);
    }

    /**
     * Starts a call on behalf of one of many users of a program, with an answerer and a listener of its own.
     *
     * @param answerer answers what the server asks because of this call, in place of the client's own answerer: where
     *     the server says for which call a question is, or where no other call is under way. In a revision with
     *     sessions, the server knows only what the client itself can be asked
     * @param listener is told each update from the first one on, as {@link RemoteCall#onUpdate} describes
     */
    public RemoteCall<CallOutcome> call(
            String tool, Object arguments, CallOptions options, Answerer answerer, Consumer<CallUpdate> listener) {
        return called(tool, arguments, options, new ActiveCall.Host(answerer, listener));
    }

    private RemoteCall<CallOutcome> called(String tool, Object arguments, CallOptions options, ActiveCall.Host host) {
        var called = new CallHandle.Called(tool, JavaValues.arguments(arguments), options.keyed());
        var main = requestors.main();
        var origin = new CallHandle.Origin(printed, main.dialect().generation(), main.sessionId());
        var handle = new CallHandle(origin, called, now(), null, null);
        var call = open(handle.id(), main, handle, host);
        call.start(toolbox, wanted(called, called.options()));
        return TypedCall.of(call);
    }

    /** Starts a call with the default options. */
    public RemoteCall<CallOutcome> call(String tool, Object arguments) {
        return call(tool, arguments, CallOptions.DEFAULT);
    }

    /**
     * Attaches to a task that another process may have started: follows the task, answers its questions, gets its
     * result. The client speaks in the session that the reference names, while the server knows that session: a server
     * may show a task only in the session that made the task. The call {@linkplain RemoteCall#warnings() warns} of a
     * reference that names another address than this client has.
     *
     * @throws UnsupportedByServerException where the server no longer speaks the reference's generation
     */
    public RemoteCall<CallOutcome> attach(TaskReference reference) {
        var requestor = requestors.in(reference.generation(), reference.session());
        if (ResumePoint.of(reference.generation(), reference.taskId()).isEmpty()
                && !requestor.hello().tasks().calls()) {
            throw new UnsupportedByServerException("This server has no tasks in " + reference.generation() + ".");
        }
        var call = open(reference.taskId(), requestor, null, ActiveCall.Host.NONE);
        if (!TaskReference.printed(reference.server()).equals(printed)) {
            call.feed()
                    .warn("The task is at " + TaskReference.printed(reference.server()) + ", and this client asks "
                            + printed + ".");
        }
        warnOfNewSession(call, requestor, reference.session());
        follow(call, requestor, reference.taskId(), CallOptions.DEFAULT.keyed());
        return TypedCall.of(call);
    }

    /**
     * Continues each call of this server that the {@link HandleStore} has and that this client does not follow yet:
     * calls of an earlier process, calls that this client had lost, and calls of this client that got no answer and may
     * be repeated. A call that has ended gives its outcome at once, until the host {@linkplain
     * RemoteCall#acknowledge() acknowledges} it. A call that may or may not have reached the server is repeated where
     * that is safe; else its outcome is {@link CallOutcome.OutcomeUnknown}.
     *
     * @return the calls, in no order; none where the client has no {@link HandleStore}
     */
    public synchronized List<RemoteCall<CallOutcome>> resumeAll() {
        calls.removeIf(known -> known.outcome().isDone());
        var followed = calls.stream().map(ActiveCall::id).collect(Collectors.toSet());
        return HandleKeeper.all(handles, printed)
                .filter(handle -> !followed.contains(handle.id()))
                .map(handle -> TypedCall.of(resume(handle, ActiveCall.Host.NONE)))
                .toList();
    }

    /**
     * Continues one call, as {@link #resumeAll} continues all.
     *
     * @param id       of the handle, by which {@link RemoteCall#id} names a call
     * @param answerer as for a {@linkplain #call(String, Object, CallOptions, Answerer, Consumer) new call}
     * @param listener as for a new call
     * @return empty where the {@link HandleStore} has no handle of that id for this server
     */
    public Optional<RemoteCall<CallOutcome>> resume(String id, Answerer answerer, Consumer<CallUpdate> listener) {
        return HandleKeeper.all(handles, printed)
                .filter(handle -> handle.id().equals(id))
                .findFirst()
                .map(handle -> TypedCall.of(resume(handle, new ActiveCall.Host(answerer, listener))));
    }

    private ActiveCall resume(CallHandle handle, ActiveCall.Host host) {
        var main = requestors.main();
        if (handle.outcome() != null) {
            return open(handle.id(), main, handle, host).ended(handle.outcome());
        }
        try {
            var origin = handle.origin();
            boolean anywhere = handle.taskId() == null
                    && origin.session().isEmpty()
                    && main.hello().tasks().creationKeys();
            var requestor = anywhere ? main : requestors.in(origin.generation(), origin.session());
            var call = open(handle.id(), requestor, handle, host);
            var options = handle.optionsAt(now());
            if (handle.taskId() != null) {
                warnOfNewSession(call, requestor, origin.session());
                follow(call, requestor, handle.taskId(), options);
            } else {
                var tools = requestor.equals(main) ? toolbox : new Toolbox(requestor);
                call.startAgain(tools, wanted(handle.called(), options));
            }
            return call;
        } catch (McpClientException e) {
            return open(handle.id(), main, handle, host).ended(ServerResponses.outcome(e));
        }
    }

    /** Warns that the session of a task is gone: a server that shows tasks only in their sessions hides this one. */
    private static void warnOfNewSession(ActiveCall call, Requestor requestor, Optional<String> session) {
        if (session.isPresent() && !requestor.sessionId().equals(session)) {
            call.feed()
                    .warn("The server does not know the session any more in which the task was made;"
                            + " the client looks for the task in a new one.");
        }
    }

    private void follow(ActiveCall call, Requestor requestor, String taskId, CallOptions options) {
        ResumePoint.of(requestor.dialect().generation(), taskId)
                .ifPresentOrElse(
                        point -> call.start(
                                new Toolbox(requestor),
                                new CallStart.Wanted(
                                        point.tool(), point.arguments(), options, progressToken(), point.next())),
                        () -> call.attach(taskId, options.timeout()));
    }

    private CallStart.Wanted wanted(CallHandle.Called called, CallOptions options) {
        return new CallStart.Wanted(called.tool(), called.arguments(), options, progressToken(), null);
    }

    private Json progressToken() {
        return Json.raw("\"longhaul-" + tokens.incrementAndGet() + "\"");
    }

    private Instant now() {
        return requestors.main().settings().time().now();
    }

    /** @param handle null where no store keeps the call */
    private ActiveCall open(String id, Requestor requestor, @Nullable CallHandle handle, ActiveCall.Host host) {
        var generation = requestor.dialect().generation();
        var call = new ActiveCall(
                id,
                requestor,
                requestors,
                taskId -> new TaskReference(address, generation, taskId, requestor.sessionId()),
                new HandleKeeper(handles, requestor.settings().time(), handle),
                host);
        calls.removeIf(known -> known.outcome().isDone());
        calls.add(call);
        if (closed) {
            call.stop(CLOSED);
        }
        return call;
    }

    /** The server's resources. */
    public RemoteResources resources() {
        return resources;
    }

    /** The server's prompts. */
    public RemotePrompts prompts() {
        return prompts;
    }

    /**
     * Tells which of the server's lists has changed, until the registration is closed. Where changes may have been
     * missed, as while the server was away, each list counts as changed.
     *
     * @param listener is called on a thread of the client, one call at a time, and may read the list
     * @throws UnsupportedByServerException where the server does not tell of such changes
     */
    public Registration onListChange(Consumer<ServerList> listener) {
        return changes.onList(listener);
    }

    /**
     * Checks that the server answers: by a ping, or by a discovery request in generations without pings.
     *
     * @return how long the answer took
     */
    public Duration ping() {
        var main = requestors.main();
        var time = main.settings().time();
        var begun = time.now();
        ServerResponses.require(main.ask(main.manner().ping()));
        return Duration.between(begun, time.now());
    }

    /**
     * Asks for log messages of this level and above from now on. Without this, the server chooses in a session, and a
     * server of 2026-07-28 sends none. The listeners of a call are also told the log messages of that call.
     *
     * @throws RefusedException where the server refuses, as a server without log messages does
     */
    public void logLevel(LogLevel least) {
        var main = requestors.main();
        if (main.manner().inSession()) {
            ServerResponses.require(main.ask(new Call.SetLogLevel(least.word())));
        }
        main.logging(least.word());
        if (logging.getAndSet(least) == null) {
            main.onSession(this::repeatLogLevel);
        }
    }

    /** Sets the level again in a new session, because the server knows the level only per session. */
    private void repeatLogLevel() {
        var main = requestors.main();
        var level = logging.get();
        if (level != null && main.manner().inSession()) {
            main.ask(new Call.SetLogLevel(level.word()));
        }
    }

    /** Tells each log message of the server until closed; {@code listener} must not block, nor ask the server. */
    public Registration onLog(Consumer<LogMessage> listener) {
        return requestors.main().listeners().onNews(notice -> {
            if (notice instanceof Notice.Log(var level, var logger, var data, var task)) {
                listener.accept(new LogMessage(level, logger, data));
            }
        });
    }

    /**
     * Tells the id of each visit to an address that a person has completed, until closed: the server had sent the
     * person there by a {@linkplain QuestionHandler#links question}, or by an error with the code -32042. Generations
     * without ids of such questions tell nothing. {@code listener} must not block, nor ask the server.
     */
    public Registration onElicitationComplete(Consumer<String> listener) {
        var main = requestors.main();
        var listening = main.listeners().onNews(notice -> {
            if (notice instanceof Notice.ElicitationCompleted(var id)) {
                listener.accept(id);
            }
        });
        main.listen();
        return listening;
    }

    /**
     * Tells the server that the folders have changed which the {@linkplain QuestionHandler#roots handler} of roots
     * gives. In generations without such a notification, the server asks each time.
     */
    public void rootsChanged() {
        var main = requestors.main();
        if (main.dialect().generation().revision().has(Capability.ROOTS_CHANGES)) {
            main.send(new Call.RootsChanged());
        }
    }

    /** The server's tasks, one verb each. */
    public RemoteTasks tasks() {
        return new RemoteTasks(requestors);
    }

    /** The server's tasks as {@link #tasks()}, in the session of this reference, while the server knows the session. */
    public RemoteTasks tasks(TaskReference reference) {
        return reference.session().isEmpty()
                ? tasks()
                : new RemoteTasks(requestors.around(requestors.in(reference.generation(), reference.session())));
    }

    /**
     * Stops following all calls and ends the connection. Tasks go on, and the handles of calls stay. A session in which
     * the server goes on with a task of this client stays, too; the client ends all other sessions.
     */
    @Override
    public void close() {
        closed = true;
        calls.forEach(call -> call.stop(CLOSED));
        changes.close();
        requestors.close();
    }
}
