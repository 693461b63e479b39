// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.subscription;

import io.longhaul.protocol.call.Call.Subscription;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.feature.ListMarks;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.session.Session.Facts;
import io.longhaul.receiver.stream.SessionStreams;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Tells clients of changes of the server: on subscriptions the changes that they ask for, in sessions the changes that
 * their generation knows.
 */
public final class Announcer {

    private record NoticeListener(Subscription wanted, Consumer<Notice> waiting) {}

    private final DialectSelector dialects;
    private final Supplier<Stream<Session>> sessions;
    private final Features features;
    private final Set<NoticeListener> listeners = ConcurrentHashMap.newKeySet();

    /**
     * @param sessions the open sessions
     * @param features of the server
     */
    public Announcer(DialectSelector dialects, Supplier<Stream<Session>> sessions, Features features) {
        this.features = features;
        this.dialects = dialects;
        this.sessions = sessions;
    }

    /** Tells all clients, without waiting for any of them. */
    public void tell(Notice notice) {
        listeners.stream()
                .filter(listener -> wants(listener.wanted(), notice))
                .forEach(listener -> listener.waiting().accept(notice));
        sessions.get()
                .filter(session -> SessionStreams.of(session).isReachable() && wants(session, notice))
                .forEach(session -> send(session, notice));
    }

    /**
     * Gives the notices that {@code wanted} names to {@code waiting}, which must not block, until the action is run.
     */
    Runnable subscribe(Subscription wanted, Consumer<Notice> waiting) {
        var listener = new NoticeListener(wanted, waiting);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /**
     * Tells a client that has just opened a stream what it missed without one, or over a restart. The server learns
     * again which resources the client watches: after a restart it does not know that.
     */
    public void catchUp(Session session) {
        Facts facts = session.facts();
        if (facts != null) {
            facts.watched().forEach(features::watched);
        }
        ListMarks known = session.lists();
        if (known != null) {
            known.changesTo(features.marks()).forEach(missed -> send(session, missed));
        }
    }

    /** Sends a notice to the client of a session, on an open side stream. */
    private void send(Session session, Notice notice) {
        Facts facts = session.facts();
        if (facts == null) {
            return;
        }
        Dialect dialect = dialects.ofSession(facts.version());
        var message = dialect.encode(notice, null);
        if (message != null) {
            ListMarks now = features.marks();
            if (SessionStreams.of(session).announce(JsonRpcCodec.encode(message))) {
                told(session, notice, now);
            }
            session.urlElicitations()
                    .forget(notice instanceof Notice.ElicitationCompleted it ? it.elicitationId() : null);
        }
    }

    private static void told(Session session, Notice notice, ListMarks now) {
        ListMarks known = session.lists();
        if (known != null) {
            session.lists(new ListMarks(
                    notice instanceof Notice.ToolsChanged ? now.tools() : known.tools(),
                    notice instanceof Notice.PromptsChanged ? now.prompts() : known.prompts(),
                    notice instanceof Notice.ResourcesChanged ? now.resources() : known.resources()));
        }
    }

    private static boolean wants(Session session, Notice notice) {
        Facts facts = session.facts();
        return facts != null
                && switch (notice) {
                    case Notice.ResourceUpdated updated -> facts.watched().contains(updated.uri());
                    case Notice.ElicitationCompleted completed ->
                        session.urlElicitations().contains(completed.elicitationId());
                    default -> true;
                };
    }

    private static boolean wants(Subscription wanted, Notice notice) {
        return switch (notice) {
            case Notice.ToolsChanged tools -> wanted.toolsChanged();
            case Notice.PromptsChanged prompts -> wanted.promptsChanged();
            case Notice.ResourcesChanged resources -> wanted.resourcesChanged();
            case Notice.ResourceUpdated updated -> wanted.resources().contains(updated.uri());
            default -> false;
        };
    }
}
