// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.ServerAddress;
import io.longhaul.gateway.caller.CallerRights;
import io.longhaul.gateway.limit.CallLimits;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.transport.client.Authorization;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What a program has said of a server behind the gateway.
 *
 * @param offer  what of the server is offered
 * @param reach  how the server is reached
 * @param bounds how much is asked of it
 */
public record UpstreamServer(String name, ServerAddress address, Offer offer, Reach reach, Bounds bounds) {

    /**
     * How a server is reached.
     *
     * @param headers    that are read for each HTTP request
     * @param generation the only one that is spoken, or null
     * @param world      of a server that is started
     * @param rights     whose rights requests have
     */
    public record Reach(
            Map<String, Callable<String>> headers,
            @Nullable Generation generation,
            ProcessWorld world,
            CallerRights rights) {
        static final Reach PLAIN = new Reach(Map.of(), null, ProcessWorld.BARE, CallerRights.NONE);
    }

    /**
     * How much is asked of a server.
     *
     * @param all   the limits of all calls
     * @param tools the limits of calls of single tools, by their own names
     */
    public record Bounds(CallLimits all, Map<String, CallLimits> tools) {
        static final Bounds NONE = new Bounds(CallLimits.NONE, Map.of());

        public Bounds {
            tools = Map.copyOf(tools);
        }

        /** The limits of the calls of a tool, with the timeout and the retries of all calls where it has none. */
        public CallLimits of(String tool) {
            return tools.getOrDefault(tool, CallLimits.NONE).over(all);
        }
    }

    /** A server of which no more is said than its address. */
    public static UpstreamServer of(String name, ServerAddress address) {
        return new UpstreamServer(name, address, Offer.WHOLE, Reach.PLAIN, Bounds.NONE);
    }

    public boolean isLong(String tool, TaskMode declared) {
        return switch (declared) {
            case REQUIRED -> true;
            case OPTIONAL -> !offer.named().asQuick().contains(tool);
            case NEVER ->
                offer.named().asLong().contains(tool)
                        && !offer.named().asQuick().contains(tool);
        };
    }

    /** Whether callers without tasks are refused: where the server refuses them, unless the tool was named as long. */
    public boolean isTaskOnly(String tool, TaskMode declared) {
        return declared == TaskMode.REQUIRED && !offer.named().asLong().contains(tool);
    }

    public boolean isLaunched() {
        return address instanceof ServerAddress.Command;
    }

    RequestAuthorizer readHeaders() {
        return new ReadValues(name, "header", reach.headers());
    }

    /** The headers of requests by an authorization; none where there is no address. */
    RequestAuthorizer authorized(@Nullable Authorization by) {
        return by != null && address instanceof ServerAddress.Http(var url) ? by.at(url) : RequestAuthorizer.NONE;
    }

    /**
     * @param read     the headers of requests; the same object remembers what the log was told
     * @param launched starts the server, where the gateway does
     */
    McpClientBuilder client(RequestAuthorizer read, @Nullable LaunchedServer launched) {
        var client = switch (address) {
            case ServerAddress.Http(var url) -> McpClient.to(url);
            case ServerAddress.Command(var command) -> McpClient.launch(command);
        };
        if (launched != null) {
            client.over(launched);
        }
        client.authorize(url -> read);
        return reach.generation() == null ? client : client.generation(reach.generation());
    }

    /** Starts the server; null where the gateway does not start it. The same object remembers how it ended. */
    @Nullable
    LaunchedServer launched(InstantSource clock) {
        return address instanceof ServerAddress.Command(var command)
                ? new LaunchedServer(name, command, reach.world(), clock)
                : null;
    }

    /** Leaves out the headers, which may be secret. */
    @Override
    public String toString() {
        return "upstream " + name;
    }
}
