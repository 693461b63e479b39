// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.server.McpServer;
import io.longhaul.server.ServerMonitor;
import io.longhaul.transport.Site;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Web pages that show and operate the tasks of a server. The pages speak MCP with the server's endpoint, and get
 * changes on one stream of events. The principals of the transport decide which tasks a user sees, as for every other
 * client; only operators see figures of the whole server.
 *
 * <p>One console belongs to one server. Give the console to {@link io.longhaul.server.McpServerBuilder#monitor}, and
 * let an HTTP transport serve its {@link #site} and the server at its {@link #endpoint}. Close the console after the
 * server. Thread-safe.
 *
 * <pre>{@code
 * var console = Console.at("/console");
 * var key = ConsoleKey.random(new SecureRandom());
 * var pages = Http.onPort(9090).path(console.endpoint()).site(console.site()).principals(key.callers());
 * var server = McpServer.builder("reports", "1.0").tool(...).store(...).monitor(console).serve(http, pages);
 * System.err.println(key.link(pages.url().resolve(console.page())));
 * }</pre>
 */
public final class Console implements ServerMonitor, AutoCloseable {

    private static final int BEAT_MILLIS = 500;

    /** The number of beats between two samples of the figures. */
    private static final int BEATS_OF_SAMPLE = 4;

    /** The number of beats between two looks at the tasks of other nodes: in each, all open pages list their tasks. */
    private static final int BEATS_OF_LOOK = 20;

    private final String path;
    private final String endpoint;
    final ChangedTasks news = new ChangedTasks();
    private final Figures figures = new Figures();
    private final ScheduledExecutorService beat = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("console").factory());
    private volatile @Nullable MessageLog messages;
    private volatile boolean isShared;
    private int beats;
    private @Nullable Future<?> beating;

    private Console(String path, String endpoint) {
        this.path = path;
        this.endpoint = endpoint;
    }

    /**
     * A console at a path, such as {@code /console}, with the MCP endpoint below the same path.
     *
     * @throws IllegalArgumentException where the path does not begin with a slash, or ends with a slash
     */
    public static Console at(String path) {
        return at(path, path + "/mcp");
    }

    /**
     * A console at a path of a server with its MCP endpoint at another path, such as {@code /mcp}.
     *
     * @throws IllegalArgumentException where one of the paths does not begin with a slash, or ends with a slash
     */
    public static Console at(String path, String endpoint) {
        return new Console(checked(path), checked(endpoint));
    }

    private static String checked(String path) {
        if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
            throw new IllegalArgumentException(
                    "A path starts with a slash, does not end with one, and has letters, digits, '.', '_', '~' and '-':"
                            + " '" + path + "' is none");
        }
        return path;
    }

    /** The path of the first page. */
    public String page() {
        return path + "/";
    }

    /** The path of the server's MCP endpoint for the pages. */
    public String endpoint() {
        return endpoint;
    }

    /** Shows the messages of a log to operators. */
    public void messages(MessageLog log) {
        messages = log;
    }

    /** The pages and their stream of events. */
    public Site site() {
        var feeds = Map.<String, Site.Feed>of(path + "/events", new Feed(news, figures, () -> messages));
        return new Site(PageFiles.at(path, endpoint), feeds, Map.of(), Map.of(), Set.of(), PageFiles.GUARDS);
    }

    @Override
    public TaskStore around(TaskStore store) {
        isShared = store.sharedTasks().isPresent();
        return new WatchedStore(store, news, figures);
    }

    @Override
    public Optional<ServerObserver> observer() {
        return Optional.of(figures);
    }

    /** Shows this server from now on, in place of a server that the application has stopped. */
    @Override
    public synchronized void started(McpServer server) {
        if (beating != null) {
            beating.cancel(false);
        }
        beating = beat.scheduleWithFixedDelay(() -> beat(server), BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    void beat(McpServer server) {
        int now = beats++;
        if (now % BEATS_OF_SAMPLE == 0) {
            figures.sample(server.statistics());
        }
        if (isShared && now % BEATS_OF_LOOK == 0) {
            // Commits of other nodes are heard by nobody here.
            news.changedAny();
        }
        news.publish();
    }

    /** Ends the streams of events. */
    @Override
    public void close() {
        beat.shutdownNow();
        news.close();
    }
}
