// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.request;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.Takes;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.KnownHosts.HostVersion;
import io.longhaul.receiver.RateGate;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.session.LiveCall;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.tool.RpcException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * One request on its way through the receiver.
 *
 * @param session      the session whose request ids the request shares
 * @param manner       how the client is dealt with, in the dialect of the request
 * @param capabilities of the client, as declared for this request
 * @param client       name and version that the client gives itself, for this request; never trusted
 * @param live         the request while it is being answered
 * @param reply        the way back to the client
 */
public record InboundRequest(
        Session session, Manner manner, Capabilities capabilities, Json client, LiveCall live, Reply reply) {

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final RpcError CUT_SHORT = new RpcError(
            RpcError.INTERNAL_ERROR, "The server stopped before this call had ended: call again if it may run twice");
    private static final RpcError NOT_BEGUN =
            new RpcError(RpcError.INTERNAL_ERROR, "The server is stopping, and has not begun this call: call again");

    public Principal principal() {
        return session.principal();
    }

    public Owner owner() {
        return session.owner();
    }

    /** The share of each limit that the request counts against. */
    public Share share() {
        return reply.share();
    }

    /** What the caller may do. */
    public Permit permit() {
        return reply.permit();
    }

    /** The caller as handlers see it. */
    public CallerInfo caller() {
        var given = JsonReader.members(client);
        return new CallerInfo(
                principal(), permit().scopes(), given.text("name"), given.text("version"), reply.callerHeaders());
    }

    /** Tells observers what the request has done to a task. */
    public void tell(EventMaker told, Task task) {
        var tool = task.spec().work();
        reply.observed().tell(caller -> told.event(caller, task.id().value(), tool));
    }

    /** An event about a task, such as the constructor of one. */
    public interface EventMaker {
        ServerEvent event(ObservedCaller caller, String task, String tool);
    }

    public RequestId id() {
        return live.id();
    }

    public Dialect dialect() {
        return manner.dialect();
    }

    /** The host by its own account; never trusted. */
    public HostVersion host() {
        return HostVersion.of(client);
    }

    /**
     * Whether the client takes only results, judged by its declarations and, in a session, by its earlier requests. A
     * session of a draft takes more.
     */
    public boolean takesOnlyResults() {
        Takes takes = capabilities.takes();
        var facts = manner.inSession() ? session.facts() : null;
        boolean isDraft = facts != null
                && !Generation.of(facts.version()).map(Generation::isPublished).orElse(true);
        return !takes.tasks()
                && !takes.parts()
                && !takes.later()
                && !isDraft
                && takes.asked().isEmpty()
                && !(manner.inSession() && session.hasAskedForTask())
                && !KnownHosts.hasTasks(host());
    }

    /** This request, answered in the words of another dialect. */
    public InboundRequest speaking(Manner other) {
        reply.speak(other);
        return new InboundRequest(session, other, capabilities, client, live, reply);
    }

    /**
     * Answers a quick call with the value or the exception of {@code result}. A call that the end of the server cuts
     * short gets its result where there is one, else an error that says so.
     */
    public void answer(Interactive call, Callable<CallResponse> result) throws Exception {
        try {
            CallResponse given = result.call();
            if (live.isOver() && !live.is(Left.CLOSED)) {
                reply.silently();
            } else {
                reply.answer(call, given);
            }
        } catch (RpcException e) {
            RpcError error = e.error();
            session.urlElicitations().remember(error);
            boolean declare = error.code() == RpcError.MISSING_CLIENT_CAPABILITY;
            reply.fail(error, declare ? BAD_REQUEST : OK);
        } catch (Exception e) {
            if (!live.isOver()) {
                throw e;
            }
            if (live.is(Left.CLOSED)) {
                cutShort();
            } else {
                reply.silently();
            }
        }
    }

    /** Answers that the server stopped while the call was carried out. */
    public void cutShort() {
        reply.fail(CUT_SHORT, UNAVAILABLE);
    }

    /** Answers that the server is stopping, and takes no more calls. */
    public void notBegun() {
        reply.fail(NOT_BEGUN, UNAVAILABLE);
    }

    /** "HTTP 403 Forbidden" for a message that lacks one of these scopes. The challenge names all needed scopes. */
    public void forbid(Set<String> needed) {
        var scopes = needed.stream().sorted().toList();
        permit().challenge().apply(scopes).ifPresent(challenge -> reply.headers(Map.of("WWW-Authenticate", challenge)));
        var problem = "This call needs an authorization with the scopes: " + String.join(" ", scopes);
        reply.observed().denied(FORBIDDEN);
        reply.fail(new RpcError(RpcError.INVALID_REQUEST, problem), FORBIDDEN);
    }

    /** Refuses a call that an interceptor of the server does not admit. */
    public void turnAway(RpcError error) {
        reply.observed().refusedBy(Rule.NOT_ADMITTED);
        reply.fail(error, OK);
    }

    /** Counts one of {@code kind} for the caller, and refuses the request where the caller asks too often. */
    public boolean isTooSoon(RateGate rates, RateGate.Kind kind) {
        var soon = TooSoon.of(rates, kind, this::share);
        soon.ifPresent(one -> one.refuse(reply));
        return soon.isPresent();
    }

    public void refuse(Call call, Refusal why) {
        reply.answer(call, new CallResponse.Refused(why));
    }

    public Asking asking() {
        return new Asking(capabilities, manner.inSession());
    }
}
