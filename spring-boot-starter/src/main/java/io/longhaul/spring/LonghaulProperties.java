// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties below {@code longhaul}. Immutable.
 *
 * @param enabled      whether there is a server
 * @param server       what clients are told of it
 * @param store        where tasks and sessions are kept
 * @param http         how the server is reached
 * @param console      pages for a browser
 * @param longRunning  tools of Spring AI and of the official SDK whose calls are durable tasks, by name
 */
@ConfigurationProperties("longhaul")
public record LonghaulProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Self server,
        @DefaultValue Storage store,
        @DefaultValue Endpoint http,
        @DefaultValue Pages console,
        @DefaultValue List<String> longRunning) {

    /**
     * What clients are told of the server.
     *
     * @param name         what it calls itself; null for the name of the application
     * @param version      of it
     * @param instructions what a model is told about it as a whole; null for nothing
     */
    public record Self(
            @Nullable String name,
            @DefaultValue("1.0") String version,
            @Nullable String instructions) {}

    /**
     * Where tasks and sessions are kept, where the application has no {@code TaskStore} of its own.
     *
     * @param dataSource the bean with the connections to a PostgreSQL database; null for a file
     * @param path       the file, made where there is none
     * @param dataKeys   a file with keys that seal what is kept; null for none
     * @param node       the name of this process among those of the database, which it keeps over restarts; null for
     *                   another one at each start
     */
    public record Storage(
            @Nullable String dataSource,
            @DefaultValue("longhaul.db") Path path,
            @Nullable Path dataKeys,
            @Nullable String node) {}

    /**
     * How the server is reached.
     *
     * @param path           below that of the application
     * @param allowedHosts   names by which clients reach it
     * @param allowedOrigins of pages that may call
     * @param callerHeaders  which handlers see
     * @param keepAlive      an idle stream gets a comment this often
     * @param authenticated  whether only callers who are logged in are served; null for just where there is Spring
     *                       Security
     */
    public record Endpoint(
            @DefaultValue("/mcp") String path,
            @DefaultValue List<String> allowedHosts,
            @DefaultValue List<String> allowedOrigins,
            @DefaultValue List<String> callerHeaders,
            @DefaultValue("15s") Duration keepAlive,
            @Nullable Boolean authenticated) {}

    /**
     * Pages on which a person sees and operates tasks in a browser.
     *
     * @param enabled whether they are served
     * @param path    below that of the application
     */
    public record Pages(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/console") String path) {}
}
