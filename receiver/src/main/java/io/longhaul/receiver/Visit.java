package io.longhaul.receiver;

import io.longhaul.engine.task.Owner;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.task.Asking;

/**
 * One request on its way through the receiver.
 *
 * @param session      whose request ids it shares
 * @param dialect      the generation it came in
 * @param capabilities of the client, as declared for this request
 * @param live         the request while it is being answered
 * @param reply        its way back
 */
public record Visit(Session session, Dialect dialect, Capabilities capabilities, LiveCall live, Reply reply) {

    Principal principal() {
        return session.principal();
    }

    public Owner owner() {
        return session.owner();
    }

    /** Whose part of each limit it counts against. */
    public Share share() {
        return reply.share();
    }

    public RequestId id() {
        return live.id();
    }

    /** The same request, answered in other words. */
    Visit speaking(Dialect other) {
        reply.speak(other);
        return new Visit(session, other, capabilities, live, reply);
    }

    Asking asking() {
        return new Asking(capabilities, dialect.traits().asksByRequest());
    }
}
