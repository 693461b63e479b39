// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.RandomTaskIds;
import io.longhaul.engine.SystemTime;
import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.RequestKind;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.receiver.Choices;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.Rounds;
import io.longhaul.receiver.ServerIdentity;
import io.longhaul.receiver.admit.Receiver;
import io.longhaul.receiver.ext.Extensions;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.observe.ObservedServer;
import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.receiver.task.ObservedTask;
import io.longhaul.receiver.task.Origin;
import io.longhaul.server.internal.call.Interceptors;
import io.longhaul.server.internal.codec.ContentCodec;
import io.longhaul.server.internal.feature.FeatureRegistry;
import io.longhaul.server.internal.schema.Values;
import io.longhaul.server.internal.serving.CallerRates;
import io.longhaul.server.internal.serving.NoTasks;
import io.longhaul.server.internal.tool.ToolSpec;
import io.longhaul.server.internal.tool.ToolWiring;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Defines and starts an MCP server: its tools, resources and prompts, its store and its limits, see
 * {@link McpServer#builder}. Not thread-safe.
 */
public final class McpServerBuilder {

    private final Map<String, String> self = new LinkedHashMap<>();
    private List<Icon> icons = List.of();
    final Map<String, Tool> tools = new LinkedHashMap<>();
    private final Features features = new Features();
    private final Interceptors interceptors = new Interceptors();
    private final FeatureRegistry registry = new FeatureRegistry(features, interceptors);
    WireLimits wireLimits = WireLimits.DEFAULT;
    TaskLimits taskLimits = TaskLimits.DEFAULT;
    Rounds rounds = Rounds.DEFAULT;
    PlainHosts plainHosts = PlainHosts.DEFAULT;
    Rates rates = Rates.NONE;

    /** "Extension identifiers MUST follow the _meta key naming rules, with a mandatory prefix." */
    private static final Pattern EXTENSION =
            Pattern.compile("([A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?)(\\.[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?)*"
                    + "/([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?");

    Freshness lists = Freshness.DEFAULT;
    final Map<String, Json> extensions = new LinkedHashMap<>();

    @Nullable
    String instructions;

    @Nullable
    TaskStore store;

    private @Nullable String node;
    private Predicate<String> runs = tool -> true;
    private @Nullable Backend leftJobs;

    @Nullable
    TaskTime time;

    private @Nullable CallerRates gate;

    private final List<ServerMonitor> monitors = new ArrayList<>();
    private Consumer<String> told = text -> {};

    /** The source of ids and keys; a test that replays a run sets another source. */
    RandomGenerator random = new SecureRandom();

    private final List<ServerObserver> observers = new ArrayList<>();
    private boolean served;

    McpServerBuilder(String name, String version) {
        self.put("name", name);
        self.put("version", version);
    }

    /** Sets the display name of the server, for clients of 2025-06-18 and newer. */
    public McpServerBuilder title(String title) {
        self.put("title", title);
        return this;
    }

    /** Sets the purpose of the server, in a sentence for people, for clients of 2025-11-25 and newer. */
    public McpServerBuilder description(String text) {
        self.put("description", text);
        return this;
    }

    /** Sets the website of the server, for clients of 2025-11-25 and newer. */
    public McpServerBuilder websiteUrl(URI address) {
        self.put("websiteUrl", address.toString());
        return this;
    }

    /** Sets the icons of the server, for clients of 2025-11-25 and newer. */
    public McpServerBuilder icons(Icon... pictures) {
        icons = List.of(pictures);
        return this;
    }

    /** Sets instructions for models about the server as a whole. */
    public McpServerBuilder instructions(String text) {
        instructions = text;
        return this;
    }

    /**
     * Adds a tool. Tools are listed in the order in which they are added.
     *
     * @throws IllegalArgumentException where the server has a tool of that name
     */
    public McpServerBuilder tool(Tool tool) {
        Tool other = tools.putIfAbsent(tool.name(), tool);
        if (other != null) {
            throw new IllegalArgumentException("two tools are named '" + tool.name() + "', " + other.origin() + " and "
                    + tool.origin() + ": give one another name");
        }
        return this;
    }

    /** The names of the tools so far, and of the companion tools, which no other tool should hide. */
    public Set<String> toolNames() {
        var names = new HashSet<>(tools.keySet());
        names.addAll(plainHosts.companionNames());
        return Set.copyOf(names);
    }

    /**
     * Adds the methods of these objects that are marked as tools, for each object in the order of their names, see
     * {@link Tool#allOf}.
     *
     * @throws IllegalArgumentException where a marked method cannot be a tool, with the class and the method
     */
    public McpServerBuilder toolsOf(Object... declaring) {
        for (Object one : declaring) {
            Tool.allOf(one).forEach(this::tool);
        }
        return this;
    }

    /**
     * Adds a resource. Resources are listed in the order in which they are added.
     *
     * @throws IllegalArgumentException where the server has a resource of that URI
     */
    public McpServerBuilder resource(Resource resource) {
        registry.add(resource.spec);
        return this;
    }

    /**
     * Adds resources that are not listed one by one. A URI that no single resource has belongs to the first template
     * that matches the URI.
     *
     * @throws IllegalArgumentException where the server has the same template
     */
    public McpServerBuilder resourceTemplate(ResourceTemplate template) {
        registry.add(template.spec);
        return this;
    }

    /**
     * Adds a prompt. Prompts are listed in the order in which they are added.
     *
     * @throws IllegalArgumentException where the server has a prompt of that name
     */
    public McpServerBuilder prompt(Prompt prompt) {
        registry.add(prompt.spec);
        return this;
    }

    /**
     * Declares tools with tasks, resources, prompts and completions to clients from the start, also where there are
     * none yet. So clients that have connected before see those that are added later.
     */
    public McpServerBuilder offersLater() {
        features.useAll();
        return this;
    }

    /**
     * Notifies {@code listener} of each resource that a client begins to watch, possibly more than once: only watched
     * resources need to be followed; see {@link McpServer#notifyResourceUpdated}. The listener must not block.
     */
    public McpServerBuilder onResourceWatched(Consumer<String> listener) {
        features.onWatched(listener);
        return this;
    }

    /** Sets how long a client may cache the lists of tools, resources and prompts; a minute by default. */
    public McpServerBuilder caching(Caching lists) {
        this.lists = new Freshness(lists.ttl(), lists.shared());
        return this;
    }

    /**
     * Announces an extension of the protocol.
     *
     * @param id       such as {@code com.example/feature}
     * @param settings the settings that clients get, written as a JSON object
     * @throws IllegalArgumentException where the id has another form, was announced before, or is an extension that
     *                                  Longhaul announces itself
     */
    public McpServerBuilder extension(String id, Map<String, ?> settings) {
        if (!EXTENSION.matcher(id).matches()) {
            throw new IllegalArgumentException("an extension is named like com.example/name, not '" + id + "'");
        }
        if (id.equals(Meta.TASKS_EXTENSION) || id.startsWith("io.longhaul/")) {
            throw new IllegalArgumentException("the extension '" + id + "' is announced by itself: leave it out");
        }
        if (extensions.putIfAbsent(id, Values.json(settings)) != null) {
            throw new IllegalArgumentException("the extension '" + id + "' is announced twice: leave one out");
        }
        return this;
    }

    /**
     * Follows the jobs of tools that the server does not offer any more, and keeps their outcomes. By default, tasks of
     * such tools fail.
     */
    public McpServerBuilder leftJobs(Backend backend) {
        leftJobs = backend;
        return this;
    }

    /**
     * Sets the name of this server among the servers that share its store. Each server needs a name of its own and
     * keeps the name over restarts, so that it takes up its own tasks at once. By default each start has a new name,
     * and takes up earlier tasks when the lease of its predecessor has lapsed, after 15 seconds. A server that has its
     * store alone needs no name.
     */
    public McpServerBuilder node(String name) {
        node = name;
        return this;
    }

    /**
     * Sets which tools this server runs among the servers that share its store, by their names; by default, all that it
     * has. The server takes calls of its other tools, too: the task of such a call begins at a server that runs the
     * tool. Calls without a task are run here.
     */
    public McpServerBuilder runs(Predicate<String> tool) {
        runs = tool;
        return this;
    }

    /**
     * Sets the store of tasks and sessions. Long-running tools need a store; the server closes the store at its end. A
     * store that was set before is closed.
     */
    public McpServerBuilder store(TaskStore store) {
        if (this.store != null && !this.store.equals(store) && !served) {
            this.store.close();
        }
        this.store = store;
        return this;
    }

    /**
     * Makes requests of these kinds durable tasks too, where their sender gives the task an id (SEP-1686). Calls of
     * long-running tools are tasks without this setting. Needs a store. The handler runs once: a task whose handler ran
     * when the server died fails as interrupted. By default such requests are answered like all others.
     */
    public McpServerBuilder tasksOf(RequestKind... kinds) {
        features.augment(Set.of(kinds));
        return this;
    }

    /** Sets the limits for the number, size and retention of tasks; {@link TaskLimits#DEFAULT} by default. */
    public McpServerBuilder limits(TaskLimits limits) {
        taskLimits = limits;
        return this;
    }

    /**
     * Sets the limits for the size and depth of messages, {@link WireLimits#DEFAULT} by default; transports have limits
     * of their own.
     */
    public McpServerBuilder wireLimits(WireLimits limits) {
        wireLimits = limits;
        return this;
    }

    /**
     * Sets how calls are answered in rounds: how long one key seals the state that clients carry, how many handlers of
     * clients of 2026-07-28 wait in memory for answers, how long a call with a resume token waits for the next part,
     * and how long such tokens are valid. The default is {@link Rounds#DEFAULT}. The store keeps each key a week longer
     * than the key seals, so that sealed state can be opened, also after a restart.
     */
    public McpServerBuilder rounds(Rounds rounds) {
        this.rounds = rounds;
        return this;
    }

    /**
     * Sets how calls of long-running tools are answered in hosts that know no tasks: how long a call is held open
     * before a result names its task, the companion tools with which the model goes on, and settings for single hosts.
     * The default is {@link PlainHosts#DEFAULT}.
     */
    public McpServerBuilder plainHosts(PlainHosts hosts) {
        plainHosts = hosts;
        return this;
    }

    /** Adds a monitor of the server, such as metrics. */
    public McpServerBuilder monitor(ServerMonitor monitor) {
        monitors.add(monitor);
        monitor.interceptor().ifPresent(interceptors::add);
        monitor.observer().ifPresent(observers::add);
        return this;
    }

    /**
     * Adds interceptors around the handlers of tools, resources and prompts. A call passes interceptors in the order in
     * which they are added.
     */
    public McpServerBuilder intercept(CallInterceptor... more) {
        List.of(more).forEach(interceptors::add);
        return this;
    }

    /** Adds observers of all that the server does for its callers, in every generation: for audit, metrics and logs. */
    public McpServerBuilder observer(ServerObserver... all) {
        observers.addAll(List.of(all));
        return this;
    }

    /**
     * Sets the listener for texts that this application sends at another node, see {@link McpServer#tellOtherNodes}.
     */
    public McpServerBuilder onToldByNode(Consumer<String> listener) {
        told = listener;
        return this;
    }

    /** Limits the requests of each caller; {@link Rates#NONE} by default. */
    public McpServerBuilder rates(Rates rates) {
        this.rates = rates;
        return this;
    }

    /** Sets the clock and alarms, for tests. */
    public McpServerBuilder time(TaskTime time) {
        this.time = time;
        return this;
    }

    /**
     * Starts the server, and returns when the first message can arrive. A builder starts one server. Where the server
     * cannot start, its store is closed, and another attempt needs another builder and another store.
     *
     * @throws IllegalStateException    where something is missing or the builder was used before, with a remedy
     * @throws IllegalArgumentException where a tool does not fit the limits of the server
     * @throws UncheckedIOException     where a transport cannot listen, such as at a port that is taken
     * @throws StoreException           where the store cannot be read
     */
    public McpServer serve(ServerTransport first, ServerTransport... more) {
        if (served) {
            throw new IllegalStateException("a builder starts one server, and this one has been used already: define"
                    + " another one, with a store that is open");
        }
        var transports = new ArrayList<>(List.of(first));
        transports.addAll(List.of(more));
        RunningServer serving = serving();
        try {
            serving.start(transports, monitors);
            monitors.forEach(monitor -> monitor.started(serving));
            return serving;
        } catch (RuntimeException | Error e) {
            serving.close();
            throw e;
        }
    }

    private RunningServer serving() {
        var owned = store;
        served = owned != null;
        try {
            RunningServer made = wired();
            served = true;
            return made;
        } catch (RuntimeException | Error e) {
            if (owned != null) {
                owned.close();
            }
            throw e;
        }
    }

    private RunningServer wired() {
        TaskTime clock = time == null ? new SystemTime() : time;
        tools.values().forEach(tool -> features.tools().add(ToolWiring.served(tool.spec, interceptors)));
        for (var monitor : monitors) {
            store = store == null ? null : monitor.around(store);
        }
        var observing = new ObservedServer(observers, clock::now);
        TaskEngine engine = engine(clock, observing);
        try {
            return new RunningServer(engine, receiver(engine, observing), registry, gate(), store);
        } catch (RuntimeException | Error e) {
            engine.close();
            throw e;
        }
    }

    /** Creates the receiver of messages; a test creates several receivers over one engine. */
    Receiver receiver(TaskEngine engine, ObservedServer observing) {
        var identity = new ServerIdentity(implementation(), instructions, lists, extensions);
        var choices = new Choices(wireLimits, rounds, plainHosts, gate());
        var settings = new Receiver.Settings(choices, Extensions.all(), observing, told);
        return new Receiver(engine, features, identity, settings, random);
    }

    private CallerRates gate() {
        if (gate == null) {
            gate = CallerRates.of(rates, time);
        }
        return gate;
    }

    private Json implementation() {
        var out = new JsonWriter().beginObject();
        self.forEach((word, text) -> out.name(word).string(text));
        ContentCodec.icons(icons, out);
        return out.endObject().toJson();
    }

    private TaskEngine engine(TaskTime clock, ObservedServer observing) {
        var lasting = tools.values().stream()
                .map(tool -> tool.spec)
                .filter(ToolSpec::isLongRunning)
                .toList();
        if (store == null) {
            if (!lasting.isEmpty()) {
                throw NoTasks.needsStore(lasting.getFirst().name());
            }
            if (!features.augmented().isEmpty()) {
                throw new IllegalStateException("tasksOf(...) makes tasks of requests, and there is no store to keep"
                        + " them: add .store(...), such as a SqliteTaskStore");
            }
            return new NoTasks(clock, taskLimits);
        }
        var builder = DurableEngine.builder();
        if (node != null) {
            builder.node(node);
        }
        if (leftJobs != null) {
            builder.leftJobs(leftJobs);
        }
        return builder.store(store)
                .runs(runs)
                .time(clock)
                .ids(new RandomTaskIds(random))
                .limits(taskLimits)
                .shares(spec -> Origin.share(spec.owner(), spec.source()))
                .calls(task -> observing.tell(() -> ObservedTask.called(task)))
                .ends(task -> observing.tell(() -> ObservedTask.ended(task)))
                .works(Stream.concat(
                                lasting.stream()
                                        .flatMap(tool -> ToolWiring.works(
                                                tool, tools.keySet(), features.tools(), taskLimits, interceptors)),
                                Extensions.all().stream().flatMap(extension -> extension.works(features).stream()))
                        .toList())
                .start();
    }
}
