// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.json.Json;
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
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long a call is held for each host, and why: because the deployer says so, because a version of the host gave a
 * call up before or still took an answer, or because the table that is shipped has the host. Thread-safe.
 */
public final class KnownHosts {

    /** The space of the rows that hold what was learned. */
    public static final String SPACE = "host";

    /** How many versions of hosts are kept of which something was learned. */
    public static final int LEARNED = 1_000;

    /** As long as the work takes. */
    public static final Duration TO_THE_END = ChronoUnit.FOREVER.getDuration();

    /** Stands for any text in the name of a host. */
    public static final String ANY = "*";

    /** No host is answered earlier than this for giving up early, unless the server answers earlier anyway. */
    private static final Duration SHORTEST = Duration.ofSeconds(5);

    private static final Duration KEPT = Duration.ofDays(90);
    private static final String TABLE = "hosts.txt";
    private static final List<Shipped> SHIPPED = shipped();

    /** One version of a host, as its handshake names it. */
    public record HostVersion(String name, String version) {
        /** Names and versions are one line each, so that a line break parts them. */
        public HostVersion {
            name = name.replaceAll("\\p{Cntrl}", " ");
            version = version.replaceAll("\\p{Cntrl}", " ");
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
     * What was learned of one version of a host.
     *
     * @param gaveUp the shortest time after which the host gave up a call, or null
     * @param heard  the longest time after which the host took an answer, or null
     */
    public record Learned(
            @Nullable Duration gaveUp, @Nullable Duration heard) {
        static final Learned NOTHING = new Learned(null, null);
    }

    /** Why a call is held for as long as it is. */
    public enum Basis {
        /** The deployer says so. */
        SET,
        /** The host gave a call up before, or still took an answer. */
        LEARNED,
        /** The table says so, or the server's default. */
        SHIPPED
    }

    /**
     * How long a call is held for a host.
     *
     * @param host            of an empty version where nothing was learned, and {@link #ANY} can stand for any text
     * @param learned         what was learned of it
     * @param hold            how long, or {@link #TO_THE_END}
     * @param basis           why that is so
     * @param waitsOnProgress whether a call with a progress token is held to the end of the work
     * @param hasTasks        whether the host asks for tasks where a version of the protocol does not let it say so
     */
    public record HostWait(
            HostVersion host, Learned learned, Duration hold, Basis basis, boolean waitsOnProgress, boolean hasTasks) {}

    /**
     * Hosts whose names look alike.
     *
     * @param hasTasks whether they ask for tasks where a version of the protocol does not let them say so
     */
    private record Shipped(String name, Pattern pattern, Host host, boolean hasTasks) {}

    private final PlainHosts deployed;
    private final Map<HostVersion, Learned> learned = Collections.synchronizedMap(BoundedMap.byInsertion(LEARNED));

    /**
     * @param deployed what its deployer says
     * @param rows     what it has learned: up to {@link #LEARNED} rows of {@link #SPACE}
     */
    public KnownHosts(PlainHosts deployed, List<StoredRow> rows) {
        this.deployed = deployed;
        rows.forEach(row -> learned.put(HostVersion.ofKey(row.key()), read(row.value())));
    }

    /** How long a call of this host is held open. */
    public HostWait of(HostVersion host) {
        var seen = learned(host);
        var shipped = shipped(host);
        var named = deployed.host(host.name());
        boolean waitsOnProgress = named.or(() -> shipped.map(Shipped::host))
                .map(Host::waitsOnProgress)
                .orElse(false);
        boolean hasTasks = shipped.map(Shipped::hasTasks).orElse(false);
        Duration set = deployed.companions() == Companions.NONE
                ? TO_THE_END
                : named.map(Host::hold).orElse(null);
        if (set != null) {
            return new HostWait(host, seen, set, Basis.SET, waitsOnProgress, hasTasks);
        }
        boolean isInTable = named.isEmpty() && shipped.isPresent();
        Duration usual = isInTable ? shipped.get().host().hold() : deployed.hold();
        Duration heard = seen.heard() != null && seen.heard().compareTo(usual) > 0 ? seen.heard() : usual;
        Duration hold = shorter(heard, safe(host));
        var basis = !hold.equals(usual)
                ? Basis.LEARNED
                : isInTable || usual.equals(PlainHosts.DEFAULT.hold()) ? Basis.SHIPPED : Basis.SET;
        return new HostWait(host, seen, hold, basis, waitsOnProgress, hasTasks);
    }

    /** All that is known, for people: what was learned, what the deployer says, the table, and any other host. */
    public List<HostWait> all() {
        List<HostVersion> versions;
        synchronized (learned) {
            versions = List.copyOf(learned.keySet());
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
     * How long a call is held that the author of its tool wants held for so long: no longer than is safe.
     *
     * @return {@link #TO_THE_END} for as long as the work takes
     */
    public Duration hold(HostVersion host, Duration wanted) {
        return shorter(wanted, safe(host));
    }

    /** How long a version of a host waits that gave up a call before; as long as any, where it did not. */
    private Duration safe(HostVersion host) {
        var gaveUp = learned(host).gaveUp();
        if (gaveUp == null) {
            return TO_THE_END;
        }
        Duration safe = gaveUp.multipliedBy(3).dividedBy(4);
        Duration least = shorter(SHORTEST, deployed.hold());
        return safe.compareTo(least) < 0 ? least : safe;
    }

    public Learned learned(HostVersion host) {
        return learned.getOrDefault(host, Learned.NOTHING);
    }

    /** Takes in what was seen of a host, and gives the row to be stored; empty where that is nothing new. */
    public Optional<StoredRow> learn(HostVersion host, UnaryOperator<Learned> news, Instant now) {
        var before = learned(host);
        var after = news.apply(before);
        if (after.equals(before)) {
            return Optional.empty();
        }
        learned.put(host, after);
        return Optional.of(new StoredRow(SPACE, host.key(), write(after), now.plus(KEPT)));
    }

    /**
     * Removes what was learned of a host, and says of how many of its versions that was.
     *
     * @param version the only one, or null for all
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

    private static Optional<Shipped> shipped(HostVersion host) {
        return SHIPPED.stream()
                .filter(one -> one.pattern().matcher(host.name()).matches())
                .findFirst();
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
        String name = Pattern.quote(words[0].strip()).replace(ANY, "\\E.*\\Q");
        var more = List.of(words).subList(2, words.length);
        var host = new Host(hold, more.contains("progress"));
        return new Shipped(
                words[0].strip(), Pattern.compile(name, Pattern.CASE_INSENSITIVE), host, more.contains("tasks"));
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
