// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.client.ServerAddress;
import io.longhaul.engine.run.Template;
import io.longhaul.gateway.caller.CallerLogin;
import io.longhaul.gateway.caller.CallerRights;
import io.longhaul.gateway.limit.CallLimits;
import io.longhaul.gateway.link.Offer;
import io.longhaul.gateway.link.Offer.NamedTools;
import io.longhaul.gateway.link.ProcessWorld;
import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.gateway.link.UpstreamServer.Bounds;
import io.longhaul.gateway.link.UpstreamServer.Reach;
import io.longhaul.protocol.Require;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.transport.client.Authorization;
import io.longhaul.transport.ClientHttp;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
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
        Require.that(ClientHttp.isOfServer(url), "the upstream '" + name + "' needs an address of http or https");
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
        Require.that(!command.isEmpty(), "the upstream '" + name + "' needs a command");
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
        var offer = server.offer();
        return with(new Offer(text, offer.named(), offer.choice(), offer.words(), offer.pinned()));
    }

    /**
     * Makes calls of these tools durable tasks, in addition to the tools that the server itself runs as tasks. A tool
     * that its server runs only as tasks refuses callers without tasks here, too; naming the tool here admits them.
     */
    public Upstream longTools(String... tools) {
        var named = server.offer().named();
        return with(new NamedTools(and(named.asLong(), tools), named.asQuick()));
    }

    /** Has calls of these tools pass through, whatever the server declares, unless it runs them only as tasks. */
    public Upstream quickTools(String... tools) {
        var named = server.offer().named();
        return with(new NamedTools(named.asLong(), and(named.asQuick(), tools)));
    }

    private Upstream with(NamedTools named) {
        var offer = server.offer();
        return with(new Offer(offer.prefix(), named, offer.choice(), offer.words(), offer.pinned()));
    }

    /**
     * Offers only some of its tools.
     *
     * @param include the tools, where {@code *} stands for any text; none for all
     * @param exclude the tools of these that are not offered
     */
    public Upstream choose(List<String> include, List<String> exclude) {
        var offer = server.offer();
        var choice = new Offer.Choice(List.copyOf(include), List.copyOf(exclude));
        return with(new Offer(offer.prefix(), offer.named(), choice, offer.words(), offer.pinned()));
    }

    /**
     * Offers a tool in other words.
     *
     * @param tool        by its own name
     * @param served      the name, without a prefix; null for its own
     * @param description for the model; null for that of the server
     * @param hints       by their names in the protocol, such as {@code readOnlyHint}; those of the server else
     */
    public Upstream describe(
            String tool, @Nullable String served, @Nullable String description, Map<String, Boolean> hints) {
        var offer = server.offer();
        var words = new TreeMap<>(offer.words());
        words.put(tool, new Offer.ToolWords(served, description, Map.copyOf(hints)));
        return with(new Offer(offer.prefix(), offer.named(), offer.choice(), words, offer.pinned()));
    }

    /**
     * Holds back each change of the definition of a tool, and each new tool, until {@link Gateway#accept} accepts it.
     */
    public Upstream pinned() {
        var offer = server.offer();
        return with(new Offer(offer.prefix(), offer.named(), offer.choice(), offer.words(), true));
    }

    private Upstream with(Offer offer) {
        return new Upstream(
                new UpstreamServer(server.name(), server.address(), offer, server.reach(), server.bounds()));
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
        more.putAll(server.reach().headers());
        more.put(headerName, value);
        var reach = server.reach();
        return with(new Reach(Collections.unmodifiableMap(more), reach.generation(), reach.world(), reach.rights()));
    }

    /**
     * Sends a header with values of the caller in the requests of each call: {@code {caller.subject}},
     * {@code {caller.issuer}}, {@code {caller.client}} and {@code {caller.scopes}}, as the server of the gateway has
     * verified them. A caller that lacks one is refused. Requests of the gateway itself do not have the header.
     */
    public Upstream callerHeader(String headerName, Template value) {
        var rights = server.reach().rights();
        var more = new TreeMap<String, Template>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(rights.headers());
        more.put(headerName, value);
        return with(new CallerRights(more, rights.own(), rights.ofCaller(), rights.logins()));
    }

    /** Authorizes the gateway at a server at an address. */
    public Upstream authorize(Authorization own) {
        var rights = server.reach().rights();
        return with(new CallerRights(rights.headers(), own, rights.ofCaller(), rights.logins()));
    }

    /**
     * Authorizes each call at a server at an address in the name of its caller. Only the gateway's own requests, such
     * as for lists, then have the authorization of {@link #authorize}.
     *
     * @param ofCaller throws an {@link IllegalArgumentException} for a caller that is refused
     */
    public Upstream authorizeCallers(Function<CallerInfo, Authorization> ofCaller) {
        var rights = server.reach().rights();
        return with(new CallerRights(rights.headers(), rights.own(), ofCaller, null));
    }

    /**
     * Authorizes each call at a server at an address by a login of its caller there. A call of a caller who has not
     * logged in asks for that, by the address of a page.
     *
     * @param logins throws an {@link IllegalArgumentException} for a caller that is refused
     */
    public Upstream loginCallers(Function<CallerInfo, CallerLogin> logins) {
        var rights = server.reach().rights();
        return with(new CallerRights(
                rights.headers(), rights.own(), caller -> logins.apply(caller).authorization(), logins));
    }

    private Upstream with(CallerRights rights) {
        var reach = server.reach();
        return with(new Reach(reach.headers(), reach.generation(), reach.world(), rights));
    }

    /** Speaks only this generation with the server; by default the newest revision that the server speaks. */
    public Upstream generation(Generation only) {
        var reach = server.reach();
        return with(new Reach(reach.headers(), only, reach.world(), reach.rights()));
    }

    /**
     * Sets the environment of a server that the gateway starts. By default it has those variables of the gateway that
     * each process needs, such as PATH and HOME, and no others.
     *
     * @param variables read at each start; while one cannot be read, the server counts as away
     * @param inherited names of further variables of the gateway; {@code *} for all but those of Longhaul
     */
    public Upstream environment(Map<String, Callable<String>> variables, List<String> inherited) {
        var world = server.reach().world();
        return with(new ProcessWorld(Map.copyOf(variables), List.copyOf(inherited), world.folder(), world.idle()));
    }

    /** Runs a server that the gateway starts in this folder; by default in that of the gateway. */
    public Upstream folder(Path path) {
        var world = server.reach().world();
        return with(new ProcessWorld(world.variables(), world.inherited(), path, world.idle()));
    }

    /** Ends a server that the gateway has started after this time without a call; the next call starts it again. */
    public Upstream idle(Duration time) {
        var world = server.reach().world();
        return with(new ProcessWorld(world.variables(), world.inherited(), world.folder(), time));
    }

    private Upstream with(ProcessWorld world) {
        var reach = server.reach();
        return with(new Reach(reach.headers(), reach.generation(), world, reach.rights()));
    }

    private Upstream with(Reach reach) {
        return new Upstream(
                new UpstreamServer(server.name(), server.address(), server.offer(), reach, server.bounds()));
    }

    /** Limits all calls of the server. */
    public Upstream limits(CallLimits limits) {
        return with(new Bounds(limits, server.bounds().tools()));
    }

    /** Limits the calls of a tool; its timeout and its retries replace those of all calls. */
    public Upstream limits(String tool, CallLimits limits) {
        var tools = new TreeMap<>(server.bounds().tools());
        tools.put(tool, limits);
        return with(new Bounds(server.bounds().all(), tools));
    }

    private Upstream with(Bounds bounds) {
        return new Upstream(
                new UpstreamServer(server.name(), server.address(), server.offer(), server.reach(), bounds));
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
