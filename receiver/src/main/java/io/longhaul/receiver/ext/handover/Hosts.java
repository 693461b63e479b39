// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.KnownHosts.HostVersion;
import io.longhaul.receiver.KnownHosts.Learned;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long the hosts of sessions wait for an answer, and what a session teaches of its host: {@link KnownHosts} for
 * this server. What was learned is stored. Thread-safe.
 */
final class Hosts {

    /** How far from a figure a host may be that gives up after it. */
    private static final Duration ABOUT = Duration.ofMillis(1_500);

    /** As soon as any host gives a call up that says nothing of it. */
    private static final Duration SILENT = Duration.ofSeconds(5);

    /** After how many seconds hosts give a call up, and proxies a connection. */
    private static final int[] ROUND_FIGURES = {30, 60, 120, 300};

    /** Reasons of a cancellation that no person gave; docs/HOSTS.md says which client gives which. */
    private static final Pattern TIMED_OUT = Pattern.compile(
            "timed?[ -]?out|deadline|no response or progress|connection (was )?(closed|ended|lost)|disconnected",
            Pattern.CASE_INSENSITIVE);

    /** What clients say whose own clock and whose user abort a call alike. */
    private static final Pattern EITHER = Pattern.compile("^AbortError|^$", Pattern.CASE_INSENSITIVE);

    /** A bridge adds this to the name of the host that it stands for. */
    private static final Pattern BRIDGE = Pattern.compile(" \\(via mcp-remote [^)]*\\)$");

    private static final int NAME_LENGTH = 200;

    private final Context context;
    private final KnownHosts known;

    /** For how long calls of one session are held, which has given calls up in silence. */
    private static final class Impatience implements Session.Part {
        private @Nullable Duration longest;

        synchronized void learn(Duration hold) {
            longest = shorten(hold);
        }

        synchronized Duration shorten(Duration hold) {
            return longest == null || hold.compareTo(longest) < 0 ? hold : longest;
        }
    }

    Hosts(Context context) {
        this.context = context;
        var rows = context.engine().rows().list(KnownHosts.SPACE, null, KnownHosts.LEARNED, context.now());
        known = new KnownHosts(context.hosts(), rows);
    }

    /**
     * Whether a cancellation was given for want of time or of a connection, and not by a person. Where its reason does
     * not tell, the moment does.
     *
     * @param begun when the request began that is given up, or null where that is not known
     */
    boolean isTimeout(@Nullable String reason, Session session, @Nullable Instant begun) {
        String said = reason == null ? "" : reason;
        return TIMED_OUT.matcher(said).find()
                || begun != null && EITHER.matcher(said).find() && isAboutLimit(session, begun);
    }

    /**
     * When a call is answered at the latest.
     *
     * @param own         what the author of the tool says, or null
     * @param hasProgress whether the host hears of progress on this call
     * @return {@link Instant#MAX} where the host waits to the end
     */
    Instant until(Session session, @Nullable Duration own, boolean hasProgress) {
        var host = version(session);
        var wait = known.of(host);
        if (context.hosts().companions() == Companions.NONE || hasProgress && wait.waitsOnProgress()) {
            return Instant.MAX;
        }
        Duration hold = session.part(Impatience.class, Impatience::new)
                .shorten(own == null ? wait.hold() : known.hold(host, own));
        return hold.equals(KnownHosts.TO_THE_END) ? Instant.MAX : context.now().plus(hold);
    }

    /**
     * Whether a session that makes a call again that began then has given up the first one and said nothing. So late,
     * no model makes the same call beside one that it waits for. Two conversations may, in one session: only this
     * session is answered earlier from now on, by half the time, since a model thinks before it tries again.
     */
    boolean gaveUpInSilence(Session session, Instant begun) {
        var after = Duration.between(begun, context.now());
        if (after.compareTo(SILENT) < 0 || until(session, null, false).equals(Instant.MAX)) {
            return false;
        }
        session.part(Impatience.class, Impatience::new).learn(after.dividedBy(2));
        return true;
    }

    /** A call that began then is given up by its host now, for want of time. */
    void gaveUp(Session session, Instant begun) {
        var after = Duration.between(begun, context.now());
        learn(
                session,
                before -> before.gaveUp() == null || after.compareTo(before.gaveUp()) < 0
                        ? new Learned(
                                after,
                                before.heard() != null && before.heard().compareTo(after) < 0 ? before.heard() : null)
                        : before);
    }

    /** A call that began then was answered now, and its host was still there. */
    void heard(Session session, Instant begun) {
        var after = Duration.between(begun, context.now());
        if (after.compareTo(known.of(version(session)).hold()) > 0) {
            learn(session, before -> new Learned(before.gaveUp(), after));
        }
    }

    /** Whether a host that leaves now a call that began then is likely to have waited for long enough, in its eyes. */
    boolean isAboutLimit(Session session, Instant begun) {
        var after = Duration.between(begun, context.now());
        for (int figure : ROUND_FIGURES) {
            if (isAbout(after, Duration.ofSeconds(figure))) {
                return true;
            }
        }
        var gaveUp = known.learned(version(session)).gaveUp();
        return gaveUp != null && isAbout(after, gaveUp);
    }

    private static boolean isAbout(Duration one, Duration other) {
        return one.minus(other).abs().compareTo(ABOUT) <= 0;
    }

    /** Whether the host is known to ask for tasks, in versions of the protocol in which no client says so. */
    boolean hasTasks(Session session) {
        return known.of(version(session)).hasTasks();
    }

    /** Whether the deployer says of the host, by its name, for how long its calls are held. */
    boolean isDeployed(Session session) {
        return context.hosts().host(version(session).name()).isPresent();
    }

    /** Strangers who share a principal do not teach the server how to treat each other. */
    private void learn(Session session, UnaryOperator<Learned> news) {
        if (session.principal().kind() == Principal.Kind.ANONYMOUS) {
            return;
        }
        known.learn(version(session), news, context.now())
                .ifPresent(context.engine().rows()::put);
    }

    private static HostVersion version(Session session) {
        return new HostVersion(BRIDGE.matcher(text(session, "name")).replaceFirst(""), text(session, "version"));
    }

    private static String text(Session session, String field) {
        String read =
                Objects.requireNonNullElse(JsonReader.members(session.client()).text(field), "");
        return read.length() > NAME_LENGTH ? read.substring(0, NAME_LENGTH) : read;
    }
}
