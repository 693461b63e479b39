// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.NamePattern;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.PlainHosts.Host;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows how long a call is held open for each host, and why. The time comes from the deployer, from what a version of
 * the host did before (gave a call up, or still took an answer), or from the shipped table. Thread-safe.
 */
public final class KnownHosts {

    /** The space of the rows that hold what was learned. */
    public static final String SPACE = "host";

    /** The most host versions whose learned times are kept. */
    public static final int LEARNED = 1_000;

    /** Stands for a call that is held as long as the work takes. */
    public static final Duration TO_THE_END = ChronoUnit.FOREVER.getDuration();

    /** Stands for any text in the name of a host. */
    public static final String ANY = "*";

    /** The least time for which a call is held after its host gave up early, unless the deployer's time is shorter. */
    private static final Duration SHORTEST = Duration.ofSeconds(5);

    /** How long a learned time counts, unless it is learned again. */
    public static final Duration KEPT = Duration.ofDays(7);

    /** How often a time that is learned again is stored again. */
    private static final Duration RENEWED = Duration.ofDays(1);

    /** The suffix that a bridge adds to the name of its host. */
    private static final Pattern BRIDGE = Pattern.compile(" \\(via mcp-remote [^)]*\\)$");

    private static final int NAME_LENGTH = 200;
    private static final String TABLE = "hosts.txt";
    private static final List<Shipped> SHIPPED = shipped();

    /** One version of a host, as its handshake names it. */
    public record HostVersion(String name, String version) {
        /** Control characters become spaces, because a line break separates name and version in the key of a row. */
        public HostVersion {
            name = name.replaceAll("\\p{Cntrl}", " ");
            version = version.replaceAll("\\p{Cntrl}", " ");
        }

        /** @param client what a client says of itself; a bridge adds a suffix to the name of its host */
        public static HostVersion of(Json client) {
            var said = JsonReader.members(client);
            return new HostVersion(BRIDGE.matcher(text(said, "name")).replaceFirst(""), text(said, "version"));
        }

        private static String text(JsonMembers said, String field) {
            String read = Objects.requireNonNullElse(said.text(field), "");
            return read.length() > NAME_LENGTH ? read.substring(0, NAME_LENGTH) : read;
        }

        private String key() {
            return name + "\n" + version;
        }

        private static HostVersion ofKey(String key) {
            int end = key.indexOf('\n');
            return end < 0 ? new HostVersion(key, "") : new HostVersion(key.substring(0, end), key.substring(end + 1));
        }
    }

    /**
     * The times that the server learned of one version of a host.
     *
     * @param gaveUp the shortest time after which the host gave up a call, or null
     * @param heard  the longest time after which the host took an answer, or null
     */
    public record Learned(
            @Nullable Duration gaveUp, @Nullable Duration heard) {
        public static final Learned NOTHING = new Learned(null, null);

        /** These times, except where {@code later} has others. An answer that was taken after a give-up counts not. */
        public Learned then(Learned later) {
            var gaveUp = later.gaveUp != null ? later.gaveUp : this.gaveUp;
            var heard = later.heard != null ? later.heard : this.heard;
            boolean isTooLate = gaveUp != null && heard != null && heard.compareTo(gaveUp) >= 0;
            return new Learned(gaveUp, isTooLate ? null : heard);
        }

        /** What both times say that two clients taught: the one that changes less. */
        public Learned both(Learned other) {
            return new Learned(
                    gaveUp == null || other.gaveUp == null ? null : longer(gaveUp, other.gaveUp),
                    heard == null || other.heard == null ? null : shorter(heard, other.heard));
        }
    }

    /** @param until when the times stop to count */
    private record Kept(Learned learned, Instant until) {}

    /** Why a call is held for as long as it is. */
    public enum Basis {
        /** The deployer says so. */
        SET,
        /** The host gave a call up before, or still took an answer late. */
        LEARNED,
        /** The table says so, or the server's default. */
        SHIPPED
    }

