// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.client.CallOptions.TaskUse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.ClientDialect.Cancelling;
import io.longhaul.protocol.dialect.ClientDialect.Following;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.Creation;
import io.longhaul.requestor.follow.FollowEnd;
import io.longhaul.requestor.follow.TaskFollower;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** One call and its task, which run on a virtual thread of their own. */
final class ActiveCall implements RemoteCall<CallOutcome> {

    private static final Logger log = LoggerFactory.getLogger(ActiveCall.class);

    /** How long a cancellation waits for the task of a call: cancelling a task is better than cancelling a request. */
    private static final Duration TASK_COMES_SOON = Duration.ofSeconds(3);

    private final String id;
    private final HandleKeeper handle;
    private final @Nullable Answerer answerer;
    private final Requestor requestor;
    private final Conversations conversations;
    private final Cancellation cancellation;
    private final Function<String, TaskReference> referenceTo;
    private final CallFeed feed;
    private final TaskOutput output;
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Optional<TaskReference>> reference = new CompletableFuture<>();
    private final CompletableFuture<CallOutcome> outcome = new CompletableFuture<>();
    private @Nullable CallStart starting;
    private @Nullable OutgoingCall creator;
    private @Nullable Thread thread;
    private boolean cancelling;
    private @Nullable String stopped;
    private @Nullable String whyCancelled;

    /**
     * What the host of a call supplies.
     *
     * @param answerer answers the questions that the server asks because of the call; null for the client's own
     *     answerer
     * @param listener receives each update, from before the call is made; null for none
     */
    record Kept(
            HandleKeeper handle,
            @Nullable Answerer answerer,
            @Nullable Consumer<CallUpdate> listener) {
        Kept(HandleKeeper handle) {
            this(handle, null, null);
        }
    }

    ActiveCall(
            String id,
            Requestor requestor,
            Conversations conversations,
            Function<String, TaskReference> referenceTo,
            Kept kept) {
        this.id = id;
        this.answerer = kept.answerer();
        this.handle = kept.handle();
        this.requestor = requestor;
        this.conversations = conversations;
        this.referenceTo = referenceTo;
        this.feed = new CallFeed(requestor.settings().time(), this::warn, this::readOutput);
        this.output = new TaskOutput(requestor, feed);
        this.cancellation = new Cancellation(requestor, conversations, feed::trouble, outcome);
        if (kept.listener() != null) {
            feed.listen(kept.listener());
        }
    }

    void start(Toolbox tools, CallStart.Wanted wanted) {
        var first = new CallStart(requestor, tools, wanted, this);
        starting = first;
        run(() -> handle.keep()
                ? made(first, tools, wanted)
                : new CallOutcome.Lost("The handle of the call could not be stored, so the call was not made."));
    }

    /** Continues a call of an earlier process, which does not know whether the call has reached the server. */
    void startAgain(Toolbox tools, CallStart.Wanted wanted) {
        var first = new CallStart(requestor, tools, wanted, this);
        starting = first;
        run(() -> {
            if (first.hasMadeTask()) {
                hasTask(id, null);
                return followed(id, wanted.options().timeout());
            }
            return first.isRepeatable()
                    ? made(first, tools, wanted)
                    : new CallOutcome.OutcomeUnknown("The client ended before the server had answered, and this server"
                            + " cannot tell whether it has carried out the call; the call was not repeated.");
        });
    }

    private CallOutcome made(CallStart first, Toolbox tools, CallStart.Wanted wanted) throws InterruptedException {
        try (var progress = requestor.listeners().onToken(wanted.progressToken(), feed::noticed);
                var alarm = timeout(wanted.options().timeout())) {
            var result = switch (first.run()) {
                case CallStart.Started.AndEnded(var done) -> done;
                case CallStart.Started.AsTask created ->
                    created(created, wanted.options().task() == TaskUse.LEAVE);
            };
            check(result, tools.outputSchema(wanted.tool()));
            return result;
        }
    }

    private void check(CallOutcome outcome, Optional<JsonNode> schema) {
        if (outcome instanceof CallOutcome.ToolResult(var result)) {
            schema.flatMap(known -> OutputCheck.problem(known, result)).ifPresent(this::warn);
        }
    }

    /** @param timeout after which the task is cancelled, or null for never */
    void attach(String taskId, @Nullable Duration timeout) {
        reference.complete(Optional.of(referenceTo.apply(taskId)));
        listensTo(taskId);
        run(() -> followed(taskId, timeout));
    }

    private CallOutcome followed(String taskId, @Nullable Duration timeout) throws InterruptedException {
        try (var alarm = timeout(timeout)) {
            var follower = TaskFollower.returning(requestor, feed, this::showing);
            return outcome(taskId, follower.follow(taskId, Optional.empty()));
        }
    }

