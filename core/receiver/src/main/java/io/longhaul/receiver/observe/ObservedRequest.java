// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.receiver.observe.ServerEvent.StreamKind;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tells observers of one request: its events, its end, and its stream. Thread-safe. */
public final class ObservedRequest {

    /** A request of which no observer is told. */
    public static final ObservedRequest NONE = new ObservedRequest(
            ObservedServer.NONE, new ObservedCaller(null, null, null), new Call.Ping(), Instant.EPOCH);

    private final ObservedServer server;
    private final Call call;
    private final Instant began;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean streaming = new AtomicBoolean();
    private volatile ObservedCaller caller;
    private volatile boolean isTask;

    private ObservedRequest(ObservedServer server, ObservedCaller caller, Call call, Instant began) {
        this.server = server;
        this.caller = caller;
        this.call = call;
        this.began = began;
    }

    /** The request of a call that begins now. */
    public static ObservedRequest of(ObservedServer server, Exchange exchange, Dialect dialect, Call call) {
        return server.isSilent()
                ? NONE
                : new ObservedRequest(server, ObservedCaller.of(exchange, dialect), call, server.now());
    }

    public ObservedCaller caller() {
        return caller;
    }

    public void tell(Function<ObservedCaller, ServerEvent> event) {
        if (!server.isSilent()) {
            server.tell(event.apply(caller));
        }
    }

    /** The request is answered in the words of another generation. */
    public void speaking(Dialect other) {
        if (!server.isSilent()) {
            caller = caller.speaking(other.name());
        }
    }

    /** The call has a task: the end of the call is told when the task ends. */
    public void becomesTask() {
        if (!server.isSilent()) {
            isTask = true;
        }
    }

    /** The answer is about to go out. Only the first answer counts. */
    public void answered(CallResponse answer) {
        if (server.isSilent() || !ended.compareAndSet(false, true)) {
            return;
        }
        switch (answer) {
            case CallResponse.Refused refused -> refused(Rule.of(refused.why()));
            case CallResponse.TaskRejected rejected -> refused(Rule.of(rejected.why()));
            case CallResponse.TaskCreated created -> {}
            case CallResponse.TaskJoined joined -> {}
            case CallResponse.Part part -> {}
            case CallResponse.InputNeeded asked -> ended(CallStatus.ASKED);
            case CallResponse.ToolResult result -> ended(outcome(result));
            default -> ended(CallStatus.RESULT);
        }
    }

    /** An error of a handler is about to go out. */
    public void failed() {
        if (!server.isSilent() && ended.compareAndSet(false, true)) {
            ended(CallStatus.ERROR);
        }
    }

    /** A refusal is about to go out. */
    public void refused(RpcError error, int status) {
        refusedBy(Rule.of(error, status));
    }

    /** A refusal is about to go out whose error does not determine the rule. */
    public void refusedBy(Rule rule) {
        if (!server.isSilent() && ended.compareAndSet(false, true)) {
            refused(rule);
        }
    }

    /** The authorization of the request does not allow its call. */
    public void denied(int status) {
        if (!server.isSilent() && ended.compareAndSet(false, true)) {
            server.tell(new ServerEvent.AccessDenied(caller, status));
            ended(CallStatus.REFUSED);
        }
    }

    /** The request ends without an answer. */
    public void givenUp() {
        if (!server.isSilent() && ended.compareAndSet(false, true)) {
            ended(CallStatus.CANCELLED);
        }
    }

    private void refused(Rule rule) {
        String task = call instanceof Call.AboutTask about ? about.taskId() : null;
        tell(by -> new ServerEvent.Refused(by, rule, task, toolOf(call)));
        isTask = false;
        ended(rule == Rule.INTERNAL ? CallStatus.ERROR : CallStatus.REFUSED);
    }

    private void ended(CallStatus outcome) {
        String tool = toolOf(call);
        if (tool != null && !isTask) {
            var took = Duration.between(began, server.now());
            server.tell(new ServerEvent.CallEnded(caller, tool, null, outcome, took));
        }
    }

    public void streamOpened() {
        if (!server.isSilent() && streaming.compareAndSet(false, true)) {
            server.tell(new ServerEvent.StreamOpened(caller, kind()));
        }
    }

    /** The stream is closed. This may be called repeatedly, and without an open stream. */
    public void streamClosed() {
        if (!server.isSilent() && streaming.compareAndSet(true, false)) {
            server.tell(new ServerEvent.StreamClosed(caller, kind()));
        }
    }

    private StreamKind kind() {
        return call instanceof Call.Listen ? StreamKind.SUBSCRIPTION : StreamKind.RESPONSE;
    }

    private static @Nullable String toolOf(Call call) {
        return switch (call) {
            case Call.CallTool tool -> tool.tool();
            case Call.Augmented augmented -> toolOf(augmented.of());
            default -> null;
        };
    }

    private CallStatus outcome(CallResponse.ToolResult result) {
        boolean isError = toolOf(call) != null && !isTask && result.isError();
        return isError ? CallStatus.TOOL_ERROR : CallStatus.RESULT;
    }
}
