// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.ServerAddress;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a program has said of a server behind the gateway.
 *
 * @param prefix     of all names, or null where only names that clash get one
 * @param named      tools that were named as long or quick
 * @param headers    that are read for each HTTP request
 * @param generation the only one that is spoken, or null
 */
public record UpstreamServer(
        String name,
        ServerAddress address,
        @Nullable String prefix,
        NamedTools named,
        Map<String, Callable<String>> headers,
        @Nullable Generation generation) {

    /** Tools that were named as long, and as quick. */
    public record NamedTools(Set<String> asLong, Set<String> asQuick) {
        /** No tool was named. */
        public static final NamedTools NONE = new NamedTools(Set.of(), Set.of());
    }

    /** A server of which no more is said than its address. */
    public static UpstreamServer of(String name, ServerAddress address) {
        return new UpstreamServer(name, address, null, NamedTools.NONE, Map.of(), null);
    }

    /** The tools that were named as long or quick. */
    public Set<String> namedTools() {
        return Stream.of(named.asLong(), named.asQuick()).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }

    public boolean isLong(String tool, TaskMode declared) {
        return switch (declared) {
            case REQUIRED -> true;
            case OPTIONAL -> !named.asQuick().contains(tool);
            case NEVER -> named.asLong().contains(tool) && !named.asQuick().contains(tool);
        };
    }

    /** Whether callers without tasks are refused: where the server refuses them, unless the tool was named as long. */
    public boolean isTaskOnly(String tool, TaskMode declared) {
        return declared == TaskMode.REQUIRED && !named.asLong().contains(tool);
    }

    public boolean isLaunched() {
        return address instanceof ServerAddress.Command;
    }

    RequestAuthorizer readHeaders() {
        return new ReadHeaders(name, headers);
    }

    /** @param read the headers of this upstream; the same object remembers what the log was told */
    McpClientBuilder client(RequestAuthorizer read) {
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
