// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Payload;
import io.longhaul.gateway.feature.FeatureOutlet;
import io.longhaul.gateway.feature.ServedFeatures;
import io.longhaul.gateway.link.Link;
import io.longhaul.gateway.link.Listing;
import io.longhaul.gateway.link.ResourceWatches;
import io.longhaul.gateway.link.ToolPins;
import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.UpstreamStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves what other MCP servers, of any generation, offer: clients of any generation get durable tasks for long tools,
 * and all other requests pass through.
 *
 * <pre>{@code
 * var store = SqliteTaskStore.at(Path.of("gateway.db"));
 * var tests = Upstream.at("tests", URI.create("http://127.0.0.1:9000/mcp")).longTools("run_tests");
 * var gateway = Gateway.to(store, tests);
 * McpServer server = gateway.serve(McpServer.builder("gateway", "1.0"), Http.onPort(8080));
 * }</pre>
 *
 * <p>Credentials of callers stay here: an upstream sees only the credentials of its {@link Upstream}. To an upstream,
 * all callers are one client, unless its calls have the rights of their callers. Thread-safe.
 */
public final class Gateway implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    /**
     * How long a start waits for upstreams that the store does not know, so that a client that lists the tools at once
     * finds those of quick upstreams.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final String SPACE = "upstream";

    private final TaskStore store;
    /** By name; written under {@link #changing}. */
    private final Map<String, Link> links = new ConcurrentHashMap<>();

    /** The links that the gateway has no longer, some of which are still used. */
    private final Set<Link> retired = ConcurrentHashMap.newKeySet();

    /** The names of the upstreams; read and written under {@link #changing}. */
    private List<String> order;

    /** The upstream of each tool that was ever served, by its name here: unfinished tasks outlive their tools. */
    private final Map<String, String> owners = new ConcurrentHashMap<>();

    private final Map<String, Listing> listings = new HashMap<>();
    private final ToolPins pins;
    private final ResourceWatches watches = new ResourceWatches(this::updated);

    /** Held while the served features change. */
    private final Guard changing = new Guard();

    private @Nullable Serving serving;

    /** The server, and its features from upstreams. */
    private record Serving(McpServer server, ServedFeatures offers) {}

    private Gateway(TaskStore store, List<Upstream> upstreams) {
        this.store = store;
        pins = new ToolPins(store.rows());
        order = upstreams.stream().map(Upstream::name).toList();
        for (var upstream : upstreams) {
            if (links.putIfAbsent(upstream.name(), link(upstream)) != null) {
                throw new IllegalArgumentException("two upstreams are named '" + upstream.name() + "'");
            }
        }
    }

    private Link link(Upstream upstream) {
        return new Link(upstream.server, heard(upstream.server));
    }

    private Link.Heard heard(UpstreamServer upstream) {
        return new Link.Heard() {
            @Override
            public void listing(Listing listing) {
                listed(upstream, listing);
                watches.retry(upstream);
            }

            @Override
            public void elicitationCompleted(String id) {
                serving().ifPresent(it -> it.server().notifyElicitationComplete(id));
            }
        };
    }

    /**
     * A gateway to some servers, in this order: of two tools with one name, the tool of the first server keeps the
     * name.
     *
     * @param store keeps the tasks, and the lists of upstreams, so that the gateway knows the tools of an upstream that
     *     is away at the start
     */
    public static Gateway to(TaskStore store, Upstream... upstreams) {
        return new Gateway(store, List.of(upstreams));
    }

    /**
     * Starts to serve, with what each upstream listed last; a new upstream has two seconds to answer. The tools of an
     * upstream that answers later join then, and clients are told. The server keeps its tasks in the store of this
     * gateway; close the server first, and then the gateway.
     */
    public McpServer serve(McpServerBuilder builder, ServerTransport first, ServerTransport... more) {
        links.keySet().forEach(name -> kept(name).ifPresent(listing -> listings.put(name, listing)));
        var unknown = links.values().stream()
                .filter(link -> !listings.containsKey(link.upstream().name()))
                .toList();
        links.values().forEach(Link::start);
        try {
            Link.awaitLooks(unknown, PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return changing.get(() -> {
            var offers = new ServedFeatures(links, owners, builder.toolNames());
            known((upstream, listing) -> offers.update(upstream, listing, FeatureOutlet.of(builder)));
            if (!links.isEmpty()) {
                builder.offersLater();
            }
            var started = builder.store(store)
                    .onResourceWatched(uri -> Thread.ofVirtual().start(() -> watch(uri)))
                    .serve(first, more);
            serving = new Serving(started, offers);
            started.countUpstreams(this::upstreams);
            return started;
        });
    }

    /**
     * Changes the upstreams of the running server. What was called at an upstream that goes, or is reached in another
     * way from now on, ends there.
     *
     * @param all      the upstreams from now on
     * @param kept     the names of those that stay as they are, with their connections
     * @param reserved names of tools that belong to no upstream
     */
    public void change(List<Upstream> all, Set<String> kept, Set<String> reserved) {
        changing.run(() -> {
            var on = Objects.requireNonNull(serving, "the gateway does not serve yet");
            var place = FeatureOutlet.of(on.server());
            on.offers().reserve(reserved);
            order = all.stream().map(Upstream::name).toList();
            for (var name : Set.copyOf(links.keySet())) {
                if (!kept.contains(name)) {
                    retire(name, all, on.offers(), place);
                }
            }
            for (var upstream : all) {
                if (!links.containsKey(upstream.name())) {
                    add(upstream);
                }
            }
            known((upstream, listing) -> on.offers().update(upstream, listing, place));
        });
    }

    /** Lets an upstream go. Its features stay where another one of its name serves them under the same names. */
    private void retire(String name, List<Upstream> next, ServedFeatures offers, FeatureOutlet place) {
        var link = Objects.requireNonNull(links.get(name));
        var successor =
                next.stream().filter(upstream -> upstream.name().equals(name)).findFirst();
        boolean isNamedSo = successor.isPresent()
                && successor.get().server.offer().isNamedAs(link.upstream().offer());
        if (!isNamedSo) {
            offers.update(UpstreamServer.of(name, link.upstream().address()), Listing.NONE, place);
        }
        if (successor.isEmpty()) {
            listings.remove(name);
        }
        links.remove(name);
        retired.removeIf(Link::isClosed);
        retired.add(link);
        link.retire();
    }

    private void add(Upstream upstream) {
        if (!listings.containsKey(upstream.name())) {
            kept(upstream.name()).ifPresent(listing -> listings.put(upstream.name(), listing));
        }
        var link = link(upstream);
        links.put(upstream.name(), link);
        link.start();
    }

    /**
     * Waits until each upstream was read, or was found away, for code that needs the tools of all upstreams at once.
     *
     * @return false where the limit came first
     */
    public boolean awaitUpstreams(Duration limit) throws InterruptedException {
        return Link.awaitLooks(links.values(), limit);
    }

    private Optional<Listing> kept(String upstream) {
        try {
            return store.rows()
                    .get(SPACE, upstream, Instant.EPOCH)
                    .map(row -> Listing.parse(Json.raw(row.value().bytes())));
        } catch (RuntimeException e) {
            LOG.warn("what upstream {} listed before cannot be read, and is read anew", upstream, e);
            return Optional.empty();
        }
    }

    private void listed(UpstreamServer upstream, Listing listing) {
        changing.run(() -> {
            var link = links.get(upstream.name());
            boolean isRetired = link == null || !link.upstream().equals(upstream);
            var before = listings.get(upstream.name());
            // What is held back may have been accepted at another node.
            if (isRetired
                    || listing.equals(before) && pins.held(upstream.name()).isEmpty()) {
                return;
            }
            if (before != null) {
                ToolPins.tell(upstream, before, listing);
            }
            store.rows()
                    .put(new StoredRow(
                            SPACE, upstream.name(), Payload.of(listing.toJson().bytes()), null));
            if (serving != null) {
                update(serving, upstream, pins.served(upstream, listing));
            }
            // At the end: a list that could not be stored or served counts as new at the next read.
            listings.put(upstream.name(), listing);
        });
    }

    /** Serves the changed list of an upstream, and of the others what has waited for a name that is free now. */
    private void update(Serving on, UpstreamServer upstream, Listing listing) {
        var place = FeatureOutlet.of(on.server());
        if (on.offers().update(upstream, listing, place)) {
            known((other, its) -> {
                if (!other.name().equals(upstream.name())) {
                    on.offers().update(other, its, place);
                }
            });
        }
    }

    /** The upstreams that have told their lists at some time, in their order. */
    private void known(BiConsumer<UpstreamServer, Listing> action) {
        order.forEach(name -> {
            var link = links.get(name);
            var listing = listings.get(name);
            if (link != null && listing != null) {
                action.accept(link.upstream(), pins.served(link.upstream(), listing));
            }
        });
    }

    private void watch(String uri) {
        serving()
                .flatMap(it -> changing.get(() -> it.offers().ownerOf(uri)))
                .map(links::get)
                .ifPresent(link -> watches.begin(uri, link));
    }

    private void updated(String uri) {
        serving().ifPresent(it -> it.server().notifyResourceUpdated(uri));
    }

    private Optional<Serving> serving() {
        return changing.get(() -> Optional.ofNullable(serving));
    }

    /** The name of the upstream that a tool is of, by its name here; empty where no upstream has listed it. */
    public Optional<String> upstreamOf(String tool) {
        return Optional.ofNullable(owners.get(tool));
    }

    /** The number of tools that are served now. */
    public int tools() {
        return changing.get(() -> serving == null ? 0 : serving.offers().tools());
    }

    /**
     * Accepts the changed definitions of a server that is {@linkplain Upstream#pinned() pinned}: they are served now.
     *
     * @return the tools whose definitions were held back
     * @throws IllegalArgumentException where there is no such server, or none that has told its lists
     */
    public List<String> accept(String upstream) {
        return changing.get(() -> {
            var link = links.get(upstream);
            var listing = listings.get(upstream);
            if (link == null || listing == null || serving == null) {
                throw new IllegalArgumentException("there is no such server, or it has told no tools yet");
            }
            var held = pins.held(upstream);
            pins.accept(link.upstream(), listing);
            update(serving, link.upstream(), listing);
            return held;
        });
    }

    /** How the servers are now, in their order. */
    public List<UpstreamStatistics> upstreams() {
        return changing.get(() -> order.stream()
                .flatMap(name -> Optional.ofNullable(links.get(name)).stream())
                .map(this::state)
                .toList());
    }

    private UpstreamStatistics state(Link link) {
        var name = link.upstream().name();
        var now = link.state();
        var calls = now.figures();
        return new UpstreamStatistics(
                name,
                now.standing().name().toLowerCase(Locale.ROOT),
                now.why(),
                new UpstreamStatistics.Offered(
                        now.version(), serving == null ? 0 : serving.offers().tools(name), pins.held(name)),
                new UpstreamStatistics.Calls(
                        calls.underWay(),
                        now.waiting(),
                        calls.calls(),
                        calls.errors(),
                        calls.median(),
                        calls.slowest()));
    }

    /** Ends the links. Tasks of upstreams go on, and the next gateway over the same store continues them. */
    @Override
    public void close() {
        links.values().forEach(Link::close);
        retired.forEach(Link::close);
    }
}