    /**
     * The server has made a task of the call.
     *
     * @param made the request that made the task, or null where an earlier process sent that request
     */
    private void hasTask(String taskId, @Nullable OutgoingCall made) {
        var to = referenceTo.apply(taskId);
        // The handle is stored before the task is visible to others: the client may be closed at once.
        handle.task(taskId, to.session());
        boolean cancelNow;
        synchronized (this) {
            starting = null;
            creator = made;
            reference.complete(Optional.of(to));
            cancelNow = cancelling;
        }
        listensTo(taskId);
        feed.tell(new CallUpdate.Created(to));
        if (cancelNow) {
            cancelTask(taskId);
        }
    }

    private Registration timeout(@Nullable Duration limit) {
        if (limit == null) {
            return () -> {};
        }
        return requestor.settings().time().after(limit, () -> {
            synchronized (this) {
                if (!cancelling) {
                    whyCancelled = "The call took longer than its timeout and was cancelled.";
                }
            }
            cancel();
        });
    }

    private void run(Callable<CallOutcome> script) {
        var underway = requestor.answerers().underway(answerer);
        outcome.whenComplete((how, why) -> underway.close());
        thread = Thread.ofVirtual().name("longhaul-client-call").unstarted(() -> {
            CallOutcome result;
            try {
                result = script.call();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                result = new CallOutcome.Left("The call was left.");
            } catch (McpClientException e) {
                result = Replies.outcome(e);
            } catch (Exception | Error e) {
                log.error("a call failed for a reason of the client's own", e);
                result = new CallOutcome.OutcomeUnknown("The client failed; its log says more.");
            }
            end(result);
        });
        thread.start();
    }

    /** Code that waits for the end runs here, so that this method holds no lock. */
    private void end(CallOutcome result) {
        output.close();
        var wanted = asWanted(result);
        boolean again = mayBeMadeAgain(wanted);
        handle.ended(wanted, again);
        if (again || wanted instanceof CallOutcome.Lost) {
            needSession();
        }
        outcome.complete(wanted);
        reference.complete(Optional.empty());
    }

    /** Whether making the call again, in this process or a later one, gives an outcome that is unknown now. */
    private synchronized boolean mayBeMadeAgain(CallOutcome how) {
        return how instanceof CallOutcome.OutcomeUnknown && starting != null && starting.wasRepeatable();
    }

    /** The outcome for the caller: {@code Left} after a stop, {@code TimedOut} where a timeout cancelled the call. */
    private synchronized CallOutcome asWanted(CallOutcome result) {
        if (stopped != null) {
            return new CallOutcome.Left(stopped);
        }
        if (!isCancelled(result)) {
            return result;
        }
        return whyCancelled == null ? new CallOutcome.Cancelled() : new CallOutcome.TimedOut(whyCancelled);
    }

    /** In a generation that cancels by a notification, a cancelled task ends only with an error of the tool. */
    private boolean isCancelled(CallOutcome result) {
        return result instanceof CallOutcome.Cancelled
                || (cancelling && result instanceof CallOutcome.ToolError && isCancelledByNotification());
    }

    private boolean isCancelledByNotification() {
        return requestor.dialect().traits().tasks().cancelling() == Cancelling.BY_NOTIFICATION;
    }

    private CallOutcome created(CallStart.Started.AsTask started, boolean leave) throws InterruptedException {
        var task = started.task();
        var race = started.race();
        cancellation.isNew();
        hasTask(task.id(), started.call());
        if (leave) {
            var to = detach();
            started.call().abandon();
            return new CallOutcome.Left("The call was left running as " + to + ".");
        }
        feed.seen(task);
        var creation =
                race == null ? new Creation(started.call(), this::isCancelling) : race.creation(this::isCancelling);
        var follower = TaskFollower.answering(requestor, feed, creation);
        try {
            return outcome(task.id(), follower.follow(task.id(), Optional.of(task)));
        } finally {
            started.call().abandon();
        }
    }

    private synchronized boolean isCancelling() {
        return cancelling;
    }

    private CallOutcome outcome(String taskId, FollowEnd end) throws InterruptedException {
        if (end instanceof FollowEnd.Ended && !isCancelling()) {
            output.finish(taskId);
        }
        return isGoneAfterCancel(end) ? new CallOutcome.Cancelled() : Replies.outcome(end);
    }

    /**
     * Whether the server dropped the task that it was asked to cancel: "receivers MAY delete cancelled tasks at
     * their discretion at any time, including immediately after cancellation". In a generation that cancels by a
     * notification, the request for the outcome shows that.
     */
    private boolean isGoneAfterCancel(FollowEnd end) throws InterruptedException {
        boolean isUnknown = switch (end) {
            case FollowEnd.NotShown(var error) -> error.code() == RpcError.INVALID_PARAMS;
            case FollowEnd.Ended(TaskView.End.Failure(var error)) ->
                error.code() == RpcError.INVALID_PARAMS && isCancelledByNotification();
            default -> false;
        };
        return isUnknown && isCancelling() && cancellation.isTaken();
    }

