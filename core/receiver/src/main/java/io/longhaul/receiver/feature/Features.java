// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Subscription;
import io.longhaul.protocol.call.CallResponse.Offer;
import io.longhaul.protocol.call.CallResponse.Resources;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.RequestKind;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.tool.ServedTool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a server offers at this moment. Watchers are told of changes. Thread-safe. */
public final class Features {

    /** How many resources one stream or session may watch, and how many tasks one stream. */
    public static final int WATCHED = 100;

    private final Catalog<ServedTool> tools = new Catalog<>("tool", ServedTool::name, this::toolsChanged);
    private final Catalog<ServedResource> resources =
            new Catalog<>("resource", ServedResource::uri, () -> changed(new Notice.ResourcesChanged()));
    private final Catalog<ServedTemplate> templates =
            new Catalog<>("template", served -> served.template().text(), () -> changed(new Notice.ResourcesChanged()));
    private final Catalog<ServedPrompt> prompts =
            new Catalog<>("prompt", ServedPrompt::name, () -> changed(new Notice.PromptsChanged()));
    private final List<Consumer<Notice>> watchers = new CopyOnWriteArrayList<>();
    private volatile Consumer<String> watched = uri -> {};
    private volatile boolean longRunning;
    private volatile boolean completing;
    private volatile Set<RequestKind> augmented = Set.of();
    private volatile @Nullable ListMarks marks;

    public Catalog<ServedTool> tools() {
        return tools;
    }

    public Catalog<ServedResource> resources() {
        return resources;
    }

    public Catalog<ServedTemplate> templates() {
        return templates;
    }

    public Catalog<ServedPrompt> prompts() {
        return prompts;
    }

    /** Whether there is or was any resource, or any kind of task: the output and log of tasks are read as resources. */
    public boolean hasResources() {
        return hasWatchable() || longRunning || !augmented.isEmpty();
    }

    /** Whether there is or was any resource whose changes can be told. */
    private boolean hasWatchable() {
        return resources.isUsed() || templates.isUsed();
    }

    /** Whether any prompt or template now has a completer, or can get one. */
    public boolean hasCompletions() {
        return completing
                || prompts.all().stream()
                        .anyMatch(prompt -> !prompt.completers().isEmpty())
                || templates.all().stream()
                        .anyMatch(template -> !template.completers().isEmpty());
    }

    /** Whether there is, was or can come a tool whose calls are tasks. */
    public boolean hasTasks() {
        return longRunning;
    }

    /** Has the server offer tools with tasks, resources, prompts and completions, even while it has none. */
    public void useAll() {
        tools.use();
        resources.use();
        prompts.use();
        longRunning = true;
        completing = true;
    }

    /** Lets requests of these kinds be tasks where their sender asks for that. Call this before the server serves. */
    public void augment(Set<RequestKind> kinds) {
        augmented = Set.copyOf(kinds);
    }

    /** The kinds of requests, other than calls of long-running tools, that can be tasks. */
    public Set<RequestKind> augmented() {
        return augmented;
    }

    /** "Receivers that support task augmentation MAY choose which request types support tasks." */
    public boolean mayBeTask(Call.Interactive call) {
        return augmented.contains(RequestKind.of(call));
    }

    /** Tells watchers that the contents of a resource have changed. */
    public void updated(String uri) {
        changed(new Notice.ResourceUpdated(uri));
    }

    /** Adds a listener that is told, often more than once, of each resource that a client begins to watch. */
    public void onWatched(Consumer<String> listener) {
        watched = watched.andThen(listener);
    }

    /** Tells the listener that a client of a session begins to watch a resource. */
    public void watched(String uri) {
        watched.accept(uri);
    }

    /** Tells watchers that a person has completed an elicitation at a web address. */
    public void elicitationCompleted(String elicitationId) {
        changed(new Notice.ElicitationCompleted(elicitationId));
    }

    /** The resource with this URI: a listed one, else the resource of the first template that matches the URI. */
    public Optional<ReadableResource> resource(String uri) {
        var own = resources.find(uri);
        if (own.isPresent()) {
            return own.map(it -> new ReadableResource(it.scopes(), it.fresh(), it.reader(), Map.of()));
        }
        return templates.all().stream()
                .flatMap(served -> served.template().match(uri).stream()
                        .map(values -> new ReadableResource(served.scopes(), served.fresh(), served.reader(), values)))
                .findFirst();
    }

    /**
     * How a resource is read.
     *
     * @param scopes    that a message needs, where scopes are told apart
     * @param fresh     how long the contents may be cached
     * @param reader    gives the contents
     * @param variables the variables of its template
     */
    public record ReadableResource(
            Set<String> scopes, Freshness fresh, ResourceReader reader, Map<String, String> variables) {}

    public ListMarks marks() {
        ListMarks known = marks;
        if (known == null) {
            known = ListMarks.of(this);
            marks = known;
        }
        return known;
    }

    /** Has every later change told to {@code watcher}, which must not block. */
    public void watch(Consumer<Notice> watcher) {
        watchers.add(watcher);
    }

    private void toolsChanged() {
        longRunning |= tools.all().stream().anyMatch(tool -> tool.kind() instanceof ServedTool.Kind.LongRunning);
        changed(new Notice.ToolsChanged());
    }

    private void changed(Notice what) {
        marks = null;
        watchers.forEach(watcher -> watcher.accept(what));
    }

    /** The part of a subscription that can be honoured, with the tasks that the subscriber may see. */
    public Subscription honoured(Subscription wanted, List<String> tasks) {
        var resources = wanted.resources().stream()
                .distinct()
                .filter(uri -> resource(uri).isPresent())
                .limit(WATCHED)
                .toList();
        resources.forEach(watched);
        return new Subscription(
                wanted.toolsChanged() && tools().isUsed(),
                wanted.promptsChanged() && prompts().isUsed(),
                wanted.resourcesChanged() && hasResources(),
                resources,
                tasks);
    }

    private Resources offeredResources() {
        if (hasWatchable()) {
            return Resources.WATCHED;
        }
        return hasResources() ? Resources.READ : Resources.NONE;
    }

    public Offer offer(Map<String, Json> extensions) {
        return new Offer(
                tools().isUsed(), offeredResources(), prompts().isUsed(), hasCompletions(), hasTasks(), extensions);
    }
}
