// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.server.McpServer;
import io.longhaul.server.ServerMonitor;
import io.longhaul.transport.Site;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pages on which a person sees and operates the tasks of a server in a browser. They speak MCP with the endpoint beside
 * them, and hear of changes on one stream of events. Who sees which task is decided by the principals of the transport,
 * as for every other client; figures of the whole server are for operators alone.
 *
 * <p>One console belongs to one server. Give it to {@link io.longhaul.server.McpServerBuilder#monitor}, and have a
 * transport of HTTP serve its {@link #site} and the server at its {@link #endpoint}. Close it after the server.
 * Thread-safe.
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

    /** A sample of the figures is taken so often, in beats. */
    private static final int BEATS_OF_SAMPLE = 4;

    private final String path;
    private final String endpoint;
    private final News news = new News();
    private final Figures figures = new Figures();
    private final ScheduledExecutorService beat = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("console").factory());
    private int beats;
    private @Nullable Future<?> beating;

    private Console(String path, String endpoint) {
        this.path = path;
        this.endpoint = endpoint;
    }

    /**
     * Pages below a path, such as {@code /console}, with the MCP endpoint below the same path.
     *
     * @throws IllegalArgumentException where it does not begin with a slash, or ends with one
     */
    public static Console at(String path) {
        return at(path, path + "/mcp");
    }

    /**
     * Pages below a path of a server that serves MCP elsewhere, such as at {@code /mcp}.
     *
     * @throws IllegalArgumentException where one does not begin with a slash, or ends with one
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

    /** The path where the pages look for the MCP endpoint of the server. */
    public String endpoint() {
        return endpoint;
    }

    /** The pages and their stream of events. */
    public Site site() {
        var feeds = Map.<String, Site.Feed>of(path + "/events", new Feed(news, figures));
        return new Site(PageFiles.at(path, endpoint), feeds, Map.of(), Map.of(), PageFiles.GUARDS);
    }

    @Override
    public TaskStore around(TaskStore store) {
        return new WatchedStore(store, news, figures);
    }

    @Override
    public Optional<ServerObserver> observer() {
        return Optional.of(figures);
    }

    /** Looks at this server from now on, in place of the one that an application has stopped. */
    @Override
    public synchronized void started(McpServer server) {
        if (beating != null) {
            beating.cancel(false);
        }
        beating = beat.scheduleWithFixedDelay(() -> beat(server), BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void beat(McpServer server) {
        if (beats++ % BEATS_OF_SAMPLE == 0) {
            figures.sample(server.statistics());
        }
        news.publish();
    }

    /** Ends the streams. */
    @Override
    public void close() {
        beat.shutdownNow();
        news.close();
    }
}
