// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.ServerAddress;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.transport.ClientHttp;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server behind a gateway: its address, and how its tools are served. Immutable. */
public final class Upstream {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,32}");

    private final String name;
    private final ServerAddress address;
    private final @Nullable String prefix;
    private final Lengths lengths;
    private final Map<String, Callable<String>> headers;
    private final @Nullable Generation generation;

    /** The tools that are set as long or quick, in place of the server's declaration. */
    private record Lengths(Set<String> longTools, Set<String> quickTools) {}

    private Upstream(
            String name,
            ServerAddress address,
            @Nullable String prefix,
            Lengths lengths,
            Map<String, Callable<String>> headers,
            @Nullable Generation generation) {
        this.name = name;
        this.address = address;
        this.prefix = prefix;
        this.lengths = lengths;
        this.headers = headers;
        this.generation = generation;
    }

    /**
     * A server at an HTTP address.
     *
     * @param name for the log, for errors, and as prefix of tool names that clash: up to 32 letters, digits,
     *     underscores and hyphens
     * @throws IllegalArgumentException where the name or the address is not valid
     */
    public static Upstream at(String name, URI url) {
        if (!ClientHttp.isOfServer(url)) {
            throw new IllegalArgumentException("the upstream '" + name + "' needs an address of http or https");
        }
        return of(name, new ServerAddress.Http(url));
    }

    /**
     * A server that the gateway starts, and speaks to over standard input and output.
     *
     * @param name    as for {@link #at}
     * @param command the program and its arguments
     * @throws IllegalArgumentException where the name is not valid, or the command is empty
     */
    public static Upstream launch(String name, List<String> command) {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the upstream '" + name + "' needs a command");
        }
        return of(name, new ServerAddress.Command(command));
    }

    private static Upstream of(String name, ServerAddress address) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name '" + name
                    + "' of an upstream must be 1 to 32 letters, digits, underscores or hyphens (A-Z, a-z, 0-9, _ -)");
        }
        return new Upstream(name, address, null, new Lengths(Set.of(), Set.of()), Map.of(), null);
    }

    /** Sets the prefix of all its tools and prompts. Without one, only names that clash get the upstream's name. */
    public Upstream prefix(String text) {
        return new Upstream(name, address, text, lengths, headers, generation);
    }

    /**
     * Makes calls of these tools durable tasks, in addition to the tools that the server itself runs as tasks. A tool
     * that its server runs only as tasks refuses callers without tasks here, too; naming the tool here admits them.
     */
    public Upstream longTools(String... tools) {
        return with(new Lengths(and(lengths.longTools(), tools), lengths.quickTools()));
    }

    /** Has calls of these tools pass through, whatever the server declares, unless it runs them only as tasks. */
    public Upstream quickTools(String... tools) {
        return with(new Lengths(lengths.longTools(), and(lengths.quickTools(), tools)));
    }

    /** Sends a header with each HTTP request, such as the key of the gateway. The value is never shown. */
    public Upstream header(String headerName, String value) {
        return header(headerName, () -> value);
    }

    /**
     * Sends a header whose value is read for each request, because it can change. A request whose value cannot be read
     * is not sent: the server then counts as away, and the log says why.
     */
    public Upstream header(String headerName, Callable<String> value) {
        var more = new TreeMap<String, Callable<String>>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(headers);
        more.put(headerName, value);
        return new Upstream(name, address, prefix, lengths, Collections.unmodifiableMap(more), generation);
    }

    /** Speaks only this generation with the server; by default the newest revision that the server speaks. */
    public Upstream generation(Generation only) {
        return new Upstream(name, address, prefix, lengths, headers, only);
    }

    private Upstream with(Lengths other) {
        return new Upstream(name, address, prefix, other, headers, generation);
    }

    private static Set<String> and(Set<String> some, String... more) {
        var all = new LinkedHashSet<>(some);
        all.addAll(List.of(more));
        return Collections.unmodifiableSet(all);
    }

    public String name() {
        return name;
    }

    /** The prefix of all names, or null where only names that clash get one. */
    public @Nullable String prefix() {
        return prefix;
    }

    /** The tools that were named as long or quick. */
    public Set<String> namedTools() {
        return and(lengths.longTools(), lengths.quickTools().toArray(String[]::new));
    }

    public boolean isLong(String tool, TaskMode declared) {
        return switch (declared) {
            case REQUIRED -> true;
            case OPTIONAL -> !lengths.quickTools().contains(tool);
            case NEVER ->
                lengths.longTools().contains(tool) && !lengths.quickTools().contains(tool);
        };
    }

    public boolean isLaunched() {
        return address instanceof ServerAddress.Command;
    }

    /** Whether callers without tasks are refused: where the server refuses them, unless the tool was named as long. */
    public boolean isTaskOnly(String tool, TaskMode declared) {
        return declared == TaskMode.REQUIRED && !lengths.longTools().contains(tool);
    }

    public RequestAuthorizer readHeaders() {
        return new ReadHeaders(name, headers);
    }

    /** @param read the headers of this upstream; the same object remembers what the log was told */
    public McpClientBuilder client(RequestAuthorizer read) {
        var client = switch (address) {
            case ServerAddress.Http(var url) -> McpClient.to(url);
            case ServerAddress.Command(var command) -> McpClient.launch(command);
        };
        if (!headers.isEmpty()) {
            client.authorize(url -> read);
        }
        return generation == null ? client : client.generation(generation);
    }

    /** Leaves out the headers, which may be secret. */
    @Override
    public String toString() {
        return "upstream " + name;
    }
}
