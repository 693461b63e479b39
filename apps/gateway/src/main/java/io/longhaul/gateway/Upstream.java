// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.client.ServerAddress;
import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.gateway.link.UpstreamServer.NamedTools;
import io.longhaul.protocol.dialect.Generation;
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

    final UpstreamServer server;

    private Upstream(UpstreamServer server) {
        this.server = server;
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
        return new Upstream(UpstreamServer.of(name, address));
    }

    /** Sets the prefix of all its tools and prompts. Without one, only names that clash get the upstream's name. */
    public Upstream prefix(String text) {
        return with(text, server.named(), server.headers(), server.generation());
    }

    /**
     * Makes calls of these tools durable tasks, in addition to the tools that the server itself runs as tasks. A tool
     * that its server runs only as tasks refuses callers without tasks here, too; naming the tool here admits them.
     */
    public Upstream longTools(String... tools) {
        var all = and(server.named().asLong(), tools);
        return with(
                server.prefix(), new NamedTools(all, server.named().asQuick()), server.headers(), server.generation());
    }

    /** Has calls of these tools pass through, whatever the server declares, unless it runs them only as tasks. */
    public Upstream quickTools(String... tools) {
        var all = and(server.named().asQuick(), tools);
        return with(
                server.prefix(), new NamedTools(server.named().asLong(), all), server.headers(), server.generation());
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
        more.putAll(server.headers());
        more.put(headerName, value);
        var all = Collections.unmodifiableMap(more);
        return with(server.prefix(), server.named(), all, server.generation());
    }

    /** Speaks only this generation with the server; by default the newest revision that the server speaks. */
    public Upstream generation(Generation only) {
        return with(server.prefix(), server.named(), server.headers(), only);
    }

    private Upstream with(
            @Nullable String prefix,
            NamedTools named,
            Map<String, Callable<String>> headers,
            @Nullable Generation generation) {
        return new Upstream(new UpstreamServer(server.name(), server.address(), prefix, named, headers, generation));
    }

    private static Set<String> and(Set<String> some, String... more) {
        var all = new LinkedHashSet<>(some);
        all.addAll(List.of(more));
        return Collections.unmodifiableSet(all);
    }

    public String name() {
        return server.name();
    }

    @Override
    public String toString() {
        return server.toString();
    }
}
