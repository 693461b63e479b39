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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server. */
final class RunningServer implements McpServer {

    private static final Logger LOG = LoggerFactory.getLogger(McpServerBuilder.class);

    final TaskEngine engine;
    private final Receiver receiver;
    private final FeatureRegistry registry;
    private final Features features;
    private final CallerRates rates;
    private final @Nullable TaskStore store;
    private final List<ServerTransport> transports = new CopyOnWriteArrayList<>();
    private final ReentrantLock changing = new ReentrantLock();
    private final Guard closing = new Guard();
    private final StoreProbe probe;
    private final ServedTasks tasks;
    private volatile boolean retired;
    private volatile boolean closed;

    private volatile Supplier<List<UpstreamStatistics>> upstreams = List::of;

    RunningServer(
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

    @Override
    public void addTool(Tool tool) {
        changing.lock();
        try {
            FeatureRegistry.added(!hasTool(tool.name()), "tools are named", tool.name());
            replaceTool(tool);
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void replaceTool(Tool tool) {
        changeTools(List.of(tool), Set.of());
    }

    @Override
    public void changeTools(List<Tool> put, Set<String> gone) {
        var served = put.stream()
                .map(tool -> ToolWiring.served(tool.spec, registry.interceptors()))
                .toList();
        changing.lock();
        try {
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
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void limits(TaskLimits tasks, Rates requests) {
        engine.limits(tasks);
        rates.set(requests);
    }

    @Override
    public boolean hasTool(String name) {
        return features.tools().find(name).isPresent();
    }

    @Override
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

    @Override
    public void addResource(Resource resource) {
        registry.add(resource.spec);
    }

    @Override
    public void replaceResource(Resource resource) {
        registry.put(resource.spec);
    }

    @Override
    public boolean removeResource(String uri) {
        return features.resources().remove(uri);
    }

    @Override
    public void addResourceTemplate(ResourceTemplate template) {
        registry.add(template.spec);
    }

    @Override
    public void replaceResourceTemplate(ResourceTemplate template) {
        registry.put(template.spec);
    }

    @Override
    public boolean removeResourceTemplate(String uriTemplate) {
        return features.templates().remove(uriTemplate);
    }

    @Override
    public void notifyResourceUpdated(String uri) {
        features.updated(uri);
    }

    @Override
    public void addPrompt(Prompt prompt) {
        registry.add(prompt.spec);
    }

    @Override
    public void replacePrompt(Prompt prompt) {
        registry.put(prompt.spec);
    }

    @Override
    public boolean removePrompt(String name) {
        return features.prompts().remove(name);
    }

    @Override
    public void notifyElicitationComplete(String elicitationId) {
        features.elicitationCompleted(elicitationId);
    }

    @Override
    public void tellOtherNodes(String text) {
        receiver.tellApplication(text);
    }

    @Override
    public ServerTasks tasks() {
        return tasks;
    }

    @Override
    public ServerTasks tasks(Owner owner) {
        return tasks.of(owner);
    }

    @Override
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

    @Override
    public ServerStatistics statistics() {
        var open = transports.stream().map(ServerTransport::load).reduce(TransportLoad.NONE, TransportLoad::and);
        return new ServerStatistics(
                engine.time().now(), engine.statistics(), receiver.sessions(), open, upstreams.get());
    }

    @Override
    public void countUpstreams(Supplier<List<UpstreamStatistics>> counted) {
        upstreams = counted;
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        for (ServerTransport transport : List.copyOf(transports)) {
            transport.awaitEnd();
        }
    }

    @Override
    public void retire() {
        retired = true;
    }

    /** A second caller waits for the first: when this method returns, the store is closed. */
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
