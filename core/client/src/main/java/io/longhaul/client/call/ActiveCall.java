// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.call;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClientException;
import io.longhaul.client.TaskReference;
import io.longhaul.client.UnsupportedByServerException;
import io.longhaul.client.handle.HandleKeeper;
import io.longhaul.client.list.Toolbox;
import io.longhaul.client.request.ServerRequestors;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.client.update.CallFeed;
import io.longhaul.client.update.TaskOutput;
import io.longhaul.client.value.OutputCheck;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.RequestorTime;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.Creation;
import io.longhaul.requestor.follow.FollowResult;
import io.longhaul.requestor.follow.TaskFollower;
import io.longhaul.requestor.plan.CancelPlan;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * One call, which runs on a virtual thread of its own until its outcome is known. A task that the server makes of the
 * call is followed to its outcome, tells of itself by the feed of the call, and can be cancelled.
 */
public final class ActiveCall {

    private static final Logger log = LoggerFactory.getLogger(ActiveCall.class);

    /** How long a cancellation waits for the task of a call: cancelling a task is better than cancelling a request. */
    private static final Duration TASK_COMES_SOON = Duration.ofSeconds(3);

    private final String id;
    private final HandleKeeper handle;
    private final @Nullable Answerer answerer;
    private final Requestor requestor;
    private final ServerRequestors requestors;
    private final CallFeed feed;
    private final TaskOutput output;
    private final Cancellation cancellation;
    private final Function<String, TaskReference> referenceTo;
    private final CompletableFuture<Optional<TaskReference>> reference = new CompletableFuture<>();
    private final CompletableFuture<CallOutcome> outcome = new CompletableFuture<>();
    private @Nullable CallStart starting;
    private @Nullable Thread thread;
    private boolean cancelling;
    private @Nullable String stopped;
    private @Nullable String whyCancelled;

    /**
     * What the host supplies for a call.
     *
     * @param answerer answers the questions that the server asks because of the call; null for the client's own
     *     answerer
     * @param listener receives each update, from before the call is made; null for none
     */
    public record Host(
            @Nullable Answerer answerer, @Nullable Consumer<CallUpdate> listener) {
        public static final Host NONE = new Host(null, null);
    }

    public ActiveCall(
            String id,
            Requestor requestor,
            ServerRequestors requestors,
            Function<String, TaskReference> referenceTo,
            HandleKeeper handle,
            Host host) {
        this.id = id;
        this.answerer = host.answerer();
        this.handle = handle;
        this.requestor = requestor;
        this.referenceTo = referenceTo;
        this.requestors = requestors;
        this.feed = new CallFeed(requestor.settings().time(), this::readOutput);
        this.output = new TaskOutput(requestor, feed);
        this.cancellation = new Cancellation(requestor, requestors, feed::trouble, outcome);
        if (host.listener() != null) {
            feed.listen(host.listener());
        }
    }

    private void readOutput(String uri) {
        output.isAt(uri);
    }

    public void start(Toolbox tools, CallStart.Wanted wanted) {
        var first = new CallStart(requestor, tools, wanted, this);
        starting = first;
        run(() -> handle.keep()
                ? made(first, tools, wanted)
                : new CallOutcome.Lost("The handle of the call could not be stored, so the call was not made."));
    }