    /**
     * How long a call is held for a host.
     *
     * @param host            the host; its version is empty where nothing was learned, and {@link #ANY} in its name
     *     stands for any text
     * @param learned         what the server learned of the host
     * @param hold            how long, or {@link #TO_THE_END}
     * @param basis           the reason for this time
     * @param waitsOnProgress whether a call with a progress token is held to the end of the work
     * @param hasTasks        whether the host asks for tasks in versions of the protocol in which no client can declare
     *     that
     */
    public record HostWait(
            HostVersion host, Learned learned, Duration hold, Basis basis, boolean waitsOnProgress, boolean hasTasks) {}

    /**
     * One line of the shipped table: the hosts whose names match a pattern, in upper or lower case.
     *
     * @param hasTasks whether these hosts ask for tasks in versions of the protocol in which no client can declare that
     */
    private record Shipped(String name, Host host, boolean hasTasks) {
        boolean matches(HostVersion version) {
            return NamePattern.matches(List.of(lower(name)), lower(version.name()));
        }

        private static String lower(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    }

    private final PlainHosts deployed;
    private final InstantSource clock;
    private final Map<HostVersion, Kept> learned = Collections.synchronizedMap(BoundedMap.byInsertion(LEARNED));

    /**
     * @param deployed the settings of the deployer
     * @param rows     what earlier processes learned: up to {@link #LEARNED} rows of {@link #SPACE}
     * @param clock    says when a learned time no longer counts
     */
    public KnownHosts(PlainHosts deployed, List<StoredRow> rows, InstantSource clock) {
        this.deployed = deployed;
        this.clock = clock;
        rows.forEach(row -> learned.put(
                HostVersion.ofKey(row.key()),
                new Kept(read(row.value()), Objects.requireNonNullElse(row.expiresAt(), Instant.MAX))));
    }

    /** How long a call of this host is held open. */
    public HostWait of(HostVersion host) {
        return of(host, learned(host));
    }

    /** How long a call of this host is held open for a client that taught {@code seen}. */
    public HostWait of(HostVersion host, Learned seen) {
        var shipped = shipped(host);
        var named = deployed.host(host.name());
        boolean waitsOnProgress = named.or(() -> shipped.map(Shipped::host))
                .map(Host::waitsOnProgress)
                .orElse(false);
        boolean hasTasks = hasTasks(host);
        Duration set = deployed.companions() == Companions.NONE
                ? TO_THE_END
                : named.map(Host::hold).orElse(null);
        if (set != null) {
            return new HostWait(host, seen, set, Basis.SET, waitsOnProgress, hasTasks);
        }
        boolean isInTable = named.isEmpty() && shipped.isPresent();
        Duration usual = isInTable ? shipped.get().host().hold() : deployed.hold();
        Duration heard = seen.heard() != null && seen.heard().compareTo(usual) > 0 ? seen.heard() : usual;
        Duration hold = shorter(heard, safe(seen));
        var basis = !hold.equals(usual)
                ? Basis.LEARNED
                : isInTable || usual.equals(PlainHosts.DEFAULT.hold()) ? Basis.SHIPPED : Basis.SET;
        return new HostWait(host, seen, hold, basis, waitsOnProgress, hasTasks);
    }

    /** Whether the host is known to ask for tasks, in versions of the protocol in which no client can declare that. */
    public static boolean hasTasks(HostVersion host) {
        return shipped(host).map(Shipped::hasTasks).orElse(false);
    }

    /** All known hosts, for people: learned ones, the deployer's, the table's, and the entry for any other host. */
    public List<HostWait> all() {
        List<HostVersion> versions;
        synchronized (learned) {
            versions = learned.keySet().stream()
                    .filter(version -> !learned(version).equals(Learned.NOTHING))
                    .toList();
        }
        var names = Stream.of(
                        deployed.named().keySet().stream().sorted(),
                        SHIPPED.stream().map(Shipped::name),
                        Stream.of(ANY))
                .flatMap(each -> each)
                .distinct()
                .map(name -> new HostVersion(name, ""));
        return Stream.concat(versions.stream(), names).distinct().map(this::of).toList();
    }

