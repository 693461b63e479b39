// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import io.longhaul.engine.TaskStatistics.InState;
import io.longhaul.engine.TaskStatistics.OfWork;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.TaskState;
import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.server.McpServer;
import io.longhaul.server.ServerMonitor;
import io.longhaul.server.ServerStatistics;
import io.longhaul.server.UpstreamStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one server, in a registry of Micrometer. Give them to
 * {@link io.longhaul.server.McpServerBuilder#monitor(ServerMonitor)} before the server starts. The names of metrics
 * begin with {@code longhaul.}; tags are names of tools, states and the like, never texts of callers. Use a registry
 * for one server only. Thread-safe.
 *
 * <p>Gauges count the live tasks at most once a second, however often they are read.
 */
public final class ServerMetrics implements ServerMonitor {

    /** The state of a task whose work is being stopped; the other states have the names of {@link TaskState}. */
    private static final String STOPPING = "stopping";

    private static final List<TaskState> LIVE = Arrays.stream(TaskState.values())
            .filter(state -> !state.isTerminal())
            .toList();

    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    private final MeterRegistry registry;
    private final TaskMeters tasks;
    private final CallMeters calls;
    private final Set<String> tools = ConcurrentHashMap.newKeySet();
    private final Set<String> upstreams = ConcurrentHashMap.newKeySet();
    private final Set<String> called = ConcurrentHashMap.newKeySet();
    private volatile @Nullable McpServer server;
    private volatile @Nullable Reading latest;

    /** The counts at a time of the registry's clock. */
    private record Reading(long at, ServerStatistics counted, Map<String, OfWork> works) {}

    /** Registers the meters of a server, each when there is something to measure. */
    public ServerMetrics(MeterRegistry registry) {
        this.registry = registry;
        tasks = new TaskMeters(registry, this::gauges);
        calls = new CallMeters(registry, this::isOffered);
    }

    @Override
    public TaskStore around(TaskStore store) {
        return new MeasuredStore(store, registry, tasks);
    }

    @Override
    public Optional<ServerObserver> observer() {
        return Optional.of(calls);
    }

    /**
     * Whether a tool has the name, also a removed tool, whose tasks may still run. Invented names never become tags.
     */
    private boolean isOffered(String tool) {
        var running = server;
        return tools.contains(tool)
                || called.contains(tool)
                || running != null && running.hasTool(tool) && called.add(tool);
    }

    @Override
    public void started(McpServer running) {
        server = running;
        gauge(Names.SLOTS, "Tasks that may run at once", now -> now.tasks().slots());
        gauge(Names.SLOTS_TAKEN, "Slots that are taken", now -> now.tasks().slotsTaken());
        gauge(Names.SESSIONS, "Sessions in memory", ServerStatistics::sessions);
        gauge(Names.CONNECTIONS, "Open connections", now -> now.open().connections());
        gauge(Names.STREAMS, "Open streams of events", now -> now.open().streams());
        running.statistics().tasks().works().forEach(work -> tasks.offer(work.work()));
    }

    /** The servers behind this one, as they were within the last second. A new one gets its meters. */
    List<UpstreamStatistics> upstreams() {
        var running = server;
        var all = running == null
                ? List.<UpstreamStatistics>of()
                : reading(running).counted().upstreams();
        all.stream().map(UpstreamStatistics::name).filter(upstreams::add).forEach(this::register);
        return all;
    }

    private void register(String upstream) {
        ofUpstream(Names.UPSTREAM_UP, "1 where the server behind can be called", upstream, it -> it.isThere() ? 1 : 0);
        ofUpstream(
                Names.UPSTREAM_TOOLS,
                "Tools of it that are served",
                upstream,
                it -> it.offered().tools());
        ofUpstream(
                Names.UPSTREAM_UNDER_WAY,
                "Calls of it under way",
                upstream,
                it -> it.calls().underWay());
        ofUpstream(
                Names.UPSTREAM_WAITING,
                "Calls of it that wait for their turn",
                upstream,
                it -> it.calls().waiting());
        counter(
                Names.UPSTREAM_CALLS,
                "Calls of it that have ended",
                upstream,
                it -> it.calls().ended());
        counter(
                Names.UPSTREAM_ERRORS,
                "Calls of it that ended with an error or without an answer",
                upstream,
                it -> it.calls().errors());
        time("0.5", upstream, it -> it.calls().median());
        time("0.99", upstream, it -> it.calls().slowest());
    }

    private void time(String quantile, String upstream, Function<UpstreamStatistics, Duration> value) {
        Gauge.builder(
                        Names.UPSTREAM_TIME,
                        this,
                        metrics -> metrics.of(upstream, it -> value.apply(it).toNanos() / 1e9))
                .description("Time of its last quick calls")
                .baseUnit("seconds")
                .tag(Names.UPSTREAM, upstream)
                .tag("quantile", quantile)
                .register(registry);
    }

    private void counter(String name, String description, String upstream, ToDoubleFunction<UpstreamStatistics> value) {
        FunctionCounter.builder(name, this, metrics -> metrics.of(upstream, value))
                .description(description)
                .tag(Names.UPSTREAM, upstream)
                .register(registry);
    }

    private void ofUpstream(
            String name, String description, String upstream, ToDoubleFunction<UpstreamStatistics> value) {
        Gauge.builder(name, this, metrics -> metrics.of(upstream, value))
                .description(description)
                .tag(Names.UPSTREAM, upstream)
                .register(registry);
    }

    private double of(String upstream, ToDoubleFunction<UpstreamStatistics> value) {
        return reading(now -> now.counted().upstreams().stream()
                .filter(one -> one.name().equals(upstream))
                .mapToDouble(value)
                .findFirst()
                .orElse(0));
    }

    private void gauge(String name, String description, ToDoubleFunction<ServerStatistics> value) {
        Gauge.builder(name, this, metrics -> metrics.reading(now -> value.applyAsDouble(now.counted())))
                .description(description)
                .register(registry);
    }

    /** Registers the gauges of a new tool. */
    private void gauges(String tool) {
        if (!tools.add(tool)) {
            return;
        }
        ofTool(Names.TASK_QUEUE, "Attempts that wait for a slot", tool, (work, now) -> work.queue());
        ofTool(Names.QUESTIONS, "Questions that wait for their answer", tool, (work, now) -> work.questions());
        for (var state : LIVE) {
            var name = state.name().toLowerCase(Locale.ROOT);
            ofState(Names.TASKS, "Tasks whose work has not ended", tool, name, (work, now) -> count(work, state));
            ofState(
                    Names.TASK_AGE,
                    "Age of the oldest task in seconds, counted from its creation; 0 where there is none",
                    tool,
                    name,
                    (work, now) -> age(work, state, now));
        }
        ofState(Names.TASKS, "Tasks whose work has not ended", tool, STOPPING, (work, now) -> stopping(work));
    }

    /** A figure of the tasks of one tool. */
    private interface Figure {
        double of(OfWork work, ServerStatistics now);
    }

    private void ofTool(String name, String description, String tool, Figure figure) {
        builder(name, description, tool, figure).register(registry);
    }

    private void ofState(String name, String description, String tool, String state, Figure figure) {
        builder(name, description, tool, figure).tag("state", state).register(registry);
    }

    private Gauge.Builder<ServerMetrics> builder(String name, String description, String tool, Figure figure) {
        ToDoubleFunction<ServerMetrics> value = metrics -> metrics.reading(now -> {
            var work = now.works().get(tool);
            return work == null ? 0 : figure.of(work, now.counted());
        });
        var unit = name.equals(Names.TASK_AGE) ? "seconds" : null;
        return Gauge.builder(name, this, value)
                .description(description)
                .baseUnit(unit)
                .tag(Names.TOOL, tool);
    }

    private static double count(OfWork work, TaskState state) {
        var standing = work.states().get(state);
        return standing == null ? 0 : standing.tasks();
    }

    private static double age(OfWork work, TaskState state, ServerStatistics now) {
        var standing = work.states().get(state);
        return standing == null
                ? 0
                : Math.max(0, Duration.between(standing.oldest(), now.at()).toMillis() / 1e3);
    }

    private static double stopping(OfWork work) {
        return work.states().entrySet().stream()
                .filter(entry -> entry.getKey().isTerminal())
                .map(Map.Entry::getValue)
                .mapToInt(InState::tasks)
                .sum();
    }

    private double reading(ToDoubleFunction<Reading> value) {
        var running = server;
        return running == null ? 0 : value.applyAsDouble(reading(running));
    }

    private Reading reading(McpServer running) {
        long now = registry.config().clock().monotonicTime();
        var known = latest;
        if (known != null && now - known.at() < FRESH) {
            return known;
        }
        var counted = running.statistics();
        var works = new ConcurrentHashMap<String, OfWork>();
        counted.tasks().works().forEach(work -> works.put(work.work(), work));
        var next = new Reading(now, counted, works);
        latest = next;
        return next;
    }
}
