// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.protocol.Require;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How calls of long-running tools are answered in hosts that know no tasks and give a call up after some time.
 *
 * @param hold       how long a call is held open before the server hands it over, where nothing else is known of its
 *     host
 * @param joined     how long after its end a result that no client has received is given to the same call again
 * @param companions the tools with which a model continues a call that was handed over
 * @param prefix     of the names of these tools
 * @param named      what the deployer knows of single hosts, by the names that they give in their handshake
 */
public record PlainHosts(
        Duration hold, Duration joined, Companions companions, String prefix, Map<String, Host> named) {

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.-]{0,64}");

    /** Forty-five seconds, an hour, and four tools whose names begin with {@code task_}. */
    public static final PlainHosts DEFAULT =
            new PlainHosts(Duration.ofSeconds(45), Duration.ofHours(1), Companions.FOUR, "task_", Map.of());

    /** No companion tools: calls are held open to their end. */
    public static final PlainHosts WAITING =
            new PlainHosts(Duration.ofSeconds(45), Duration.ofHours(1), Companions.NONE, "", Map.of());

    /** The tools with which a model continues a call that was handed over. */
    public enum Companions {
        /** One tool each to wait, to answer a question, to cancel, and to list. */
        FOUR,
        /** One tool with an action, for hosts that count tools. */
        ONE,
        /** None: a call is held open to its end. */
        NONE
    }

    /** What a companion tool does. */
    public enum Verb {
        WAIT,
        ANSWER,
        CANCEL,
        LIST;

        /** The verb as the last part of a tool's name, or as the name of an action. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What is known of a host.
     *
     * @param hold           how long a call is held open; null for the server's own time
     * @param waitsOnProgress whether the host restarts its timeout with each progress notification; then a call with a
     *     progress token is held open to its end
     */
    public record Host(@Nullable Duration hold, boolean waitsOnProgress) {
        public Host {
            if (hold != null) {
                positive(hold, "a host's hold");
            }
        }

        /** A host that waits for {@code hold}, whether or not progress arrives. */
        public static Host holding(Duration hold) {
            return new Host(hold, false);
        }
    }

    public PlainHosts {
        positive(hold, "hold");
        Require.that(!joined.isNegative(), "the time in which a call is joined cannot be negative: " + joined);
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "a prefix of tool names has up to 64 letters, digits, '_', '-' or '.'," + " not '" + prefix + "'");
        }
        named = Map.copyOf(named);
    }

    /** These settings, with another time for which calls are held open. */
    public PlainHosts holding(Duration time) {
        return new PlainHosts(time, joined, companions, prefix, named);
    }

    /** These settings, with other companion tools. */
    public PlainHosts companions(Companions tools, String namesBeginWith) {
        return new PlainHosts(hold, joined, tools, namesBeginWith, named);
    }

    /** These settings, with one more known host, by the name that the host gives in its handshake. */
    public PlainHosts with(String name, Host host) {
        var more = new HashMap<>(named);
        more.put(name, host);
        return new PlainHosts(hold, joined, companions, prefix, more);
    }

    /** What the deployer knows of the host with this name. */
    public Optional<Host> host(String name) {
        return Optional.ofNullable(named.get(name));
    }

    public Set<String> companionNames() {
        return switch (companions) {
            case NONE -> Set.of();
            default -> Stream.of(Verb.values()).map(this::companionName).collect(Collectors.toSet());
        };
    }

    /** The name of the companion tool for this verb. */
    public String companionName(Verb verb) {
        return companions == Companions.ONE ? single() : prefix + verb.word();
    }

    /** The name of the companion tool where there is only one. */
    public String single() {
        var name = prefix.replaceFirst("[_.-]+$", "");
        return name.isEmpty() ? "task" : name;
    }

    private static void positive(Duration time, String what) {
        Require.that(time.isPositive(), what + " must be longer than nothing, not " + time);
    }
}
