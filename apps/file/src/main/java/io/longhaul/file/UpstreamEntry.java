// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.authorization.CallerTokens;
import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Template;
import io.longhaul.file.rights.Logins;
import io.longhaul.file.rights.RightsEntry;
import io.longhaul.file.secret.SentHeaders;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.work.CommandEntry;
import io.longhaul.gateway.Upstream;
import io.longhaul.gateway.limit.CallLimits;
import io.longhaul.protocol.dialect.Generation;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A server behind this one.
 *
 * @param name    by which the file names the server
 * @param reached how the server is reached
 * @param offered how its tools are offered
 * @param limits  of its calls
 * @param host    what a host's file says of the server; null where the server is of this file
 */
public record UpstreamEntry(
        String name,
        Reached reached,
        Offered offered,
        Limits limits,
        @Nullable JsonNode host) {

    /**
     * How a server is reached, by the names of the fields.
     *
     * @param url     null for a server that is started
     * @param command the command to start; empty for a server at an address
     * @param sent    the headers of each request
     * @param auth    the authorization of requests
     * @param world   of a server that is started
     */
    public record Reached(
            @Nullable String url, List<String> command, SentHeaders sent, Optional<RightsEntry> auth, World world) {
        Reached with(Optional<RightsEntry> other) {
            return new Reached(url, command, sent, other, world);
        }
    }

    /**
     * The world of a server that is started, by the names of the fields.
     *
     * @param cwd  the folder, or null for that of the gateway
     * @param idle how long the server stays without a call, or null for as long as the gateway
     */
    public record World(
            CommandEntry.Environment variables,
            @Nullable Path cwd,
            @Nullable Duration idle) {}

    /** How the tools of the server are offered, by the names of the fields. */
    public record Offered(
            @Nullable String prefix,
            @Nullable String generation,
            @Binder.Named("long") List<String> longTools,
            @Binder.Named("quick") List<String> quickTools,
            Chosen chosen,
            @Binder.Named("tools") Map<String, ToolFields> tools) {}

    /**
     * Which tools are offered, by the names of the fields.
     *
     * @param on the labels of the nodes that run their tasks
     */
    public record Chosen(List<String> include, List<String> exclude, boolean pin, List<String> on) {}

    /** The fields of one tool. */
    public record ToolFields(
            @Nullable String rename, @Nullable String describe, Map<String, Boolean> hints, Limits limits) {}

    /** The limits of calls, by the names of the fields. */
    public record Limits(
            @Nullable Integer concurrency,
            @Nullable Rate rate,
            @Nullable Duration timeout,
            ToolEntry.Repetition retry) {
        CallLimits values() {
            return new CallLimits(concurrency, rate, timeout, retry.policy());
        }
    }

    /** The command to start; empty for a server at an address. */
    public List<String> command() {
        return reached.command();
    }

    Upstream upstream() {
        var url = reached.url();
        var upstream = url == null ? Upstream.launch(name, command()) : Upstream.at(name, URI.create(url));
        var generation = Optional.ofNullable(offered.generation()).flatMap(Generation::named);
        var spoken = generation.map(upstream::generation).orElse(upstream);
        return (offered.prefix() == null ? spoken : spoken.prefix(offered.prefix()))
                .longTools(offered.longTools().toArray(String[]::new))
                .quickTools(offered.quickTools().toArray(String[]::new));
    }

    /**
     * The upstream of a gateway.
     *
     * @param env    the environment, with secrets
     * @param tokens of the callers of the gateway
     * @param logins of these at upstreams
     */
    Upstream made(Map<String, String> env, CallerTokens tokens, Logins logins) {
        var made = upstream()
                .choose(offered.chosen().include(), offered.chosen().exclude())
                .limits(limits.values());
        for (var header : reached.sent().texts().entrySet()) {
            made = withHeader(made, header.getKey(), header.getValue());
        }
        for (var header : reached.sent().secrets().entrySet()) {
            var secret = header.getValue().secret().apply(env);
            made = made.header(header.getKey(), () -> header.getValue().before() + secret.read());
        }
        for (var tool : offered.tools().entrySet()) {
            var fields = tool.getValue();
            var hints = fields.hints().entrySet().stream()
                    .collect(Collectors.toMap(hint -> hint.getKey() + "Hint", Map.Entry::getValue));
            made = made.describe(tool.getKey(), fields.rename(), fields.describe(), hints)
                    .limits(tool.getKey(), fields.limits().values());
        }
        made = offered.chosen().pin() ? made.pinned() : made;
        if (reached.auth().isPresent()) {
            var auth = reached.auth().get();
            var own = auth.isLogin()
                    ? made.loginCallers(logins.at(name, URI.create(String.valueOf(reached.url())), auth))
                    : made.authorize(auth.itself(env));
            made = auth.ofCallers(env, tokens).map(own::authorizeCallers).orElse(own);
        }
        return reached.url() == null ? inWorld(made, env) : made;
    }

    /** The text of a host's file has no places for values. */
    private Upstream withHeader(Upstream made, String header, String text) {
        var template = Template.parse(text);
        if (host != null) {
            return made.header(header, text);
        }
        return template.slots().isEmpty()
                ? made.header(header, template.fill(slot -> slot))
                : made.callerHeader(header, template);
    }

    private Upstream inWorld(Upstream made, Map<String, String> env) {
        var world = reached.world();
        var values = new HashMap<String, Callable<String>>();
        world.variables().fixed().forEach((variable, value) -> values.put(variable, () -> value));
        world.variables().secrets().forEach((variable, source) -> {
            var secret = source.in(env);
            values.put(variable, secret::read);
        });
        var placed = made.environment(values, world.variables().inherited());
        placed = world.cwd() == null ? placed : placed.folder(world.cwd());
        return world.idle() == null ? placed : placed.idle(world.idle());
    }

    /** Leaves out the values of variables and headers, which may be secret. */
    @Override
    public String toString() {
        return "UpstreamEntry[" + name + "]";
    }
}
