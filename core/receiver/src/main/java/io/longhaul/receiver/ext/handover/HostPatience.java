// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.KnownHosts.HostVersion;
import io.longhaul.receiver.KnownHosts.Learned;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Knows how long the host of a request waits for an answer, and learns that from its requests: {@link KnownHosts} for
 * this server. Learned times are stored. Thread-safe.
 */
final class HostPatience {

    /** The tolerance around a round figure within which a host counts as giving up after that figure. */
    private static final Duration ABOUT = Duration.ofMillis(1_500);

    /** The least time after which a host may give a call up without telling the server. */
    private static final Duration SILENT = Duration.ofSeconds(5);

    /** The common timeouts, in seconds, of calls in hosts and of connections in proxies. */
    private static final int[] ROUND_FIGURES = {30, 60, 120, 300};

    private final Context context;
    private final KnownHosts known;

    /** What one session taught, or one owner whose requests have no session. It counts for that one alone. */
    private static final class Lessons implements Session.Part {
        private Learned learned = Learned.NOTHING;
        private @Nullable Duration longest;
        private Instant until = Instant.MIN;

        synchronized Learned learned(Instant now) {
            forget(now);
            return learned;
        }

        synchronized Learned learn(UnaryOperator<Learned> news, Instant now) {
            forget(now);
            learned = news.apply(learned);
            until = now.plus(KnownHosts.KEPT);
            return learned;
        }

        /** The session gave calls up without telling the server. */
        synchronized void shorten(Duration hold, Instant now) {
            longest = shortened(hold, now);
            until = now.plus(KnownHosts.KEPT);
        }

        synchronized Duration shortened(Duration hold, Instant now) {
            forget(now);
            return longest == null || hold.compareTo(longest) < 0 ? hold : longest;
        }

        private void forget(Instant now) {
            if (!now.isBefore(until)) {
                learned = Learned.NOTHING;
                longest = null;
            }
        }
    }

    /** The last client of a version that taught something. */
    private record Teacher(String name, Learned taught, Instant at) {}

    private final Map<HostVersion, Teacher> teachers =
            Collections.synchronizedMap(BoundedMap.byInsertion(KnownHosts.LEARNED));

    private final Map<String, Lessons> ofOwners = Collections.synchronizedMap(BoundedMap.byUse(KnownHosts.LEARNED));

    HostPatience(Context context) {
        this.context = context;
        var rows = context.engine().rows().list(KnownHosts.SPACE, null, KnownHosts.LEARNED, context.now());
        known = new KnownHosts(context.hosts(), rows, context::now);
    }

    /**
     * The latest time to answer a call.
     *
     * @param own         the time that the author of the tool wants, or null
     * @param hasProgress whether the host receives progress for this call
     * @return {@link Instant#MAX} where the host waits to the end
     */
    Instant until(InboundRequest request, @Nullable Duration own, boolean hasProgress) {
        if (context.hosts().companions() == Companions.NONE
                || hasProgress && known.of(request.host()).waitsOnProgress()) {
            return Instant.MAX;
        }
        Duration hold = hold(request, own);
        return hold.equals(KnownHosts.TO_THE_END) ? Instant.MAX : context.now().plus(hold);
    }

    /**
     * How long the host waits for a message.
     *
     * @param own the time that the author of the tool wants, or null
     */
    Duration hold(InboundRequest request, @Nullable Duration own) {
        var seen = seen(request);
        var usual = own == null ? known.of(request.host(), seen).hold() : known.hold(seen, own);
        return lessons(request).shortened(usual, context.now());
    }

    /**
     * Whether a session that repeats a call gave up the first one, begun at {@code begun}, without telling the server.
     * After so long, no model repeats a call that it waits for. Two conversations in one session may, so only this
     * session is answered earlier from now on: after half that time, because a model thinks before it tries again.
     */
    boolean gaveUpInSilence(InboundRequest request, Instant begun) {
        var after = Duration.between(begun, context.now());
        if (after.compareTo(SILENT) < 0 || until(request, null, false).equals(Instant.MAX)) {
            return false;
        }
        lessons(request).shorten(after.dividedBy(2), context.now());
        return true;
    }

    /** Learns that a host gave up, now and because of a timeout, a call that began at {@code begun}. */
    void gaveUp(InboundRequest request, Instant begun) {
        var after = Duration.between(begun, context.now());
        learn(
                request,
                before -> before.gaveUp() == null || after.compareTo(before.gaveUp()) < 0
                        ? new Learned(
                                after,
                                before.heard() != null && before.heard().compareTo(after) < 0 ? before.heard() : null)
                        : before);
    }

    /** Learns that a host still took, now, the answer to a call that began at {@code begun}. */
    void heard(InboundRequest request, Instant begun) {
        var after = Duration.between(begun, context.now());
        if (after.compareTo(known.of(request.host(), seen(request)).hold()) > 0) {
            learn(request, before -> new Learned(before.gaveUp(), after));
        }
    }

    /** Whether a host that now leaves a call, begun at {@code begun}, has probably reached its own timeout. */
    boolean isAboutLimit(InboundRequest request, Instant begun) {
        var after = Duration.between(begun, context.now());
        for (int figure : ROUND_FIGURES) {
            if (isAbout(after, Duration.ofSeconds(figure))) {
                return true;
            }
        }
        var gaveUp = seen(request).gaveUp();
        return gaveUp != null && isAbout(after, gaveUp);
    }

    private static boolean isAbout(Duration one, Duration other) {
        return one.minus(other).abs().compareTo(ABOUT) <= 0;
    }

    /** What the version of the host taught, and above that what this client did. */
    private Learned seen(InboundRequest request) {
        return known.learned(request.host()).then(lessons(request).learned(context.now()));
    }

    private Lessons lessons(InboundRequest request) {
        return hasSession(request)
                ? request.session().part(Lessons.class, Lessons::new)
                : ofOwners.computeIfAbsent(request.owner().value() + "\n" + request.host(), owner -> new Lessons());
    }

    private static boolean hasSession(InboundRequest request) {
        return request.manner().inSession() || request.reply().isOnConnection();
    }

    /**
     * Learns for the client, and for all of its version what a second client taught as well. Learns from known
     * principals only: anonymous callers must not change how other callers are treated.
     */
    private void learn(InboundRequest request, UnaryOperator<Learned> news) {
        if (request.principal().kind() == Principal.Kind.ANONYMOUS) {
            return;
        }
        var now = context.now();
        boolean isOneUser = request.principal().kind() == Principal.Kind.AUTHORIZED || !hasSession(request);
        var client = isOneUser
                ? request.owner().value()
                : "session " + request.session().id();
        var teacher = new Teacher(client, lessons(request).learn(news, now), now);
        var before = teachers.put(request.host(), teacher);
        if (before != null
                && !before.name().equals(client)
                && before.at().plus(KnownHosts.KEPT).isAfter(now)) {
            known.learn(request.host(), before.taught().both(teacher.taught()))
                    .ifPresent(context.engine().rows()::put);
        }
    }
}
