// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.feature;

import io.longhaul.gateway.call.ForwardedFeatures;
import io.longhaul.gateway.call.LongTool;
import io.longhaul.gateway.call.QuickTool;
import io.longhaul.gateway.call.UpstreamCall;
import io.longhaul.gateway.limit.CallLimits;
import io.longhaul.gateway.link.Link;
import io.longhaul.gateway.link.Listing;
import io.longhaul.gateway.link.Listing.ListedTool;
import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.receiver.feature.UriTemplate;
import io.longhaul.server.ArgumentCompleter;
import io.longhaul.server.LongRunning;
import io.longhaul.server.Prompt;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Tool;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All features that a gateway serves from its upstreams. Not thread-safe. */
public final class ServedFeatures {

    private static final Logger LOG = LoggerFactory.getLogger(ServedFeatures.class);

    private final Map<String, Link> links;
    private final Map<String, String> owners;
    private final Set<List<String>> unknown = new HashSet<>();
    private final Map<String, UpstreamCall> attempts = new ConcurrentHashMap<>();
    private final FeatureTable<ServedTool> tools;
    private final FeatureTable<Json> resources = new FeatureTable<>("resource", ServedNames::ofAddress, Set.of());
    private final FeatureTable<Completed> templates = new FeatureTable<>("template", ServedNames::ofAddress, Set.of());
    private final FeatureTable<Completed> prompts = new FeatureTable<>("prompt", ServedNames::of, Set.of());

    /**
     * A tool.
     *
     * @param isLong     whether its calls are tasks here
     * @param isTaskOnly whether callers that take no task are refused
     * @param asksFirst  whether its server may ask before the call has a task
     * @param limits     of its calls
     */
    private record ServedTool(
            Json definition, boolean isLong, boolean isTaskOnly, boolean asksFirst, CallLimits limits) {
        void apply(LongRunning options) {
            Optional.ofNullable(limits.concurrency()).ifPresent(options::concurrency);
            Optional.ofNullable(limits.rate()).ifPresent(options::rate);
            Optional.ofNullable(limits.timeout()).ifPresent(options::timeout);
            if (isTaskOnly) {
                options.taskOnly();
            }
            if (asksFirst) {
                options.mayAskFirst();
            }
        }
    }

    /** Something with arguments that the upstream may complete. */
    private record Completed(Json definition, boolean completions) {}

    /**
     * @param owners   gets the name of the upstream of each tool, before the tool is served
     * @param reserved names of tools that belong to no upstream
     */
    public ServedFeatures(Map<String, Link> links, Map<String, String> owners, Set<String> reserved) {
        this.links = links;
        this.owners = owners;
        tools = new FeatureTable<>("tool", ServedNames::ofTool, reserved);
    }

    /**
     * Serves exactly what an upstream lists now.
     *
     * @return whether a name is free from now on, for which a feature of another upstream may have waited
     */
    public boolean update(UpstreamServer upstream, Listing listing, FeatureOutlet place) {
        warnOfUnknown(upstream, listing);
        var offered = upstream.offer().of(listing);
        var passed = new ForwardedFeatures(links.get(upstream.name()));
        boolean isFree = tools.update(
                upstream,
                mapped(offered.tools(), (own, tool) -> served(upstream, own, tool, listing.asksFirst())),
                new Adding<>(place.tools(), this::tool));
        isFree |= resources.update(
                upstream,
                listing.resources(),
                new Adding<>(place.resources(), (uri, it) -> Resource.listed(it.definition(), passed.resource())));
        isFree |= templates.update(
                upstream,
                mapped(listing.templates(), (own, template) -> new Completed(template, listing.completions())),
                new Adding<>(place.templates(), (template, it) -> template(passed, template, it.definition())));
        isFree |= prompts.update(
                upstream,
                mapped(listing.prompts(), (own, prompt) -> new Completed(prompt, listing.completions())),
                new Adding<>(place.prompts(), (name, it) -> prompt(passed, name, it)));
        return isFree;
    }

