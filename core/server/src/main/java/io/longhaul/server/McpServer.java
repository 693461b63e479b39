// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Owner;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.receiver.admit.Receiver;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.server.internal.feature.FeatureRegistry;
import io.longhaul.server.internal.serving.CallerRates;
import io.longhaul.server.internal.serving.ServedTasks;
import io.longhaul.server.internal.serving.StoreProbe;
import io.longhaul.server.internal.tool.ToolWiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running MCP server: {@link #builder} defines the server, and {@link McpServerBuilder#serve} starts it. Thread-safe.
 *
 * <p>The tools, resources and prompts of a running server can change, from a handler too. Clients are notified of a
 * changed list: in sessions on a stream that the client keeps open, from 2026-07-28 on by a subscription.
 */
public final class McpServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(McpServerBuilder.class);

    final TaskEngine engine;
    private final Receiver receiver;
    private final FeatureRegistry registry;
    private final Features features;
    private final CallerRates rates;
    private final @Nullable TaskStore store;
    private final List<ServerTransport> transports = new CopyOnWriteArrayList<>();
    private final Guard changing = new Guard();
    private final Guard closing = new Guard();
    private final StoreProbe probe;
    private final ServedTasks tasks;
    private volatile boolean retired;
    private volatile boolean closed;

    private volatile Supplier<List<UpstreamStatistics>> upstreams = List::of;

    McpServer(
            TaskEngine engine,
            Receiver receiver,
            FeatureRegistry registry,
            CallerRates rates,
            @Nullable TaskStore store) {
        this.registry = registry;
        this.rates = rates;
        this.engine = engine;
        this.receiver = receiver;
        features = registry.features();
        this.store = store;
        probe = new StoreProbe(engine);
        tasks = ServedTasks.ofAll(engine, receiver.tasks());
    }

    /** Starts the definition of a server, with the name and version that its clients see. */
    public static McpServerBuilder builder(String name, String version) {
        return new McpServerBuilder(name, version);
    }

    /** Starts all transports; where one throws, the caller closes this server. */
    void start(List<ServerTransport> all, List<ServerMonitor> monitors) {
        Endpoint endpoint = receiver;
        for (var monitor : monitors) {
            endpoint = monitor.around(endpoint);
        }
        for (ServerTransport transport : all) {
            transports.add(transport);
            transport.start(endpoint);
            announce(transport);
        }
    }

    /**
     * Adds a tool at the end of the list. A long-running tool takes up the tasks of its name that an earlier process
     * has left, by its crash policy. After a start such tasks wait for their tool, by default for a minute
     * ({@link io.longhaul.engine.TaskLimits#offerGrace}), and then fail as interrupted.
     *
     * @throws IllegalArgumentException where the server has a tool of that name
     * @throws IllegalStateException    where the tool is long-running and the server has no store
     */
    public void addTool(Tool tool) {
        changing.run(() -> {
            FeatureRegistry.added(!hasTool(tool.name()), "tools are named", tool.name());
            replaceTool(tool);
        });
    }

    /**
     * Puts a tool in the place of the tool of its name, or {@linkplain #addTool adds} it where there is none. A caller
     * finds one of the two at any time. Calls and attempts of tasks that have begun go on as they were; a task that
     * begins another attempt, such as after an answer that it had been suspended for, begins the new tool.
     *
     * @throws IllegalStateException where the tool is long-running and the server has no store
     */
    public void replaceTool(Tool tool) {
        changeTools(List.of(tool), Set.of());
    }

    /**
     * {@linkplain #replaceTool Replaces} or adds some tools and {@linkplain #removeTool removes} others in one step, of
     * which clients are told once.
     *
     * @throws IllegalArgumentException where a tool does not fit the limits of the server or the other tools; then
     *     nothing changes
     * @throws IllegalStateException    where a tool is long-running and the server has no store
     */
    public void changeTools(List<Tool> put, Set<String> gone) {
        var served = put.stream()
                .map(tool -> ToolWiring.served(tool.spec, registry.interceptors()))
                .toList();
        changing.run(() -> {
            var names = Stream.concat(
                            features.tools().all().stream().map(ServedTool::name),
                            put.stream().map(Tool::name))
                    .filter(name -> !gone.contains(name))
                    .collect(Collectors.toSet());
            var works = put.stream()
                    .flatMap(tool -> ToolWiring.works(
                            tool.spec, names, features.tools(), engine.limits(), registry.interceptors()))
                    .toList();
            works.forEach(engine::offer);
            features.tools().change(served, gone);
        });
    }

    /**
     * Changes the limits for tasks, as far as {@link io.longhaul.engine.TaskEngine#limits(TaskLimits)} does, and for
     * the requests of each caller.
     */
    public void limits(TaskLimits tasks, Rates requests) {
        engine.limits(tasks);
        rates.set(requests);
    }

    /** Whether the server offers a tool of that name now. */
    public boolean hasTool(String name) {
        return features.tools().find(name).isPresent();
    }

    /**
     * Removes a tool from the list. Its calls and tasks that have begun go on, and its tasks can still be watched,
     * answered and cancelled. Tasks that run when the server stops need the tool again after the next start, see
     * {@link #addTool(Tool)}. False where there was no tool of that name.
     */
    public boolean removeTool(String name) {
        return features.tools().remove(name);
    }

    private static void announce(ServerTransport transport) {
        if (transport.authorizes()) {
            LOG.info("serving on {}: callers are told apart by their authorization", transport);
        } else if (transport.isLocal()) {
            LOG.info("serving on {}: every caller is the one local user", transport);
        } else {
            LOG.warn(
                    "serving on {} without authorization: any client that reaches it may call; the id of a task is"
                            + " the only key to it, and nothing is listed",
                    transport);
        }
    }

    /**
     * Adds a resource.
     *
     * @throws IllegalArgumentException where the server has a resource of that URI
     */
    public void addResource(Resource resource) {
        registry.add(resource.spec);
    }

    /** Puts a resource in the place of the resource of its URI, or adds it where there is none. */
    public void replaceResource(Resource resource) {
        registry.put(resource.spec);
    }

    /** Removes a resource. False where there was no resource of that URI. */
    public boolean removeResource(String uri) {
        return features.resources().remove(uri);
    }

    /**
     * Adds the resources of a template.
     *
     * @throws IllegalArgumentException where the server has the same template
     */
    public void addResourceTemplate(ResourceTemplate template) {
        registry.add(template.spec);
    }

    /** Puts the resources of a template in the place of those of the same template, or adds them. */
    public void replaceResourceTemplate(ResourceTemplate template) {
        registry.put(template.spec);
    }

    /** Removes the resources of a template. False where there was no such template. */
    public boolean removeResourceTemplate(String uriTemplate) {
        return features.templates().remove(uriTemplate);
    }

    /** Notifies the clients that have subscribed to a resource that its contents have changed. */
    public void notifyResourceUpdated(String uri) {
        features.updated(uri);
    }

    /**
     * Adds a prompt.
     *
     * @throws IllegalArgumentException where the server has a prompt of that name
     */
    public void addPrompt(Prompt prompt) {
        registry.add(prompt.spec);
    }

    /** Puts a prompt in the place of the prompt of its name, or adds it where there is none. */
    public void replacePrompt(Prompt prompt) {
        registry.put(prompt.spec);
    }

    /** Removes a prompt. False where there was no prompt of that name. */
    public boolean removePrompt(String name) {
        return features.prompts().remove(name);
    }

    /**
     * Reports that the person has done what an {@link ElicitUrlRequest} asked for. A client of 2025-11-25 that got this
     * request and keeps a stream open is notified. A client of 2026-07-28 calls again without a notification.
     */
    public void notifyElicitationComplete(String elicitationId) {
        features.elicitationCompleted(elicitationId);
    }

    /**
     * Sends a text to every other running server of the same store ({@link McpServerBuilder#onToldByNode}), usually
     * within a quarter of a second. The text is only a hint: a text is lost while the store fails, or where its
     * receiver dies.
     */
    public void tellOtherNodes(String text) {
        receiver.tellApplication(text);
    }

    /**
     * Operations on the tasks of all owners, for the application itself: to list, start, watch, answer, cancel and
     * delete.
     */
    public ServerTasks tasks() {
        return tasks;
    }

    /** The operations of {@link #tasks()} on the tasks of one owner. */
    public ServerTasks tasks(Owner owner) {
        return tasks.of(owner);
    }

    /**
     * Whether the server can take work: it is not closing, and its store accepts writes, which a small write proves.
     * Meant for an orchestrator that asks every few seconds; the answer may be a second old. Returns within two
     * seconds.
     */
    public Readiness readiness() {
        var reasons = new ArrayList<String>();
        if (retired) {
            reasons.add("the server is shutting down");
        } else if (store != null) {
            switch (engine.standing()) {
                case HELD, VOID -> probe.trouble(StoreProbe.PATIENCE).ifPresent(reasons::add);
                case DRAINING -> reasons.add("this node is drained");
                case REPLACED -> reasons.add("another process runs under the name of this node");
            }
        }
        return reasons.isEmpty() ? new Readiness.Ready() : new Readiness.NotReady(reasons);
    }

    /**
     * Counts of tasks, sessions and connections at this moment. A call looks at each live task: make one every few
     * seconds at most.
     */
    public ServerStatistics statistics() {
        var open = transports.stream().map(ServerTransport::load).reduce(TransportLoad.NONE, TransportLoad::and);
        return new ServerStatistics(
                engine.time().now(), engine.statistics(), receiver.sessions(), open, upstreams.get());
    }

    /** Has {@link #statistics} tell of the servers behind this one. */
    public void countUpstreams(Supplier<List<UpstreamStatistics>> counted) {
        upstreams = counted;
    }

    /** Blocks until every transport has ended: stdio at the end of its input, HTTP when the server is closed. */
    public void awaitEnd() throws InterruptedException {
        for (ServerTransport transport : List.copyOf(transports)) {
            transport.awaitEnd();
        }
    }

    /**
     * Announces the end of the server: {@link #readiness} is not ready from now on, so that a balancer sends requests
     * elsewhere. The server goes on serving until {@link #close}.
     */
    public void retire() {
        retired = true;
    }

    /**
     * Stops the server: new requests are refused, quick calls and the work of tasks may end within the grace
     * ({@link io.longhaul.engine.TaskLimits#handBackGrace}), open streams end, running tasks are handed back so that
     * the next start takes them up again, and the store is closed. A second call waits for the first.
     */
    @Override
    public void close() {
        retire();
        closing.run(() -> {
            if (!closed) {
                closed = true;
                end();
            }
        });
    }

    private void end() {
        tasks.close();
        engine.beginClose();
        var left = receiver.finish(engine.limits().handBackGrace());
        receiver.close();
        transports.forEach(ServerTransport::close);
        engine.close(left);
        if (store != null) {
            store.close();
        }
    }
}
