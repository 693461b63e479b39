// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.engine.TaskLimits;
import io.longhaul.file.tree.FileFields;
import io.longhaul.protocol.WireLimits;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.Rounds;
import io.longhaul.server.Rates;
import io.longhaul.transport.http.Http;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/** The limits that a deployer has set; all others have their defaults. Immutable. */
public final class Limits {
    public static final Limits DEFAULT = new Limits(Map.of());

    private static final String AT = "/limits";

    /** Longer than the usual period between two checks of a balancer. */
    private static final Duration USUAL_LAME_DUCK = Duration.ofSeconds(5);

    private final Map<Limit, Long> figures;

    private Limits(Map<Limit, Long> figures) {
        this.figures = Map.copyOf(figures);
    }

    /** Reads {@code limits:} of a file, each by its name. */
    public static Limits read(FileFields file) {
        var limits = DEFAULT;
        for (var limit : Limit.values()) {
            var at = AT + "/" + limit.word();
            var text = file.text(at);
            if (text != null && limit.parse(text).isEmpty()) {
                file.wrong(at, FileFields.quote(text) + " cannot be this limit", limit.advice());
            } else if (text != null) {
                limits = limits.with(limit, text);
            }
        }
        try {
            limits.tasks();
            return limits;
        } catch (IllegalArgumentException e) {
            file.wrong(AT, "cannot be taken: " + e.getMessage(), "Correct it, or leave it out");
            return DEFAULT;
        }
    }

    /**
     * These limits with one more, in place of an earlier value of the same limit.
     *
     * @throws IllegalArgumentException where {@code text} is no value of this limit, with what to write
     */
    public Limits with(Limit limit, String text) {
        var all = new EnumMap<Limit, Long>(Limit.class);
        all.putAll(figures);
        all.put(
                limit,
                limit.parse(text)
                        .orElseThrow(() -> new IllegalArgumentException(
                                FileFields.quote(text) + " is no value of " + limit.word() + ". " + limit.advice())));
        return new Limits(all);
    }

    /** These limits with the earlier values of those that a running server cannot change. */
    public Limits after(Limits before) {
        var all = new EnumMap<Limit, Long>(Limit.class);
        figures.forEach((limit, figure) -> {
            if (limit.changes()) {
                all.put(limit, figure);
            }
        });
        before.figures.forEach((limit, figure) -> {
            if (!limit.changes()) {
                all.put(limit, figure);
            }
        });
        return new Limits(all);
    }

    /** These limits, completed by {@code others} where a limit is not set here. */
    public Limits over(Limits others) {
        var all = new EnumMap<Limit, Long>(Limit.class);
        all.putAll(others.figures);
        all.putAll(figures);
        return new Limits(all);
    }

    /**
     * The limits of tasks.
     *
     * @throws IllegalArgumentException where two of the limits contradict each other
     */
    public TaskLimits tasks() {
        var limits = TaskLimits.builder();
        number(Limit.LIVE_PER_OWNER, limits::livePerOwner);
        number(Limit.QUEUED_PER_OWNER, limits::queuedPerOwner);
        number(Limit.RUNNING, limits::running);
        number(Limit.INPUTS_PER_TASK, limits::inputsPerTask);
        number(Limit.CHILDREN_PER_TASK, limits::childrenPerTask);
        number(Limit.CHILD_DEPTH, limits::childDepth);
        number(Limit.CRASH_ATTEMPTS, limits::crashAttempts);
        number(Limit.PIECE_BYTES, limits::pieceBytes);
        figure(Limit.OUTPUT_BYTES, limits::outputBytes);
        time(Limit.LONGEST_RETENTION, limits::longestRetention);
        time(Limit.SHORTEST_RETENTION, limits::shortestRetention);
        time(Limit.DEFAULT_RETENTION, limits::defaultRetention);
        time(Limit.ANSWER_TIMEOUT, limits::answerTimeout);
        time(Limit.PROGRESS_INTERVAL, limits::progressInterval);
        time(Limit.HAND_BACK_GRACE, limits::handBackGrace);
        time(Limit.OFFER_GRACE, limits::offerGrace);
        time(Limit.NODE_LOST_AFTER, limits::nodeLostAfter);
        return limits.build();
    }

    public WireLimits wire() {
        var usual = WireLimits.DEFAULT;
        return new WireLimits(
                number(Limit.MESSAGE_BYTES, usual.messageBytes()),
                number(Limit.JSON_DEPTH, usual.jsonDepth()),
                number(Limit.SESSIONS, usual.sessions()),
                time(Limit.SESSION_IDLE, usual.sessionIdle()),
                number(Limit.SUBSCRIPTIONS, usual.subscriptions()));
    }

    public Rounds rounds() {
        var usual = Rounds.DEFAULT;
        return new Rounds(
                usual.keyRotation(),
                number(Limit.PARKED_CALLS, usual.waiting()),
                time(Limit.PART_WAIT, usual.partWait()),
                time(Limit.TOKEN_LIFE, usual.tokenLife()));
    }

    /**
     * How long a server that is told to end goes on serving while it says that it is not ready.
     *
     * @param hasHealth whether the server says at all whether it is ready
     */
    public Duration lameDuck(boolean hasHealth) {
        return time(Limit.LAME_DUCK, hasHealth ? USUAL_LAME_DUCK : Duration.ZERO);
    }

    public Rates rates() {
        return new Rates(
                number(Limit.REQUESTS_PER_SECOND, 0),
                number(Limit.CREATIONS_PER_MINUTE, 0),
                number(Limit.POLLS_PER_MINUTE, 0),
                number(Limit.LISTS_PER_MINUTE, 0));
    }

    /** The settings of hosts, with the limits that are set here. */
    public PlainHosts hosts(PlainHosts hosts) {
        return new PlainHosts(
                time(Limit.HOLD, hosts.hold()),
                time(Limit.JOINED_FOR, hosts.joined()),
                hosts.companions(),
                hosts.prefix(),
                hosts.named());
    }

    public void apply(Http http) {
        http.limits(wire());
        number(Limit.OPEN_CONNECTIONS, http::openConnections);
        time(Limit.HTTP_TIMEOUT, http::timeout);
        time(Limit.KEEP_ALIVE, http::keepAlive);
    }

    private int number(Limit limit, int unset) {
        return Math.toIntExact(figures.getOrDefault(limit, (long) unset));
    }

    private Duration time(Limit limit, Duration unset) {
        return Duration.ofMillis(figures.getOrDefault(limit, unset.toMillis()));
    }

    private void figure(Limit limit, LongConsumer setter) {
        if (figures.containsKey(limit)) {
            setter.accept(figures.get(limit));
        }
    }

    private void number(Limit limit, IntConsumer setter) {
        figure(limit, figure -> setter.accept(Math.toIntExact(figure)));
    }

    private void time(Limit limit, Consumer<Duration> setter) {
        figure(limit, millis -> setter.accept(Duration.ofMillis(millis)));
    }
}