    /** Tells once of each tool that the deployer names, and that the server does not list. */
    private void warnOfUnknown(UpstreamServer upstream, Listing listing) {
        upstream.offer()
                .namedTools()
                .filter(name -> !listing.tools().containsKey(name) && unknown.add(List.of(upstream.name(), name)))
                .forEach(name -> LOG.warn(
                        "upstream {} has no tool {}, which its entry names; its tools are {}",
                        upstream.name(),
                        name,
                        listing.tools().keySet()));
    }

    /** Leaves names of tools to others; the tools that had them get other names with the next update. */
    public void reserve(Set<String> names) {
        tools.reserve(names);
    }

    public int tools() {
        return tools.count();
    }

    /** The number of tools of one upstream. */
    public int tools(String upstream) {
        return tools.count(upstream);
    }

    /** The upstream of a resource that is listed, or that a template matches. */
    public Optional<String> ownerOf(String uri) {
        return resources
                .find(uri)
                .map(FeatureTable.Thing::upstream)
                .or(() -> ofTemplate(uri))
                .map(UpstreamServer::name);
    }

    private Optional<UpstreamServer> ofTemplate(String uri) {
        return templates
                .first(template -> UriTemplate.of(template).match(uri).isPresent())
                .map(FeatureTable.Thing::upstream);
    }

    private static ServedTool served(UpstreamServer upstream, String own, ListedTool tool, boolean asksFirst) {
        return new ServedTool(
                tool.definition(),
                upstream.isLong(own, tool.mode()),
                upstream.isTaskOnly(own, tool.mode()),
                asksFirst,
                upstream.bounds().of(own));
    }

    private Tool tool(String name, FeatureTable.Thing<ServedTool> it) {
        var link = links.get(it.upstream().name());
        owners.put(name, it.upstream().name());
        var definition = it.definition().definition();
        if (it.definition().isTaskOnly()) {
            LOG.info(
                    "tool {} of {} is closed to clients that know no tasks, which most hosts are: long: [{}] in the"
                            + " entry of the server opens it to every host",
                    name,
                    it.upstream(),
                    it.own());
        }
        var listed = Tool.define(name).listed(definition);
        boolean repeats = ClientReader.repeats(JsonTree.read(definition));
        return it.definition().isLong()
                ? listed.longRunning(it.definition()::apply)
                        .backend(new LongTool(links, it.upstream(), it.own(), repeats, attempts))
                : listed.forward(new QuickTool(link, it.own(), repeats));
    }

    private static ResourceTemplate template(ForwardedFeatures passed, String template, Completed it) {
        return ResourceTemplate.listed(
                it.definition(),
                passed.resource(),
                completer(it, variable -> passed.templateVariable(template, variable)));
    }

    private static Prompt prompt(ForwardedFeatures passed, String name, FeatureTable.Thing<Completed> it) {
        var own = it.own();
        return Prompt.listed(
                name,
                it.definition().definition(),
                passed.prompt(own),
                completer(it.definition(), argument -> passed.promptArgument(own, argument)));
    }

    private static Function<String, @Nullable ArgumentCompleter> completer(
            Completed it, Function<String, ArgumentCompleter> of) {
        return name -> it.completions() ? of.apply(name) : null;
    }

    /** @param making makes a feature of a server, of a name, from a listed one */
    private record Adding<D, T>(FeatureOutlet.Kind<T> kind, BiFunction<String, FeatureTable.Thing<D>, T> making)
            implements FeatureTable.Outlet<D> {
        @Override
        public void add(String name, FeatureTable.Thing<D> thing) {
            kind.add().accept(making.apply(name, thing));
        }

        @Override
        public void replace(String name, FeatureTable.Thing<D> thing) {
            kind.replace().accept(making.apply(name, thing));
        }

        @Override
        public void remove(String name) {
            kind.remove().accept(name);
        }
    }

    private static <A, B> SequencedMap<String, B> mapped(
            SequencedMap<String, A> listed, BiFunction<String, A, B> mapping) {
        var mapped = new LinkedHashMap<String, B>();
        listed.forEach((own, value) -> mapped.put(own, mapping.apply(own, value)));
        return mapped;
    }
}