    /** The requestor of a generation that shows the questions of any task and takes answers. */
    private Optional<Requestor> showing() {
        try {
            return Optional.of(conversations.that(ways -> ways.following() == Following.LOOKING));
        } catch (McpClientException e) {
            log.debug("the questions of a task cannot be seen: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** The questions and the log lines of the task are those of this call until its end. */
    private void listensTo(String taskId) {
        var answered = requestor.answerers().ofTask(taskId, answerer);
        var logs = requestor.listeners().onLog(taskId, feed::noticed);
        outcome.whenComplete((how, why) -> {
            answered.close();
            logs.close();
        });
    }

    /** Answers the questions that the server asks because of this call. */
    Answerer answerer() {
        return answerer == null ? requestor.settings().answerer() : answerer;
    }

    /** The answerer of this call alone; null where the call has none. */
    @Nullable
    Answerer ownAnswerer() {
        return answerer;
    }

    CallFeed feed() {
        return feed;
    }

    private void readOutput(String uri) {
        output.isAt(uri);
    }

    void warn(String sentence) {
        warnings.add(sentence);
    }

    /** The server goes on with the call, and a client can attach to the call at this point. */
    void canGoOn(String point) {
        handle.task(point, requestor.sessionId());
        if (!reference.isDone()) {
            var to = referenceTo.apply(point);
            reference.complete(Optional.of(to));
            feed.tell(new CallUpdate.Created(to));
        }
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public void acknowledge() {
        handle.remove();
    }

    @Override
    public Optional<TaskReference> reference() throws InterruptedException {
        return get(reference);
    }

    @Override
    public <R> RemoteCall<R> as(Class<R> type) {
        return new TypedCall<>(this, type);
    }

    @Override
    public State state() {
        return switch (outcome.getNow(null)) {
            case null -> feed.state();
            case CallOutcome.ToolResult result -> State.COMPLETED;
            case CallOutcome.Cancelled cancelled -> State.CANCELLED;
            case CallOutcome.Failed failed -> State.FAILED;
        };
    }

    @Override
    public void onUpdate(Consumer<CallUpdate> listener) {
        feed.listen(listener);
    }

    @Override
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override
    public CallOutcome await() throws InterruptedException {
        return get(outcome);
    }

    @Override
    public CallOutcome await(Duration limit) throws InterruptedException, TimeoutException {
        var end = outcome.copy();
        try (var alarm = requestor.settings().time().after(limit, () -> end.complete(null))) {
            var ended = get(end);
            if (ended == null) {
                throw new TimeoutException("The call goes on after " + limit.toMillis() + " ms.");
            }
            return ended;
        }
    }

    @Override
    public CompletableFuture<CallOutcome> future() {
        return outcome.copy();
    }

    static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void cancel() {
        CallStart first;
        synchronized (this) {
            if (cancelling || outcome.isDone()) {
                return;
            }
            cancelling = true;
            first = starting;
        }
        output.isUnwanted();
        if (first == null) {
            reference
                    .getNow(Optional.empty())
                    .ifPresent(to -> Thread.ofVirtual().start(() -> cancelTask(to.taskId())));
        } else if (first.isTaskPossible()) {
            var alarm = requestor.settings().time().after(TASK_COMES_SOON, () -> {
                if (!isTask()) {
                    first.giveUp();
                }
            });
            outcome.whenComplete((how, why) -> alarm.close());
        } else {
            Thread.ofVirtual().start(first::giveUp);
        }
    }

    private synchronized boolean isTask() {
        return starting == null;
    }

    private void cancelTask(String taskId) {
        OutgoingCall made;
        synchronized (this) {
            made = creator;
        }
        cancellation.of(taskId, made);
    }

    @Override
    public TaskReference detach() {
        var why = reference.isDone()
                ? "This call is no task, so it cannot be left running; wait for it or cancel it."
                : "It is not known yet whether this call is a task: wait for its reference(), and leave it then.";
        var to = reference.getNow(Optional.empty()).orElseThrow(() -> new UnsupportedByServerException(why));
        stop("The call was left running as " + to + ".");
        handle.remove();
        return to;
    }

    /** Stops following the call, which the server may go on with. */
    synchronized void stop(String why) {
        if (stopped == null) {
            stopped = why;
        }
        if (!outcome.isDone()) {
            needSession();
        }
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** The server may go on with the call, and may know the call in this session alone. */
    private void needSession() {
        if (handle.isKept() || reference.getNow(Optional.empty()).isPresent()) {
            requestor.needSession();
        }
    }

    /** Ends the call with an outcome that is known without asking the server. */
    ActiveCall ended(CallOutcome known) {
        outcome.complete(known);
        reference.complete(Optional.empty());
        return this;
    }

    boolean hasEnded() {
        return outcome.isDone();
    }
}