    /** Continues a call of an earlier process, which does not know whether the call has reached the server. */
    public void startAgain(Toolbox tools, CallStart.Wanted wanted) {
        var first = new CallStart(requestor, tools, wanted, this);
        starting = first;
        run(() -> {
            if (first.hasMadeTask()) {
                hasTask(id);
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
            var result = first.run();
            check(result, tools.outputSchema(wanted.tool()));
            return result;
        }
    }

    private void check(CallOutcome given, Optional<JsonNode> schema) {
        if (given instanceof CallOutcome.ToolResult(var result)) {
            schema.flatMap(known -> OutputCheck.problem(known, result)).ifPresent(feed::warn);
        }
    }

    /** The outcome of the task that the server has made of the call; {@code Left} where the call is left as a task. */
    CallOutcome made(Creation made, boolean isLeft) throws InterruptedException {
        var creator = Objects.requireNonNull(made.call());
        var task = Objects.requireNonNull(made.task());
        cancellation.isMadeBy(creator);
        hasTask(task.id());
        if (isLeft) {
            var to = detach();
            creator.abandon();
            return new CallOutcome.Left("The call was left running as " + to + ".");
        }
        feed.seen(task);
        try {
            return outcome(
                    task.id(),
                    TaskFollower.answering(task.id(), requestor, feed, made).follow());
        } finally {
            creator.abandon();
        }
    }

    /** @param timeout after which the task is cancelled, or null for never */
    public void attach(String taskId, @Nullable Duration timeout) {
        reference.complete(Optional.of(referenceTo.apply(taskId)));
        listen(taskId);
        run(() -> followed(taskId, timeout));
    }

    /** Follows a task that another process has made. */
    private CallOutcome followed(String taskId, @Nullable Duration timeout) throws InterruptedException {
        try (var alarm = timeout(timeout)) {
            return outcome(
                    taskId,
                    TaskFollower.returning(taskId, requestor, feed, this::showing)
                            .follow());
        }
    }

    /** The server has made a task of the call. */
    private void hasTask(String taskId) {
        var to = referenceTo.apply(taskId);
        // The handle is stored before the task is visible to others: the client may be closed at once.
        handle.task(taskId, to.session());
        boolean cancelNow;
        synchronized (this) {
            starting = null;
            reference.complete(Optional.of(to));
            cancelNow = cancelling;
        }
        listen(taskId);
        feed.tell(new CallUpdate.Created(to));
        if (cancelNow) {
            cancellation.of(taskId);
        }
    }

    /** The questions and the log lines of the task are those of the call until its end. */
    private void listen(String taskId) {
        var answered = requestor.answerers().ofTask(taskId, answerer);
        var logs = requestor.listeners().onLog(taskId, feed::noticed);
        outcome.whenComplete((how, why) -> {
            answered.close();
            logs.close();
        });
    }

    private CallOutcome outcome(String taskId, FollowResult end) throws InterruptedException {
        if (end instanceof FollowResult.Ended && !isCancelling()) {
            output.finish(taskId);
        }
        return isGoneAfterCancel(end) ? new CallOutcome.Cancelled() : ServerResponses.outcome(end);
    }

    /**
     * Whether the server dropped the task that it was asked to cancel: "receivers MAY delete cancelled tasks at
     * their discretion at any time, including immediately after cancellation". In a generation that cancels by a
     * notification, the request for the outcome shows that.
     */
    private boolean isGoneAfterCancel(FollowResult end) throws InterruptedException {
        boolean isUnknown = switch (end) {
            case FollowResult.NotShown(var error) -> error.code() == RpcError.INVALID_PARAMS;
            case FollowResult.Ended(TaskView.End.Failure(var error)) ->
                error.code() == RpcError.INVALID_PARAMS && isCancelledByNotification();
            default -> false;
        };
        return isUnknown && isCancelling() && cancellation.isTaken();
    }

    private boolean isCancelledByNotification() {
        return requestor.manner().cancel() instanceof CancelPlan.ByNotice;
    }

    /** The requestor of a generation that shows the questions of any task and takes answers. */
    private Optional<Requestor> showing() {
        try {
            return Optional.of(requestors.that(manner -> manner.follow().showsAll()));
        } catch (McpClientException e) {
            log.debug("the questions of a task cannot be seen: {}", e.getMessage());
            return Optional.empty();
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
                result = ServerResponses.outcome(e);
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
        if (again || wanted instanceof CallOutcome.Failed failed && failed.mayGoOn()) {
            needSession();
        }
        ended(wanted);
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

    synchronized boolean isCancelling() {
        return cancelling;
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

    void cancel() {
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
                    .ifPresent(to -> Thread.ofVirtual().start(() -> cancellation.of(to.taskId())));
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

    TaskReference detach() {
        var why = reference.isDone()
                ? "This call is no task, so it cannot be left running; wait for it or cancel it."
                : "It is not known yet whether this call is a task: wait for its reference(), and leave it then.";
        var to = reference.getNow(Optional.empty()).orElseThrow(() -> new UnsupportedByServerException(why));
        stop("The call was left running as " + to + ".");
        handle.remove();
        return to;
    }

    /** Stops following the call, which the server may go on with. */
    public synchronized void stop(String why) {
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

    /** Ends the call with this outcome, which may be known without asking the server. */
    public ActiveCall ended(CallOutcome known) {
        outcome.complete(known);
        reference.complete(Optional.empty());
        return this;
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

    public String id() {
        return id;
    }

    public CallFeed feed() {
        return feed;
    }

    HandleKeeper handle() {
        return handle;
    }

    RequestorTime time() {
        return requestor.settings().time();
    }

    CompletableFuture<Optional<TaskReference>> reference() {
        return reference;
    }

    public CompletableFuture<CallOutcome> outcome() {
        return outcome;
    }
}
