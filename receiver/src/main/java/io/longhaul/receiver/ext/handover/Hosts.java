package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.store.HandleStore.Handle;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.PlainHosts.Host;
import io.longhaul.receiver.session.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long hosts wait for an answer: as the deployer says, as is known of hosts by name, and as was learned from each
 * version of a host that gave a call up, or still took an answer. What was learned is stored. Thread-safe.
 */
final class Hosts {

    /** No host is answered earlier than this for giving up early, unless the server answers earlier anyway. */
    private static final Duration SHORTEST = Duration.ofSeconds(5);

    /** How far from a figure a host may be that gives up after it. */
    private static final Duration ABOUT = Duration.ofMillis(1_500);

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

    private static final Duration ALWAYS = Duration.ofDays(1);
    private static final String SPACE = "host";
    private static final Duration KEPT = Duration.ofDays(90);
    static final int LEARNED = 1_000;
    private static final int NAME_LENGTH = 200;
    private static final String KNOWN = "hosts.txt";

    /**
     * What was learned of one version of a host.
     *
     * @param gaveUp the shortest time after which the host gave up a call, or null
     * @param heard  the longest time after which the host took an answer, or null
     */
    private record Learned(
            @Nullable Duration gaveUp, @Nullable Duration heard) {
        static final Learned NOTHING = new Learned(null, null);
    }

    /**
     * Hosts whose names look alike.
     *
     * @param hasTasks whether they ask for tasks where a version of the protocol does not let them say so
     */
    private record Known(Pattern name, Host host, boolean hasTasks) {}

    private final Context context;
    private final List<Known> known;
    private final Map<String, Learned> learned = Collections.synchronizedMap(BoundedMap.byInsertion(LEARNED));

    Hosts(Context context) {
        this.context = context;
        known = known();
        context.engine()
                .handles()
                .list(SPACE, null, LEARNED, context.now())
                .forEach(row -> learned.put(row.key(), read(row.value())));
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
        var host = host(session);
        if (hasProgress && host.map(Host::waitsOnProgress).orElse(false)) {
            return Instant.MAX;
        }
        return context.now().plus(own != null ? shorter(own, safe(session)) : hold(session));
    }

    /** How long a call of this host is held open. */
    Duration hold(Session session) {
        var deployed = context.hosts().host(name(session)).map(Host::hold);
        if (deployed.isPresent()) {
            return deployed.get();
        }
        Duration usual = host(session).map(Host::hold).orElse(context.hosts().hold());
        var seen = learned.getOrDefault(key(session), Learned.NOTHING);
        if (seen.heard() != null && seen.heard().compareTo(usual) > 0) {
            usual = seen.heard();
        }
        return shorter(usual, safe(session));
    }

    /** How long a version of a host waits that gave up a call before; as long as any, where it did not. */
    private Duration safe(Session session) {
        var gaveUp = learned.getOrDefault(key(session), Learned.NOTHING).gaveUp();
        if (gaveUp == null) {
            return ALWAYS;
        }
        Duration safe = gaveUp.multipliedBy(3).dividedBy(4);
        Duration least = shorter(SHORTEST, context.hosts().hold());
        return safe.compareTo(least) < 0 ? least : safe;
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
        if (after.compareTo(hold(session)) > 0) {
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
        var seen = learned.getOrDefault(key(session), Learned.NOTHING);
        return seen.gaveUp() != null && isAbout(after, seen.gaveUp());
    }

    private static boolean isAbout(Duration one, Duration other) {
        return one.minus(other).abs().compareTo(ABOUT) <= 0;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Whether the host is known to ask for tasks, in versions of the protocol in which no client says so. */
    boolean hasTasks(Session session) {
        return known(session).map(Known::hasTasks).orElse(false);
    }

    private Optional<Host> host(Session session) {
        return context.hosts().host(name(session)).or(() -> known(session).map(Known::host));
    }

    private Optional<Known> known(Session session) {
        String name = name(session);
        return known.stream().filter(one -> one.name().matcher(name).matches()).findFirst();
    }

    /** Strangers who share a principal do not teach the server how to treat each other. */
    private void learn(Session session, UnaryOperator<Learned> news) {
        if (session.principal().kind() == Principal.Kind.ANONYMOUS) {
            return;
        }
        String key = key(session);
        var before = learned.getOrDefault(key, Learned.NOTHING);
        var now = news.apply(before);
        if (!now.equals(before)) {
            learned.put(key, now);
            context.engine()
                    .handles()
                    .put(new Handle(SPACE, key, write(now), context.now().plus(KEPT)));
        }
    }

    private static String name(Session session) {
        return BRIDGE.matcher(text(session, "name")).replaceFirst("");
    }

    private static String key(Session session) {
        return name(session) + " " + text(session, "version");
    }

    private static String text(Session session, String field) {
        Json text = JsonReader.members(session.client()).get(field);
        String read = text == null || text.kind() != Json.Kind.STRING ? "" : JsonReader.text(text);
        return read.length() > NAME_LENGTH ? read.substring(0, NAME_LENGTH) : read;
    }

    private static Payload write(Learned learned) {
        var out = new JsonWriter().beginObject();
        if (learned.gaveUp() != null) {
            out.name("gaveUpMs").number(learned.gaveUp().toMillis());
        }
        if (learned.heard() != null) {
            out.name("heardMs").number(learned.heard().toMillis());
        }
        return Payload.of(out.endObject().toJson().bytes());
    }

    private static Learned read(Payload stored) {
        var in = Params.of("host", Json.raw(stored.bytes()));
        return new Learned(millis(in, "gaveUpMs"), millis(in, "heardMs"));
    }

    private static @Nullable Duration millis(Params in, String name) {
        Long millis = in.optionalInteger(name);
        return millis == null ? null : Duration.ofMillis(millis);
    }

    /**
     * One line for hosts whose names look alike: their name, for how many seconds a call is held, {@code progress}
     * where progress makes them wait on, and {@code tasks} where they ask for tasks. The first line that fits holds.
     */
    private static List<Known> known() {
        try (InputStream in = Hosts.class.getResourceAsStream(KNOWN)) {
            return lines(in).stream().map(Hosts::known).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Known known(String line) {
        String[] words = line.strip().split("\\s*\\|\\s*");
        Duration hold = words[1].equals("always") ? ALWAYS : Duration.ofSeconds(Long.parseLong(words[1]));
        String name = Pattern.quote(words[0].strip()).replace("*", "\\E.*\\Q");
        var more = List.of(words).subList(2, words.length);
        var host = new Host(hold, more.contains("progress"));
        return new Known(Pattern.compile(name, Pattern.CASE_INSENSITIVE), host, more.contains("tasks"));
    }

    private static List<String> lines(@Nullable InputStream in) throws IOException {
        if (in == null) {
            throw new IllegalStateException("the library is not whole: " + KNOWN + " is missing");
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }
}