    /**
     * How long a call is held whose tool asks for the time {@code wanted}: no longer than is safe for its client, which
     * taught {@code seen}.
     *
     * @return {@link #TO_THE_END} for as long as the work takes
     */
    public Duration hold(Learned seen, Duration wanted) {
        return shorter(wanted, safe(seen));
    }

    /** A safe time: less than the host waited before it gave up a call, or {@link #TO_THE_END} if it never did. */
    private Duration safe(Learned seen) {
        var gaveUp = seen.gaveUp();
        if (gaveUp == null) {
            return TO_THE_END;
        }
        Duration safe = gaveUp.multipliedBy(3).dividedBy(4);
        Duration least = shorter(SHORTEST, deployed.hold());
        return safe.compareTo(least) < 0 ? least : safe;
    }

    public Learned learned(HostVersion host) {
        var kept = learned.get(host);
        return kept != null && kept.until().isAfter(clock.instant()) ? kept.learned() : Learned.NOTHING;
    }

    /** Learns what two clients of a host taught, and gives the row to store; empty where nothing is new. */
    public Optional<StoredRow> learn(HostVersion host, Learned news) {
        var until = clock.instant().plus(KEPT);
        var before = learned.get(host);
        var after = new Kept(learned(host).then(news), until);
        boolean isKnown = before != null
                && before.learned().equals(after.learned())
                && before.until().plus(RENEWED).isAfter(until);
        if (isKnown) {
            return Optional.empty();
        }
        learned.put(host, after);
        return Optional.of(new StoredRow(SPACE, host.key(), write(after.learned()), until));
    }

    /**
     * Removes what was learned of a host, and gives the number of removed versions.
     *
     * @param version the only version to remove, or null for all
     */
    public static int forget(RowStore rows, String name, @Nullable String version, Instant now) {
        var keys = rows.list(SPACE, null, LEARNED, now).stream()
                .map(StoredRow::key)
                .filter(key -> {
                    var host = HostVersion.ofKey(key);
                    return host.name().equals(name)
                            && (version == null || host.version().equals(version));
                })
                .toList();
        keys.forEach(key -> rows.remove(SPACE, key));
        return keys.size();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private static Optional<Shipped> shipped(HostVersion host) {
        return SHIPPED.stream().filter(one -> one.matches(host)).findFirst();
    }

    private static Payload write(Learned learned) {
        var out = JsonWriter.object();
        if (learned.gaveUp() != null) {
            out.member("gaveUpMs", learned.gaveUp().toMillis());
        }
        if (learned.heard() != null) {
            out.member("heardMs", learned.heard().toMillis());
        }
        return Payload.of(out.end().bytes());
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
     * Reads the shipped table. Each line has the pattern of a host's name, the seconds for which a call is held,
     * {@code progress} where progress makes the host wait on, and {@code tasks} where the host asks for tasks. The
     * first matching line counts.
     */
    private static List<Shipped> shipped() {
        try (InputStream in = KnownHosts.class.getResourceAsStream(TABLE)) {
            return lines(in).stream().map(KnownHosts::shipped).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Shipped shipped(String line) {
        String[] words = line.strip().split("\\s*\\|\\s*");
        Duration hold = words[1].equals("always") ? TO_THE_END : Duration.ofSeconds(Long.parseLong(words[1]));
        var more = List.of(words).subList(2, words.length);
        var host = new Host(hold, more.contains("progress"));
        return new Shipped(words[0], host, more.contains("tasks"));
    }

    private static List<String> lines(@Nullable InputStream in) throws IOException {
        if (in == null) {
            throw new IllegalStateException("the library is not whole: " + TABLE + " is missing");
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }
}
