// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.engine.run.Retry;
import io.longhaul.file.UpstreamEntry.Chosen;
import io.longhaul.file.UpstreamEntry.Limits;
import io.longhaul.file.UpstreamEntry.Offered;
import io.longhaul.file.UpstreamEntry.Reached;
import io.longhaul.file.UpstreamEntry.World;
import io.longhaul.file.secret.SentHeaders;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.work.CommandEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The servers of a file in which a host keeps them, such as {@code claude_desktop_config.json}: what hosts agree on,
 * and the words of single ones.
 *
 * @param entries the servers, by names that an upstream can have
 * @param leftOut why others are left out, by their names
 * @param named   the names that an upstream can have, of all servers: also of those that are off or left out
 */
public record HostServers(Map<String, UpstreamEntry> entries, Map<String, LeftOut> leftOut, Set<String> named) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private static final Pattern SOURCE = Pattern.compile("\\s*(\\([^(\\[]*)?\\[Source: [^]]*](\\))?");

    /** The members with the servers, by the hosts that have them. */
    private static final List<String> MEMBERS = List.of("mcpServers", "servers", "context_servers");

    /** The member with the host's own file, where the servers were moved out of it. */
    public static final String OF = "movedFrom";

    private static final List<String> ADDRESSES = List.of("url", "httpUrl", "serverUrl", "uri");
    private static final int LONGEST_NAME = 32;

    /** Some hosts count seconds, and others milliseconds. */
    private static final int MOST_SECONDS = 1_000;

    /**
     * Why a server is left out.
     *
     * @param problem the second part of a sentence, without a full stop
     * @param fix     what to do, in a sentence
     */
    public record LeftOut(String problem, String fix) {}

    /** A server cannot be used. */
    static final class UnusableException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final String fix;

        UnusableException(String problem, String fix) {
            super(problem);
            this.fix = fix;
        }
    }

    /** Whether a file has the name of those in which hosts keep servers. */
    public static boolean isFile(String name) {
        return name.endsWith(".json");
    }

    /**
     * Reads a file.
     *
     * @param gateway   the file of the gateway, which is none of its own servers
     * @param variables the environment
     * @throws IllegalArgumentException where it is no such file, with the reason
     * @throws JacksonException where it is no JSON
     */
    static HostServers read(Path place, Path gateway, Function<String, Optional<String>> variables) throws IOException {
        var root = JSON.readTree(Files.readString(place));
        var servers = MEMBERS.stream()
                .map(root::path)
                .filter(JsonNode::isObject)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("it has no " + String.join(", ", MEMBERS)));
        var read = new HostServers(new LinkedHashMap<>(), new LinkedHashMap<>(), new HashSet<>());
        var origin = root.path(OF);
        var values = new HostValues(origin.isString() ? Path.of(origin.stringValue()) : place, variables);
        servers.properties().forEach(server -> {
            read.named.add(clean(server.getKey()));
            try {
                if (isOff(server.getValue())) {
                    return;
                }
                var name = read.free(server.getKey());
                var entry = entry(name, server.getValue(), values);
                if (isSelf(entry.command(), Set.of(place, gateway))) {
                    throw new UnusableException("it is this gateway", "Leave it out");
                }
                entry.upstream();
                read.entries.put(name, entry);
            } catch (UnusableException e) {
                read.leftOut.put(server.getKey(), new LeftOut(String.valueOf(e.getMessage()), e.fix));
            } catch (IllegalArgumentException e) {
                read.leftOut.put(server.getKey(), new LeftOut(String.valueOf(e.getMessage()), "Mend it"));
            }
        });
        return read;
    }

    /**
     * JSON as editors write it, with comments.
     *
     * @throws IllegalArgumentException where the text is no such JSON
     */
    public static JsonNode tree(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("it is no JSON: " + reason(e), e);
        }
    }

    /** Why a text is no JSON, without what the parser says of its source, which tells a user nothing. */
    static String reason(JacksonException e) {
        return SOURCE.matcher(e.getOriginalMessage()).replaceAll("").strip();
    }

    private static boolean isOff(JsonNode server) {
        return server.path("disabled").asBoolean(false)
                || !server.path("enabled").asBoolean(true);
    }

    /** The name that an upstream can have; hosts take any name. */
    private static String clean(String name) {
        var clean = name.replaceAll("[^A-Za-z0-9_-]+", "_");
        var cut = clean.substring(0, Math.min(clean.length(), LONGEST_NAME));
        return cut.isEmpty() ? "_" : cut;
    }

    private String free(String name) {
        var cut = clean(name);
        var free = cut;
        for (int i = 2; entries.containsKey(free); i++) {
            free = cut.substring(0, Math.min(cut.length(), LONGEST_NAME - 3)) + "_" + i;
        }
        return free;
    }

    /** A gateway that a host starts in place of its servers may stand among them. */
    private static boolean isSelf(List<String> command, Set<Path> files) {
        return command.contains("gateway")
                && command.stream().anyMatch(word -> files.stream().anyMatch(file -> isSame(word, file)));
    }

    private static boolean isSame(String word, Path file) {
        try {
            return Files.isSameFile(Path.of(word), file);
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    private static UpstreamEntry entry(String name, JsonNode server, HostValues values) {
        var url = ADDRESSES.stream()
                .map(server::path)
                .filter(JsonNode::isString)
                .map(address -> values.filled(address.stringValue()))
                .findFirst();
        var command = url.isPresent() ? List.<String>of() : command(server, values);
        if (url.isEmpty() && command.isEmpty()) {
            throw new UnusableException("it has neither command nor url", "Add one of them");
        }
        var place = server.path("cwd");
        var world = new World(
                new CommandEntry.Environment(environment(server, values), Map.of(), List.of()),
                place.isString() ? values.path(place.stringValue()) : null,
                null);
        var sent = new SentHeaders(url.isPresent() ? values.texts(server.path("headers")) : Map.of(), Map.of());
        var exclude = Stream.of("excludeTools", "disabledTools")
                .flatMap(field -> values.list(server.path(field)).stream())
                .toList();
        return new UpstreamEntry(
                name,
                new Reached(url.orElse(null), command, sent, Optional.empty(), world),
                new Offered(
                        null,
                        null,
                        List.of(),
                        List.of(),
                        new Chosen(values.list(server.path("includeTools")), exclude, false, List.of()),
                        Map.of()),
                new Limits(
                        null, null, timeout(server.path("timeout")), new ToolEntry.Repetition(Retry.NEVER, Set.of())),
                server);
    }

    private static List<String> command(JsonNode server, HostValues values) {
        var command = server.path("command");
        // Zed had the program in an object.
        var program = command.isObject() ? command.path("path") : command;
        if (!program.isString() || program.stringValue().isBlank()) {
            return List.of();
        }
        var words = new ArrayList<String>();
        words.add(values.filled(program.stringValue()));
        words.addAll(values.list((command.isObject() ? command : server).path("args")));
        return words;
    }

    private static Map<String, String> environment(JsonNode server, HostValues values) {
        var all = new LinkedHashMap<String, String>();
        var kept = server.path("envFile");
        if (kept.isString()) {
            all.putAll(values.variablesOf(values.path(kept.stringValue())));
        }
        var command = server.path("command");
        all.putAll(values.texts((command.isObject() ? command : server).path("env")));
        return all;
    }

    private static @Nullable Duration timeout(JsonNode time) {
        if (!time.isNumber() || time.asLong() <= 0) {
            return null;
        }
        return time.asLong() < MOST_SECONDS ? Duration.ofSeconds(time.asLong()) : Duration.ofMillis(time.asLong());
    }
}
